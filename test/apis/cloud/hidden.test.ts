import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLOUD_ENV, cloudClientOf } from "../../support/apis/cloud.ts";
import { connectProgram } from "../../support/apis/cloud-phones.ts";
import { startProgram } from "../../support/apis/cloud-program.ts";
import { pairedPhone, type SessionWorld, sessionWorld } from "../../support/session/world.ts";
import { untilTrue } from "../../support/waiting.ts";

let world: SessionWorld;
beforeAll(async () => {
  world = await sessionWorld(CLOUD_ENV);
});
afterAll(() => world.stop());

test("a person without a known number has the digits of the network's id, and gets the answer by them", async () => {
  const { w, net } = world;
  const { customer, owner } = await pairedPhone(world);
  const program = startProgram();
  await connectProgram(w, customer, program);
  const client = await cloudClientOf(w, customer);
  const joana = net.contact({ lid: "98765432100001", username: "joana.s", name: "Joana" });
  await joana.say("oi", { to: owner });
  await untilTrue(async () => {
    await w.settle();
    return program.messages().length > 0;
  });
  const [value] = program.values("messages");
  expect(value.contacts).toMatchObject([{ wa_id: "98765432100001" }]);
  expect(value.contacts[0].user_id).toBeUndefined();
  const sent = await client.send({ to: value.messages[0].from, text: { body: "resposta" } });
  expect(sent.status).toBe(200);
  await untilTrue(async () => {
    await w.settle();
    return joana.received.some(({ text }) => text === "resposta");
  });
  await untilTrue(async () => {
    await w.settle();
    return program.statuses().length > 0;
  });
  expect(program.statuses()[0]).toMatchObject({ id: sent.body.messages[0].id, recipient_id: "98765432100001" });
  await program.stop();
});
