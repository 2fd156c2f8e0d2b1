import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { chatOf, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { holdBack, newCustomer, release, rowsOf, TO } from "../../../support/customers/customer.ts";
import { LLM_KEY, REPLIES } from "../../../support/llm/index.ts";
import { giveAgent, type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld({ logLevel: "debug" });
});
afterAll(() => l.stop());
beforeEach(() => {
  l.llm.reset();
  l.w.logs.length = 0;
});

const SECRET = "o meu segredo";
/** Why there was no answer, as the log says it; throws when it says anything of what was written, or the key. */
const reasons = (): object[] => {
  if (l.w.logs.some((line) => line.includes(SECRET) || line.includes(LLM_KEY)))
    throw new Error("the log holds what was written");
  return l.w.logs
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "the agent gave no answer")
    .map(({ code, kind, status, messageId }) => ({ code, kind, status, messageId }));
};

test.each([
  ["refuses the key", () => l.llm.keys.clear(), "refused", 401],
  ["does not know the model", () => l.llm.models.chat.clear(), "refused", 404],
  ["has no credit left for the account", () => l.llm.next(REPLIES.noCredit()), "refused", 429],
  ["is asked too much, each time", () => l.llm.next(REPLIES.busy(), REPLIES.busy(), REPLIES.busy()), "busy", 429],
  ["breaks, each time", () => l.llm.next(REPLIES.broken(), REPLIES.broken(), REPLIES.broken()), "unavailable", 500],
  [
    "breaks off, each time",
    () => l.llm.next(REPLIES.dropped(), REPLIES.dropped(), REPLIES.dropped()),
    "unavailable",
    undefined,
  ],
  ["answers what is no JSON", () => l.llm.answer(() => REPLIES.garbage()), "unavailable", undefined],
  ["answers nothing", () => l.llm.answer(() => REPLIES.noChoices()), "unavailable", undefined],
  ["withholds its answer", () => l.llm.answer(() => REPLIES.withheld()), "refused", undefined],
] as const)(
  "X-030 a provider that %s leaves the message without an answer, and the next one has one",
  async (_, fails, kind, status) => {
    const c = await newChat(l);
    fails();
    await c.says(SECRET);
    const [user, ...none] = await c.turns();
    expect([c.sent(), none, user.content, (await c.with()).status]).toEqual([[], [], SECRET, "AI"]);
    expect(reasons()).toEqual([{ code: "LLM_FAILED", kind, status, messageId: user.messageId }]);
    expect(user.unansweredReason).toMatch(/\w/);
    l.llm.reset();
    await c.says("e agora?");
    expect(c.sent()).toEqual([`${TO}: You said: e agora?`]);
  },
);

test.each([
  ["its end: no tokens left", REPLIES.cut(""), /used up its tokens .*length/],
  ["its end: withheld", REPLIES.withheld(), /withheld the answer \(content_filter\)/],
  ["a refusal of the model", REPLIES.declined("Não posso falar disso."), /declined: Não posso falar disso\./],
  ["the provider's own words", REPLIES.refused(400, `Bad ${LLM_KEY}`), /^Bad \*\*\*$/],
])("X-030 X-078 a turn without an answer says why: %s; an answered turn says nothing", async (_form, reply, reason) => {
  const c = await newChat(l);
  l.llm.next(reply);
  await c.says("oi");
  await c.says("e agora?");
  const [first, second, ...others] = await c.turns();
  expect(first.unansweredReason).toMatch(reason);
  expect([second, ...others].map((turn) => "unansweredReason" in turn)).toEqual([false, false]);
});

test("X-030 a provider that fails once, or twice, is asked again", async () => {
  const c = await newChat(l);
  l.llm.next(REPLIES.busy(), REPLIES.broken());
  await c.says("oi");
  expect([c.sent(), l.llm.chats().length, reasons()]).toEqual([[`${TO}: You said: oi`], 3, []]);
});

test("X-044 GAP-X12 without a key there is no answer, nor a greeting; what was said is noted", async () => {
  const customer = await newCustomer(l.w);
  await giveAgent(l.w, customer, { greeting: "Bem-vindo!" });
  const c = chatOf(l.w, customer);
  await c.says(SECRET);
  const turns = await c.turns();
  expect([c.sent(), turns.map(({ content }) => content), l.llm.journal]).toEqual([[], [SECRET], []]);
  expect(turns[0].unansweredReason).toContain("no key");
  expect(reasons()).toEqual([expect.objectContaining({ code: "LLM_KEY_REQUIRED" })]);
});

test("X-030 a person who has waited for an hour is not answered by a machine any more", async () => {
  const c = await newChat(l);
  await c.says("oi");
  await holdBack(l.w, `ai:${c.accountId}`);
  await c.says(SECRET);
  await l.w.advance(HOUR_MS + 1);
  await c.says("ainda aí?");
  await release(l.w, `ai:${c.accountId}`);
  expect(c.sent()).toEqual([`${TO}: You said: oi`, `${TO}: You said: ainda aí?`]);
  expect(reasons()).toEqual([expect.objectContaining({ code: "LLM_FAILED", kind: "too late" })]);
});

test("X-030 an answer that nobody could read is none: what is left of it once it is cleaned is sent, or nothing", async () => {
  const c = await newChat(l);
  l.llm.next("  um\0 dois \ud800 ", " \0 ");
  await c.says("oi");
  await c.says(SECRET);
  expect(c.sent()).toEqual([`${TO}: um dois \ufffd`]);
  expect(reasons()).toEqual([expect.objectContaining({ code: expect.stringMatching(/VALIDATION|LLM_FAILED/) })]);
  // X-043 both were paid for
  expect(await rowsOf(l.w, "SELECT calls FROM llm_usage WHERE tenant_id = ?1", [c.accountId])).toEqual([{ calls: 2 }]);
});

test("X-030 GAP-C13 an answer longer than a message may be is cut in code points, not in halves of a character", async () => {
  const c = await newChat(l);
  l.llm.next("😀".repeat(5000));
  await c.says("oi");
  expect(c.sent()).toEqual([`${TO}: ${"😀".repeat(4096)}`]);
});
