import { beforeEach, describe, expect, test } from "bun:test";
import { type LlmCall, REPLIES } from "../../../support/llm/index.ts";
import { giveKey, useLlm } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer } from "../../../support/world.ts";

const { w, llm } = useLlm();
let c: { id: string; key: string };
beforeEach(async () => {
  c = await w.account();
  await giveKey(w, c);
});

const SUMMARY = { summary: "- pão\n- café", keyTopics: ["pão"], openQuestions: ["A que horas?"] };
const CHOICE = {
  category: "venda",
  confidence: 0.9,
  alternatives: [{ category: "outro", confidence: 0.1 }],
  rationale: "Quer comprar.",
};
const USAGE = { promptTokens: expect.any(Number), completionTokens: expect.any(Number) };
const CHAT = [
  { from: "user", text: "Tem pão?" },
  { from: "assistant", text: "Tem!" },
];
const summarise = (more: object = {}): Promise<Answer> =>
  w.gateway("/v1/ai/summary", { key: c.key, body: { messages: CHAT, ...more } });
const classify = (more: object = {}): Promise<Answer> =>
  w.gateway("/v1/ai/classify", {
    key: c.key,
    body: { text: "Quero comprar pão", categories: ["venda", "outro"], ...more },
  });
const promptOf = (call: LlmCall | undefined): string => call?.body.messages[0].content;
const text = (length: number) => "x".repeat(length);
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const distinct = (count: number, length = 0) => Array.from({ length: count }, (_, n) => String(n).padEnd(length, "x"));

describe("POST /v1/ai/summary", () => {
  beforeEach(() => llm.answer(() => REPLIES.json(SUMMARY)));

  test("X-090 X-095 X-096 X-103 answers without an agent, by the default model, asked for with the account's key", async () => {
    const { status, body } = await summarise();
    expect([status, body]).toEqual([200, { ...SUMMARY, model: "gpt-4o-mini", usage: USAGE }]);
    const [call] = llm.journal;
    expect(call?.headers["authorization"]).toBe(`Bearer ${[...llm.keys][0]}`);
    expect(Object.keys(call?.body).sort()).toEqual(["messages", "model", "response_format", "stream"]);
    expect(call?.body.messages[1].content.split("\n").slice(1, -1).map(JSON.parse)).toEqual(CHAT);
  });

  test("X-093 X-094 asks for points in pt_BR unless the request says otherwise", async () => {
    await summarise();
    await summarise({ format: "paragraph", language: "en_US", model: "gpt-4o" });
    const [first, second] = llm.journal;
    expect([
      promptOf(first).includes("list of short points"),
      promptOf(first).includes('"pt_BR"'),
      promptOf(second).includes("one paragraph"),
      promptOf(second).includes('"en_US"'),
    ]).toEqual(times(4, true));
    expect(second?.body.model).toBe("gpt-4o");
  });

  test.each([
    ["X-091", { messages: undefined }, "messages"],
    ["X-091", { messages: [] }, "messages"],
    ["X-091", { messages: times(201, CHAT[0]) }, "messages"],
    ["X-092", { messages: [{ from: "x", text: "a" }] }, "messages"],
    ["X-092", { messages: [{ from: "user", text: "" }] }, "messages"],
    ["X-092", { messages: [{ from: "user", text: text(8001) }] }, "messages"],
    ["X-092", { messages: [{ from: "user" }] }, "messages"],
    [
      "X-092",
      {
        messages: [
          { from: "user", text: " \n\t " },
          { from: "assistant", text: "\u00a0" },
        ],
      },
      "messages",
    ],
    ["X-093", { format: "haiku" }, "format"],
    ["X-094", { language: "" }, "language"],
    ["X-095", { model: text(121) }, "model"],
  ])("%s refuses %j, and asks nobody", async (_, body, field) => {
    expect(fieldsOf(await summarise(body))).toEqual([field]);
    expect(llm.journal).toEqual([]);
  });

  test("X-092 what is blank among what was said is left out of the question", async () => {
    expect((await summarise({ messages: [{ from: "user", text: "  " }, ...CHAT] })).status).toBe(200);
    expect(llm.journal[0]?.body.messages[1].content.split("\n").slice(1, -1).map(JSON.parse)).toEqual(CHAT);
  });

  test("X-091 X-092 takes 200 messages of 8000 characters of any kind", async () => {
    const messages = times(200, { from: "user", text: "🙂".repeat(8000) });
    expect(gatewaySays(await summarise({ messages }))).toBe("200");
    const raw = JSON.stringify({ messages }).replaceAll("🙂", "\\ud83d\\ude42"); // as many clients escape it
    expect(gatewaySays(await w.gateway("/v1/ai/summary", { method: "POST", key: c.key, raw }))).toBe("200");
    expect(gatewaySays(await summarise({ messages: [{ from: "assistant", text: "a" }] }))).toBe("200");
  });
});

describe("POST /v1/ai/classify", () => {
  beforeEach(() => llm.answer(() => REPLIES.json(CHOICE)));

  test("X-100 X-101 GAP-X29 answers with one of the categories, how sure it is, the others and why", async () => {
    const { status, body } = await classify();
    expect([status, body]).toEqual([200, { ...CHOICE, model: "gpt-4o-mini", usage: USAGE }]);
    expect(gatewaySays(await classify({ language: "en_US" }))).toBe("200");
    expect(promptOf(llm.journal[1])).toContain('"en_US"');
  });

  test.each([
    ["X-097", { text: undefined }, "text"],
    ["X-097", { text: "" }, "text"],
    ["X-097", { text: " ".repeat(8000) }, "text"],
    ["X-097", { text: text(8001) }, "text"],
    ["X-098", { categories: ["one"] }, "categories"],
    ["X-098", { categories: distinct(21) }, "categories"],
    ["X-099", { categories: ["", "b"] }, "categories"],
    ["X-099", { categories: [text(61), "b"] }, "categories"],
    ["X-100", { language: 5 }, "language"],
  ])("%s refuses %j, and asks nobody", async (_, body, field) => {
    expect(fieldsOf(await classify(body))).toEqual([field]);
    expect(llm.journal).toEqual([]);
  });

  test("X-097 X-098 X-099 takes texts and categories up to their limits", async () => {
    const categories = distinct(20, 60);
    llm.answer(() => REPLIES.json({ ...CHOICE, category: categories[19], alternatives: [] }));
    expect((await classify({ text: text(8000), categories })).body.category).toBe(categories[19]);
    llm.answer(() => REPLIES.json({ ...CHOICE, category: "a", alternatives: [] }));
    expect((await classify({ text: "a", categories: ["a", "b"] })).body.category).toBe("a");
  });
});

describe("what the provider answers", () => {
  const BAD: [why: string, text: string][] = [
    ["words", "I think it is a sale."],
    ["half a document", JSON.stringify(CHOICE).slice(0, 40)],
    ["an array", "[]"],
    ["a category of its own", JSON.stringify({ ...CHOICE, category: "compra" })],
    ["an alternative of its own", JSON.stringify({ ...CHOICE, alternatives: [{ category: "compra", confidence: 0 }] })],
    ["too much confidence", JSON.stringify({ ...CHOICE, confidence: 90 })],
    ["confidence in words", JSON.stringify({ ...CHOICE, confidence: "high" })],
    ["no rationale", JSON.stringify({ ...CHOICE, rationale: undefined })],
    ["a document without end", JSON.stringify({ ...CHOICE, rationale: text(200_000) })],
  ];

  test.each(BAD)(
    "G-054 X-102 is given back once when it is %s, and is 502 AI_BAD_OUTPUT when it is so again",
    async (_, answer) => {
      llm.next(answer, answer);
      const { body, ...refused } = await classify();
      expect(gatewaySays({ body, ...refused })).toBe("502 AI_BAD_OUTPUT");
      expect(llm.journal.length).toBe(2);
      const repair = llm.journal[1]?.body.messages;
      expect(repair.length).toBe(4);
      expect(repair[2]).toEqual({ role: "assistant", content: answer.slice(0, 4000) });
    },
  );

  test.each(BAD)(
    "X-101 is repaired when the second answer is not %s: its tokens are those of both",
    async (_, answer) => {
      llm.next(answer, REPLIES.json(CHOICE));
      const { status, body } = await classify();
      expect([status, body.category, body.usage.completionTokens]).toEqual([
        200,
        "venda",
        Math.ceil(answer.length / 4) + Math.ceil(JSON.stringify(CHOICE).length / 4),
      ]);
    },
  );

  test("X-101 may stand in a block of Markdown, and what nobody asked for is left out", async () => {
    llm.next(`\`\`\`json\n${JSON.stringify({ ...CHOICE, secret: "x" }, null, 2)}\n\`\`\`\n`);
    expect((await classify()).body).toEqual({ ...CHOICE, model: "gpt-4o-mini", usage: USAGE });
  });

  test("X-102 is asked for in other ways of a provider that knows no schemas", async () => {
    llm.models.formats.clear();
    llm.answer(() => REPLIES.json(SUMMARY));
    expect((await summarise()).body.summary).toBe(SUMMARY.summary);
    expect(llm.journal.map(({ body }) => body.response_format?.type)).toEqual([
      "json_schema",
      "json_object",
      undefined,
    ]);
  });
});
