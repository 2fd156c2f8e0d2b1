import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { hoursFrom } from "../../../support/customers/business-hours.ts";
import { TO } from "../../../support/customers/customer.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

const OTHER = "5511999990002";
const CLOSED = "Estamos fechados.";
let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

const closed = (c: Chat, aheadMs = 3 * HOUR_MS) =>
  l.w.gateway("/v1/business-hours", { key: c.key, method: "PUT", body: hoursFrom(l.w, aheadMs) });

test("an agent answers outside business hours, unless it respects them", async () => {
  const c = await newChat(l);
  await closed(c);
  await c.says("Vocês abrem hoje?");
  expect(c.sent()).toEqual([`${TO}: You said: Vocês abrem hoje?`]);
});

test("one that respects them is silent then, and asks no model; what was written is in its history", async () => {
  const c = await newChat(l, { respectHours: true });
  await closed(c);
  await c.says("Vocês abrem hoje?");
  expect([c.sent(), l.llm.journal]).toEqual([[], []]);
  expect((await c.turns()).map(({ content }: any) => content)).toEqual(["Vocês abrem hoje?"]);
  await l.w.advance(3 * HOUR_MS);
  await l.w.settle();
  expect(c.sent()).toEqual([]);
  await c.says("E agora?");
  expect(c.sent()).toEqual([`${TO}: You said: E agora?`]);
});

test("its text for that is sent once per chat and day", async () => {
  const c = await newChat(l, { respectHours: true, closedText: CLOSED });
  await closed(c, 20 * HOUR_MS);
  for (const text of ["um", "dois"]) await c.says(text);
  await c.says("três", OTHER);
  expect([c.sent(), l.llm.journal]).toEqual([[`${TO}: ${CLOSED}`, `${OTHER}: ${CLOSED}`], []]);
  await l.w.advance(DAY_MS);
  await c.says("quatro");
  await c.says("cinco");
  expect(c.sent().filter((text: string) => text === `${TO}: ${CLOSED}`)).toHaveLength(2);
});

test("a conversation that a person has gets no text", async () => {
  const c = await newChat(l, { respectHours: true, closedText: CLOSED, handoffRules: { keywords: ["pessoa"] } });
  await closed(c);
  await c.says("quero uma pessoa");
  await c.says("oi?");
  expect(c.sent()).toEqual([]);
});

test("its settings are shown, and a blank text is none", async () => {
  const c = await newChat(l, { respectHours: true, closedText: "  " });
  const { body } = await l.w.gateway(`/v1/phones/${c.phone.id}/ai-agent`, { key: c.key });
  expect([body.respectHours, body.closedText]).toEqual([true, null]);
});
