import { describe, expect, test } from "bun:test";
import type { Chat } from "../../../../support/customers/agents/ai-chat.ts";
import { useToolWorld } from "../../../../support/customers/agents/tool-chat.ts";
import { REPLIES } from "../../../../support/llm/index.ts";

const s = useToolWorld();
const MESSAGE = "Onde está o pedido A-7?";

/** What a test of an agent asks of the model, and what came of it. */
const outcome = () => ({
  asked: s.llm.chats().map(({ body }) => body.tools),
  tools: s.llm.chats().map(({ body }) => /tools?\b.*/i.exec(body.messages[0].content)?.[0]),
  called: s.server.calls.length,
});
/** The frame of a prompt without tools, in the words of the prompt. */
const NONE = "tools and know nothing of other people. Write nothing but the text of your answer.";

const single = (withKnowledge: boolean) => (c: Chat) =>
  s.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body: { message: MESSAGE, withKnowledge } });
const run = async (c: Chat): Promise<void> => {
  const path = `/v1/phones/${c.phone.id}/ai-agent/trials`;
  const questions = [{ text: MESSAGE, facts: ["a caminho"] }];
  await s.w.gateway(path, { key: c.key, method: "PUT", body: { questions } });
  await s.w.gateway(`${path}/runs`, { key: c.key, method: "POST" });
  await s.w.settle();
};

describe("an agent with tools is tried without them", () => {
  test.each([
    ["a test message", single(false), undefined],
    ["a test message with knowledge", single(true), NONE],
    ["a run of questions", run, NONE],
  ])("%s: the model is offered none, and a call that it makes up reaches nobody", async (_, ask, tools) => {
    const c = await s.chat({}, { builtInTools: ["hand_over", "set_tag"] });
    s.llm.next(REPLIES.calls(["order_status", { order: "A-7" }]));
    await ask(c);
    expect(outcome()).toEqual({ asked: [undefined], tools: [tools], called: 0 });
    expect((await s.w.gateway("/v1/contacts", { key: c.key })).body.items).toEqual([]);
  });
});
