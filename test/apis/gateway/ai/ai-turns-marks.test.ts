import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { newChat } from "../../../support/customers/agents/ai-chat.ts";
import { TO } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

const MARKDOWN = "## Preços\n\n| Produto | Preço |\n|---|---|\n| Bolo | **R$ 10** |\n\n[Cardápio](https://a.test/x)";
const MARKED = "*Preços*\n\n- Produto: Bolo; Preço: *R$ 10*\n\nCardápio (https://a.test/x)";

test("X-030 X-021 a model's Markdown comes in the network's marks, in the chat, in its turns and in a trial", async () => {
  const c = await newChat(l);
  l.llm.answer(() => MARKDOWN);
  await c.says("quanto custa?");
  expect(c.sent()).toEqual([`${TO}: ${MARKED}`]);
  expect((await c.turns()).at(-1).content).toBe(MARKED);
  const trial = await l.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body: { message: "oi" } });
  expect(trial.body.reply).toBe(MARKED);
});

test("X-030 what the account wrote itself is sent as it wrote it", async () => {
  const c = await newChat(l, { greeting: "**Bem-vindo** _já_" });
  await c.says("oi");
  expect(c.sent()[0]).toBe(`${TO}: **Bem-vindo** _já_`);
});

test("GAP-C13 a long answer is cut after its Markdown was read, and not within", async () => {
  const c = await newChat(l);
  l.llm.next("Isto é **negrito**, e o resto da frase é comum. ".repeat(110));
  await c.says("oi");
  const [sent = ""] = c.sent();
  expect(sent.length).toBeLessThanOrEqual(4096 + TO.length + 2);
  expect(sent).not.toContain("**");
});

test("X-030 an answer whose tokens were used up ends with a sentence, or with a whole word and a mark", async () => {
  const c = await newChat(l);
  l.llm.next(REPLIES.cut("Abrimos às 9h e fechamos às 18h. Aos dom"), REPLIES.cut("Temos **pão** e bol"));
  await c.says("quando abrem?");
  await c.says("o que têm?");
  expect(c.sent()).toEqual([`${TO}: Abrimos às 9h e fechamos às 18h.`, `${TO}: Temos *pão* e…`]);
  expect((await c.turns()).at(-1).content).toBe("Temos *pão* e…");
  l.llm.next(REPLIES.cut("Temos pão e bol"));
  const trial = await l.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body: { message: "oi" } });
  expect(trial.body.reply).toBe("Temos pão e…");
});
