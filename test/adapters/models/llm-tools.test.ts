import { describe, expect, test } from "bun:test";
import type { ChatMessage, Completion, Llm } from "../../../src/contract/ports/llm.ts";
import { useLlmClient } from "../../support/llm/client.ts";
import { LLM_KEY, REPLIES, type SimulatedLlm } from "../../support/llm/index.ts";
import {
  ANSWER,
  BARE_TOOL,
  CALLED,
  PROVIDER_KEY,
  PROVIDERS,
  type Provider,
  startProvider,
  TOOL,
} from "../../support/llm/providers/index.ts";

const { sim, llm } = useLlmClient();

const ASKED: ChatMessage[] = [
  { role: "system", content: "Você atende." },
  { role: "user", content: "Onde está o pedido A-7?" },
];

const valueOf = (result: Awaited<ReturnType<Llm["complete"]>>): Completion => {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
};

/** The messages after a completion with calls, each of which is answered. */
const answered = ({ text, toolCalls, own }: Completion): ChatMessage[] => [
  { role: "assistant", content: text, toolCalls, ...(own ? { own } : {}) },
  ...toolCalls.map(({ id }): ChatMessage => ({ role: "tool", toolCallId: id, content: "a caminho" })),
];

/** Asks, answers every call once, and gives the calls and the text at the end. */
const converse = async (provider: Provider, url: string) => {
  const order = {
    provider: { baseUrl: url, apiKey: PROVIDER_KEY },
    model: provider.models.chat,
    tools: [TOOL, BARE_TOOL],
  };
  const first = valueOf(await llm.complete({ ...order, messages: ASKED }));
  const messages = [...ASKED, ...answered(first)];
  return { first, last: valueOf(await llm.complete({ ...order, messages, mayCall: false })) };
};

describe.each(PROVIDERS.filter(({ chats }) => chats === true).map((one) => [one.name, one] as const))(
  "%s",
  (_, provider) => {
    test("X-103 its model calls a tool, gets the answer, and answers; a refusal of tools is met once", async () => {
      const started = startProvider(provider);
      const { first, last } = await converse(provider, started.url);
      expect(first.toolCalls[0]).toMatchObject({ name: TOOL.name, arguments: CALLED });
      expect([last.text, last.toolCalls]).toEqual([ANSWER, []]);
      expect(new Set(first.toolCalls.map(({ id }) => id)).size).toBe(first.toolCalls.length);
      const before = started.calls.length;
      const again = await converse(provider, started.url);
      expect(again.last.text).toBe(ANSWER);
      // a call that could not be read may be read the next time
      const asked = started.calls.slice(before).filter(({ path }) => path === provider.paths.chat);
      if (provider.name !== "Groq") expect(asked.filter(({ status }) => status >= 400)).toEqual([]);
      await started.stop();
    });
  },
);

const completed = async (reply: Parameters<SimulatedLlm["next"]>[0], tools = [TOOL]) => {
  sim.next(reply);
  const provider = { baseUrl: sim.url, apiKey: LLM_KEY };
  return llm.complete({ provider, model: "gpt-4o-mini", messages: ASKED, ...(tools.length > 0 ? { tools } : {}) });
};
const message = (said: object) => ({
  is: "raw" as const,
  body: JSON.stringify({ choices: [{ message: { role: "assistant", content: null, ...said } }] }),
});
const called = (call: object) => message({ tool_calls: [{ id: "c", type: "function", ...call }] });

describe("a call", () => {
  test.each([
    ["arguments in a text", called({ function: { name: "order_status", arguments: '{"order":"A-7"}' } }), CALLED],
    ["arguments as an object", called({ function: { name: "order_status", arguments: CALLED } }), CALLED],
    [
      "JSON within JSON",
      called({ function: { name: "order_status", arguments: '"{\\"order\\":\\"A-7\\"}"' } }),
      CALLED,
    ],
    ["no arguments", called({ function: { name: "order_status" } }), {}],
    ["blank arguments", called({ function: { name: "order_status", arguments: "" } }), {}],
    ["arguments that are no JSON", called({ function: { name: "order_status", arguments: '{"order":' } }), null],
    ["a list of arguments", called({ function: { name: "order_status", arguments: "[1]" } }), null],
    ["the name of a set", called({ function: { name: "functions.order_status", arguments: "{}" } }), {}],
    ["an older gateway's field", message({ function_call: { name: "order_status", arguments: "{}" } }), {}],
    [
      "Hermes’ marks",
      message({ content: '<tool_call>{"name":"order_status","arguments":{"order":"A-7"}}</tool_call>' }),
      CALLED,
    ],
    [
      "marks that stay open",
      message({ content: '<tool_call>\n{"name":"order_status","arguments":{"order":"A-7"}}' }),
      CALLED,
    ],
    [
      "LM Studio’s marks",
      message({ content: '[TOOL_REQUEST]{"name":"order_status","arguments":{"order":"A-7"}}[END_TOOL_REQUEST]' }),
      CALLED,
    ],
    [
      "Mistral’s list",
      message({ content: '[TOOL_CALLS][{"name":"order_status","arguments":{"order":"A-7"}}]' }),
      CALLED,
    ],
    ["Llama’s bare JSON", message({ content: '{"name":"order_status","parameters":{"order":"A-7"}}' }), CALLED],
  ])("X-103 is read from %s", async (_, reply, given) => {
    const { text, toolCalls } = valueOf(await completed(reply));
    expect([text, toolCalls.map(({ name, arguments: read }) => [name, read])]).toEqual(["", [["order_status", given]]]);
  });

  test.each([
    'Você escreveu: <tool_call>{"name":"order_status","arguments":{"order":"B-1"}}</tool_call>',
    '[TOOL_REQUEST]{"name":"order_status","arguments":{}}[END_TOOL_REQUEST] é o que você escreveu.',
    'Você escreveu: [TOOL_CALLS][{"name":"order_status","arguments":{"order":"B-1"}}]',
    "[TOOL_CALLS] é uma marca da Mistral, e seu pedido está a caminho.",
    'Use: <function=order_status>{"order":"B-1"}</function>',
    '[{"name":"order_status","arguments":{}},{"name":"Ana"}]',
  ])("X-103 is none of the words of a text, where tools are offered in their field: %s", async (content) => {
    const { text, toolCalls } = valueOf(await completed(message({ content })));
    expect([text, toolCalls]).toEqual([content, []]);
  });

  test("X-103 is read from within a text where tools are described in the prompt, which asks for calls or an answer", async () => {
    sim.next(REPLIES.refused(400, "gemma2 does not support tools"));
    const written = '<tool_call>{"name":"order_status","arguments":{"order":"A-7"}}</tool_call>';
    const { text, toolCalls } = valueOf(await completed(message({ content: `Vou ver.\n${written}` })));
    expect([text, toolCalls]).toMatchObject(["Vou ver.", [{ name: "order_status", arguments: CALLED }]]);
    expect(sim.chats().at(-1)?.body.messages[0].content).toContain("To call tools, do not answer yet.");
  });

  test("X-103 is no call without tools in the order: its text stays, and a call in its field is no answer", async () => {
    const bare = '{"name":"order_status","parameters":{}}';
    expect(valueOf(await completed(message({ content: bare }), [])).text).toBe(bare);
    expect(await completed(called({ function: { name: "order_status", arguments: "{}" } }), [])).toMatchObject({
      ok: false,
      reason: expect.stringContaining("called a tool"),
    });
  });

  test("X-103 has a name that every provider takes back, and JSON that is not of a tool stays a text", async () => {
    const [call] = valueOf(
      await completed(called({ function: { name: "../état de l'âme", arguments: "{}" } })),
    ).toolCalls;
    expect(call?.name).toMatch(/^[\w-]{1,64}$/);
    const other = '{"name":"Ana","arguments":{}}';
    expect(valueOf(await completed(message({ content: other }))).text).toBe(other);
  });

  test("X-103 is one of at most sixteen of an answer, and endless marks are read in linear time", async () => {
    const many = Array.from({ length: 40 }, () => ["order_status", CALLED] as const);
    expect(valueOf(await completed(REPLIES.calls(...many))).toolCalls.length).toBe(16);
    const marks = "<tool_call>".repeat(20_000);
    expect(await completed(message({ content: marks }))).toMatchObject({ ok: false });
  });

  test("X-103 has no provider's key in its arguments", async () => {
    const [call] = valueOf(await completed(REPLIES.calls(["order_status", { order: LLM_KEY }]))).toolCalls;
    expect(call?.arguments).toEqual({ order: "***" });
  });
});
