import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { type OperationName, operate } from "../../support/customers/operations.ts";
import { PERSON, pluginAt } from "../../support/networks/telegram-channel.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { type SimulatedBot, startTelegram, type Telegram } from "../../support/telegram/index.ts";
import { startWorld, untilConnected, type World } from "../../support/world.ts";

let w: World;
let telegram: Telegram;
let bot: SimulatedBot;
let who: { key: string; phone: { id: string } };
const files = Bun.serve({
  port: 0,
  fetch: () => new Response(new Uint8Array(500).fill(7), { headers: { "content-type": "image/jpeg" } }),
});
beforeAll(async () => {
  telegram = await startTelegram();
  telegram.addPerson({ id: PERSON, first_name: "Ana" });
  bot = telegram.addBot({ id: 7_000_000_001, secret: "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", username: "PadariaBot" });
  w = await startWorld({ plugins: [pluginAt(telegram.url)], env: { RECADO_GATEWAY_RATE: "100000" } });
  const { key } = await w.account();
  const { body: phone } = await w.gateway("/v1/phones", {
    key,
    body: { type: "TELEGRAM", label: "Padaria", credentials: { token: bot.token } },
  });
  await untilConnected(w, phone.id);
  who = { key, phone };
});
afterAll(async () => {
  await w.stop();
  await telegram.stop();
  await files.stop(true);
});

const sent = async (type: string, content: object): Promise<string> => {
  const { body, status, text } = await w.gateway("/v1/messages", {
    key: who.key,
    body: { phoneId: who.phone.id, to: String(PERSON), type, content },
  });
  if (status !== 202) throw new Error(`the message was not accepted: ${text}`);
  await w.settle();
  expect((await w.gateway(`/v1/messages/${body.messageId}`, { key: who.key })).body.status).toBe("SENT");
  return body.messageId;
};
const operated = async (name: OperationName, id: string, input: object = {}) => {
  const asked = telegram.journal.length;
  const said = gatewaySays(await operate(w, who as never, [name, id], input));
  await w.settle();
  return {
    said,
    calls: telegram.journal
      .slice(asked)
      .map(({ method }) => method)
      .filter((one) => one !== "getUpdates"),
  };
};
const image = () => sent("image", { mediaUrl: `http://127.0.0.1:${files.port}/a.jpg`, caption: "antes" });
const newest = () => [...bot.messages.values()].at(-1);

test("the capabilities of the phone say what the adapter declares", async () => {
  const { body } = await w.gateway(`/v1/phones/${who.phone.id}/capabilities`, { key: who.key });
  expect(body.operationLimits).toEqual([
    { operation: "edit", types: ["text", "image", "video", "audio", "document"], withinMinutes: null },
    { operation: "delete", types: null, withinMinutes: 2 * 24 * 60 },
  ]);
});

describe("what the adapter declares decides, for as long as it says", () => {
  test.each([MINUTE_MS, 16 * MINUTE_MS, 40 * DAY_MS])("a text of Telegram is edited after %d ms", async (age) => {
    const id = await sent("text", { text: "antes" });
    await w.advance(age);
    expect(await operated("edit", id, { text: "depois" })).toEqual({ said: "202", calls: ["editMessageText"] });
    expect(newest()?.text).toBe("depois");
  });

  test("so is the caption of a file", async () => {
    const id = await image();
    await w.advance(16 * MINUTE_MS);
    const { said, calls } = await operated("edit", id, { text: "depois" });
    expect([said, calls.at(-1)]).toEqual(["202", "editMessageCaption"]);
    expect(newest()?.caption).toBe("depois");
  });

  test("an edit of what has neither is refused, and the network is not asked", async () => {
    const id = await sent("location", { latitude: 1, longitude: 2 });
    expect(await operated("edit", id, { text: "x" })).toEqual({ said: "400 UNSUPPORTED_TYPE", calls: [] });
  });

  test("a deletion ends with the network's 48 hours: later it is taken, and the network is not asked", async () => {
    const [early, late] = [await sent("text", { text: "a" }), await sent("text", { text: "b" })];
    await w.advance(47 * HOUR_MS);
    expect(await operated("delete", early)).toEqual({ said: "202", calls: ["deleteMessage"] });
    await w.advance(2 * HOUR_MS);
    expect(await operated("delete", late)).toEqual({ said: "202", calls: [] });
  });
});
