import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { askedIn, type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { TO } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

// What a strict model takes: roles that alternate and begin with the user's. The simulated provider is strict throughout.

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

const roles = () => askedIn(l).map(({ role }) => role[0]);
const byPerson = async (c: Chat, text: string): Promise<void> => {
  expect((await c.send({ content: { text } })).status).toBe(202);
  await l.w.settle();
};
const answeredAll = () => expect(l.llm.chats().filter(({ status }) => status === 400)).toEqual([]);

describe("X-041 a conversation does not die of its own history", () => {
  test("after a greeting", async () => {
    const c = await newChat(l, { greeting: "Bem-vindo!" });
    for (const text of ["um", "dois", "tres", "quatro"]) await c.says(text);
    expect(c.sent().slice(1)).toEqual(["um", "dois", "tres", "quatro"].map((text) => `${TO}: You said: ${text}`));
    expect(askedIn(l)[2]?.content).toBe("Bem-vindo!\n\nYou said: um");
    answeredAll();
  });

  test("after turns that got no answer", async () => {
    const c = await newChat(l);
    l.llm.next(REPLIES.withheld(), REPLIES.refused(400, "no"), REPLIES.withheld());
    for (const text of ["um", "dois", "tres", "quatro"]) await c.says(text);
    expect(c.sent()).toEqual([`${TO}: You said: quatro`]);
    expect(askedIn(l).slice(1)).toEqual([{ role: "user", content: "um\n\ndois\n\ntres\n\nquatro" }]);
  });

  test("after what people wrote, before and after the agent", async () => {
    const c = await newChat(l);
    await c.says("um");
    for (const text of ["Sou a Ana.", "Já vejo."]) await byPerson(c, text);
    await c.says("dois");
    for (const text of ["Pronto.", "Mais algo?"]) await byPerson(c, text);
    await c.says("tres");
    expect(roles().join("")).toBe("suauau");
    answeredAll();
  });

  test("after several messages at once", async () => {
    const c = await newChat(l, { greeting: "Bem-vindo!" });
    for (const text of ["um", "dois", "tres"])
      await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
    await l.w.settle();
    await c.says("quatro");
    answeredAll();
    expect(c.sent().at(-1)).toBe(`${TO}: You said: quatro`);
  });

  test("that begins with the agent's turns, or that is cut before its window", async () => {
    const c = await newChat(l, { greeting: "Bem-vindo!", contextWindowTurns: 1 });
    for (const text of ["um", "dois", "tres"]) await c.says(text);
    expect(roles().join("")).toBe("suau");
    answeredAll();
  });
});

const THOUGHT = "<think>\nCliente parece irritado; não ofereça desconto.\n</think>\n\n";

describe("X-030 a model's thoughts reach nobody", () => {
  test("neither the chat, nor its history, nor the next prompt", async () => {
    const c = await newChat(l);
    l.llm.answer(() => `${THOUGHT}Claro, posso ajudar!`);
    await c.says("oi");
    await c.says("e?");
    expect(c.sent()).toEqual([`${TO}: Claro, posso ajudar!`, `${TO}: Claro, posso ajudar!`]);
    expect(JSON.stringify([await c.turns(), askedIn(l)])).not.toContain("irritado");
  });

  test("an answer of thoughts alone is no answer, and says why in a trial", async () => {
    const c = await newChat(l);
    l.llm.answer(() => "<think>Cliente parece irritado");
    await c.says("oi");
    expect([c.sent(), (await c.turns()).length]).toEqual([[], 1]);
    const { status, text } = await l.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, {
      key: c.key,
      body: { message: "oi" },
    });
    expect([status, text]).toEqual([502, expect.stringContaining("only the model's thoughts")]);
    expect(text).not.toContain("irritado");
  });

  test("nor a trial, a summary or a classification", async () => {
    const c = await newChat(l);
    const ask = async (path: string, body: object, answer: string) => {
      l.llm.next(THOUGHT + answer);
      return await l.w.gateway(path, { key: c.key, body });
    };
    const trial = await ask(`/v1/phones/${c.phone.id}/ai-agent/test`, { message: "oi" }, "Claro!");
    const summary = { summary: "- pão </think> e mais", keyTopics: [], openQuestions: [] };
    const short = await ask(
      "/v1/ai/summary",
      { messages: [{ from: "user", text: "Tem pão?" }] },
      JSON.stringify({ ...summary, summary: "- pão" }),
    );
    const choice = { category: "venda", confidence: 0.9, alternatives: [], rationale: "Quer." };
    const kind = await ask("/v1/ai/classify", { text: "pão", categories: ["venda", "outro"] }, JSON.stringify(choice));
    expect([trial.status, short.status, kind.status]).toEqual([200, 200, 200]);
    expect(trial.text + short.text + kind.text).not.toContain("irritado");
    // a document that was asked for is not cut where a customer wrote such a mark
    l.llm.next(JSON.stringify(summary));
    const quoted = await l.w.gateway("/v1/ai/summary", {
      key: c.key,
      body: { messages: [{ from: "user", text: "Tem pão </think>?" }] },
    });
    expect(quoted.body.summary).toBe(summary.summary);
  });

  test("of a list of parts the text is the answer; thoughts in fields of their own are none", async () => {
    const c = await newChat(l);
    const message = {
      role: "assistant",
      reasoning_content: "irritado",
      reasoning: "irritado",
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "irritado" }] },
        { type: "text", text: "Olá" },
      ],
    };
    l.llm.answer(() => ({ is: "raw", body: JSON.stringify({ choices: [{ index: 0, message }] }) }));
    await c.says("oi");
    expect(c.sent()).toEqual([`${TO}: Olá`]);
  });
});
