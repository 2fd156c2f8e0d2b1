import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { rowsOf } from "../../../../support/customers/customer.ts";
import { type PagerNetwork, pagerNetwork, receivedPage } from "../../../../support/networks/pager.ts";
import { startWorld, untilConnected, type World } from "../../../../support/world.ts";

let w: World;
let network: PagerNetwork;
let key: string;
let phoneId: string;
beforeAll(async () => {
  network = pagerNetwork();
  w = await startWorld({ plugins: [network.plugin] });
  ({ key } = await w.account());
  network.tokens.add("pg-7000001");
  const body = { type: "PAGER", label: "Night shift", credentials: { token: "pg-7000001" } };
  phoneId = (await w.gateway("/v1/phones", { key, body })).body.id;
  await untilConnected(w, phoneId);
});
afterAll(() => w.stop());

const bodyOf = (text: string, options?: object) => ({
  phoneId,
  to: "anna.7",
  type: "text",
  content: { text },
  ...(options ? { sendOptions: options } : {}),
});
const send = (text: string, options?: object) => w.gateway("/v1/messages", { key, body: bodyOf(text, options) });
/** The options of every send of a text that the network got. */
const sentWith = (text: string) =>
  network.sent.filter((page) => page.text === text).map(({ options = null }) => options);

describe("an option of a send, which the kind declares", () => {
  test("reaches the network with the message, and a send without options has none", async () => {
    expect((await send("with", { urgency: "high" })).status).toBe(202);
    expect((await send("without")).status).toBe(202);
    expect((await send("empty", {})).status).toBe(202);
    await w.settle();
    expect([sentWith("with"), sentWith("without"), sentWith("empty")]).toEqual([[{ urgency: "high" }], [null], [{}]]);
  });

  test.each([
    [
      "that the kind does not have",
      { sender: "ACME" },
      "sender is not an option of a send; a phone of this kind has urgency",
    ],
    [
      "of a name that every object has",
      { constructor: "x" },
      "constructor is not an option of a send; a phone of this kind has urgency",
    ],
    ["with a value of another form", { urgency: "whenever" }, "urgency must be high or low"],
    ["with a value that is no text", { urgency: 1 }, expect.stringMatching(/^urgency /)],
  ])("%s is refused by its name, and nothing is queued", async (_, options, issue) => {
    const before = await rowsOf(w, "SELECT count(*) FROM messages");
    const { status, body } = await send("refused", options);
    expect([status, body.error?.details.fieldErrors ?? body]).toEqual([400, { sendOptions: [issue] }]);
    expect(await rowsOf(w, "SELECT count(*) FROM messages")).toEqual(before);
  });

  test("is refused for a phone of a kind without options", async () => {
    const { body: phone } = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A" } });
    const body = { ...bodyOf("refused", { urgency: "high" }), phoneId: phone.id, to: "5511999990001" };
    const answer = await w.gateway("/v1/messages", { key, body });
    expect([answer.status, answer.body.error.details.fieldErrors]).toEqual([
      400,
      { sendOptions: ["urgency is not an option of a send; a phone of this kind has none"] },
    ]);
  });

  test("is part of the request that an idempotency key stands for", async () => {
    const keyed = (urgency: string) =>
      w.gateway("/v1/messages", { key, body: { ...bodyOf("keyed", { urgency }), idempotencyKey: "page-0001" } });
    expect([(await keyed("high")).status, (await keyed("high")).status, (await keyed("low")).status]).toEqual([
      202, 200, 409,
    ]);
  });

  test("stays with a scheduled message, and is checked when it is scheduled", async () => {
    const scheduledAt = new Date(w.clock.now() + 60 * SECOND_MS).toISOString();
    const schedule = (options: object) =>
      w.gateway("/v1/messages/scheduled", { key, body: { scheduledAt, payload: bodyOf("later", options) } });
    expect((await schedule({ sender: "ACME" })).status).toBe(400);
    expect((await schedule({ urgency: "low" })).status).toBe(201);
    await w.advance(61 * SECOND_MS);
    await w.settle();
    expect(sentWith("later")).toEqual([{ urgency: "low" }]);
  });

  test("goes with an answer in a chat", async () => {
    await network.notify(phoneId, receivedPage({ id: "in-1", from: "bert.8", text: "hello" }));
    await w.settle();
    const { body: chats } = await w.gateway(`/v1/chats?phoneId=${phoneId}`, { key });
    const answer = { type: "text", content: { text: "answered" }, sendOptions: { urgency: "low" } };
    const chatId = chats.items[0].id;
    expect((await w.gateway(`/v1/chats/${chatId}/messages`, { key, body: answer })).status).toBe(202);
    await w.settle();
    expect(sentWith("answered")).toEqual([{ urgency: "low" }]);
  });

  test("has its form in GET /v1/kinds", async () => {
    const { body } = await w.gateway("/v1/kinds", { key });
    const options = Object.fromEntries(
      body.items.map((kind: { type: string; sendOptions: { name: string }[] }) => [
        kind.type,
        kind.sendOptions.map(({ name }) => name),
      ]),
    );
    expect(options).toEqual({ SESSION: [], WABA: [], SOCIAL: [], PAGER: ["urgency"] });
  });
});
