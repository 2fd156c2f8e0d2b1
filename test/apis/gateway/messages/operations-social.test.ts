import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { receivedBy } from "../../../support/customers/customer.ts";
import { type OperationName, operate } from "../../../support/customers/operations.ts";
import {
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  startSocialWorld,
} from "../../../support/networks/social.ts";
import { gatewaySays } from "../../../support/refusals.ts";

let s: SocialWorld;
let c: SocialCustomer;
let ids: { inbound: string; outbound: string };
beforeAll(async () => {
  s = await startSocialWorld();
});
afterAll(() => s.stop());
beforeEach(async () => {
  c = await newSocialCustomer(s);
  await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
  const sent = await s.w.gateway("/v1/messages", {
    key: c.key,
    body: { phoneId: c.phoneId, to: c.igsid, type: "text", content: { text: "olá" } },
  });
  await s.w.settle();
  ids = { inbound: receivedBy(c.hook, "message:received").at(-1).messageId, outbound: sent.body.messageId };
  c.hook.arrived.length = 0;
});

const ask = async (name: OperationName, id: string, input: object = {}) => {
  const answer = await operate(
    s.w,
    { key: c.key, phone: { id: c.phoneId, phoneNumberId: "", accessToken: "", number: "" } },
    [name, id],
    input,
  );
  await s.w.settle();
  return gatewaySays(answer);
};
const done = () =>
  s.instagram.actions
    .filter(({ igUserId }) => igUserId === c.igUserId)
    .map(({ action, reaction }) => [action, reaction]);

test.each(["edit", "delete", "typing"] as const)(
  "G-461 GAP-G47 %s is refused on a SOCIAL phone, no matter who wrote the message, and nothing happens",
  async (name) => {
    for (const id of [ids.inbound, ids.outbound]) expect(await ask(name, id)).toBe("400 UNSUPPORTED_TYPE");
    expect([done(), c.hook.arrived]).toEqual([[], []]);
  },
);

test("GAP-G47 a read is for what came, a reaction for both; both reach the network, and only the reaction is published", async () => {
  expect([await ask("read", ids.outbound), await ask("read", ids.inbound)]).toEqual(["400 UNSUPPORTED_TYPE", "202"]);
  expect(await ask("react", ids.inbound, { emoji: "😊" })).toBe("202");
  expect(await ask("react", ids.inbound, { emoji: "" })).toBe("202");
  expect(done().map(([action]) => action)).toEqual(["mark_seen", "react", "unreact"]);
  expect(receivedBy(c.hook).map(({ messageId, emoji }) => [messageId, emoji])).toEqual([
    [ids.inbound, "😊"],
    [ids.inbound, ""],
  ]);
});
