import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ACCOUNT, ADMIN_TOKEN, type SimulatedChatwoot, startChatwoot } from "../../../support/chatwoot/server.ts";
import type { Customer } from "../../../support/customers/customer.ts";
import { newSessionCustomer, sessionNetwork, textFrom } from "../../../support/session/scripted-sends.ts";
import { useWorld } from "../../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, plugins: [network.plugin] });
const ANA = "5511999990001";
const BIA = "5511999990002";
const DAY = 86_400_000;

let c: Customer;
let chatwoot: SimulatedChatwoot;
beforeEach(async () => {
  network.sent.length = 0;
  chatwoot = startChatwoot({ now: () => w.clock.now(), messagesPerMinute: 3 });
  c = await newSessionCustomer(w);
});
afterEach(async () => {
  await chatwoot.called();
  await chatwoot.stop();
});

const ask = (method: string, body?: object) =>
  w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key, method, ...(body ? { body } : {}) });
const input = (more: object = {}) => ({
  url: chatwoot.url,
  chatwootAccountId: ACCOUNT,
  token: ADMIN_TOKEN,
  inboxName: "Padaria",
  ...more,
});
/** Runs all that is due, with the webhooks that it causes. */
const settled = async () => {
  for (let round = 0; round < 3; round++) {
    await w.settle();
    await chatwoot.called();
  }
  await w.settle();
};
const imported = async (more: object = {}) => {
  expect((await ask("PUT", input({ importDays: 30, ...more }))).status).toBe(200);
  await settled();
};
const says = async (
  text: string,
  { from = ANA, ...rest }: { from?: string; at?: number; isImported?: boolean } = {},
) => {
  const event = textFrom(from, { content: { type: "text", content: { text } }, at: w.clock.now(), ...rest });
  await network.notify(c.phone.id, event);
  await settled();
};
const texts = () => network.sent.map(({ order }) => (order.content as { text?: string }).text);

describe("an import", () => {
  test.each(["greeting", "agent_bot"] as const)("sends nobody what Chatwoot writes by itself: %s", async (by) => {
    for (const from of [ANA, BIA]) await says("antiga", { from, at: w.clock.now() - 20 * DAY });
    chatwoot.answersFirst({ content: "Bem-vindo! Estamos fechados.", by });
    await imported();
    expect(chatwoot.said()).toEqual([
      "< antiga",
      "> Bem-vindo! Estamos fechados.",
      "< antiga",
      "> Bem-vindo! Estamos fechados.",
    ]);
    expect(network.sent).toHaveLength(0);
    // what an agent writes is sent, and later greetings are
    chatwoot.agentWrites({ conversationId: chatwoot.conversations[0]?.id ?? 0, content: "Oi, sou eu" });
    await settled();
    expect(texts()).toEqual(["Oi, sou eu"]);
    await w.advance(120_000);
    await says("nova", { from: "5511999990003" });
    expect(texts()).toEqual(["Oi, sou eu", "Bem-vindo! Estamos fechados."]);
  });

  test("waits for a Chatwoot that takes no more messages of a chat in this minute, and leaves none out", async () => {
    for (const text of ["um", "dois", "três", "quatro", "cinco"]) await says(text);
    await imported();
    expect(chatwoot.said()).toHaveLength(3);
    expect((await ask("GET")).body).toMatchObject({
      state: "IMPORTING",
      lastError: expect.stringContaining("too many messages"),
    });
    await w.advance(61_000);
    await settled();
    expect(chatwoot.said()).toEqual(["< um", "< dois", "< três", "< quatro", "< cinco"]);
    expect((await ask("GET")).body).toMatchObject({ state: "OK", imported: 5, leftOut: 0, lastError: null });
  });

  test("counts what Chatwoot refuses for good", async () => {
    await says("um");
    await says("dois");
    chatwoot.failNext("POST", /messages$/, { status: 422 });
    await imported();
    expect(chatwoot.said()).toEqual(["< dois"]);
    expect((await ask("GET")).body).toMatchObject({ state: "OK", imported: 2, leftOut: 1 });
  });

  test("says why it waits, and goes on at once with a new token", async () => {
    await says("um");
    chatwoot.failNext("GET", /contacts\/search/, { status: 401 });
    await imported();
    expect((await ask("GET")).body).toMatchObject({
      state: "IMPORTING",
      lastError: "GET /contacts/search: HTTP 401",
    });
    expect(chatwoot.said()).toHaveLength(0);
    expect((await ask("PUT", input())).status).toBe(200);
    await settled();
    expect(chatwoot.said()).toEqual(["< um"]);
    expect((await ask("GET")).body).toMatchObject({ state: "OK", importDays: 30, lastError: null });
  });

  test("that begins again brings the history that came after the first", async () => {
    await says("um");
    await imported();
    await says("do histórico", { at: w.clock.now() - DAY, isImported: true });
    expect(chatwoot.said()).toEqual(["< um"]);
    await imported();
    expect(chatwoot.said()).toEqual(["< um", "< do histórico"]);
  });

  test("into an inbox that was deleted and made anew brings everything again", async () => {
    await says("um");
    await says("dois");
    await imported();
    chatwoot.inboxes.splice(1, 1);
    for (const { id } of chatwoot.conversations.slice()) chatwoot.agentDeletesConversation(id);
    chatwoot.messages.length = 0; // Chatwoot deletes them with their conversations
    await imported();
    expect(chatwoot.said()).toEqual(["< um", "< dois"]);
    await imported();
    expect(chatwoot.said()).toEqual(["< um", "< dois"]);
  });
});

test("a chat with more messages in a minute than Chatwoot takes loses none", async () => {
  await ask("PUT", input());
  for (const text of ["um", "dois", "três", "quatro", "cinco"]) await says(text);
  expect(chatwoot.said()).toHaveLength(3);
  for (let round = 0; round < 18; round++) {
    await w.advance(11_000);
    await settled();
  }
  expect(chatwoot.said()).toEqual(["< um", "< dois", "< três", "< quatro", "< cinco"]);
  expect((await ask("GET")).body).toMatchObject({ waiting: 0, lost: 0 });
});
