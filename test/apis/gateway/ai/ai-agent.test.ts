import { beforeEach, describe, expect, test } from "bun:test";
import { newCustomer, rowsOf, tracesOf } from "../../../support/customers/customer.ts";
import { giveAgent, giveKey, PROMPT, useLlmCustomer } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer } from "../../../support/world.ts";

const { w, llm, c } = useLlmCustomer();

const NOBODY = "00000000-0000-4000-8000-000000000000";
type Options = { body?: unknown; method?: string; key?: string };
const call = (path = "", options: Options = {}, phoneId = c.phone.id): Promise<Answer> =>
  w.gateway(`/v1/phones/${phoneId}/ai-agent${path}`, { key: c.key, ...options });
const put = (body: object) => call("", { method: "PUT", body: { systemPrompt: PROMPT, ...body } });
const post = (verb: string, body?: object) => call(`/${verb}`, { method: "POST", ...(body ? { body } : {}) });
const text = (length: number) => "x".repeat(length);
const agentRows = () => rowsOf(w, "SELECT * FROM agents WHERE channel_id = ?1", [c.phone.id]);

describe("the configuration", () => {
  test("X-001 X-002 X-013 PUT makes the agent, shows all of it, and replaces it: one agent, with its id", async () => {
    const made = await put({});
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      id: expect.any(String),
      phoneId: c.phone.id,
      systemPrompt: PROMPT,
      model: "gpt-4o-mini",
      enabled: false,
      handoffRules: { keywords: [], afterTurns: null },
      contextWindowTurns: 10,
      ragTopK: 4,
      conversationTtlDays: 30,
      greeting: null,
      respectHours: false,
      builtInTools: [],
      closedText: null,
      runTrialsOnChange: false,
      transcribesVoice: false,
      speaks: false,
      voice: null,
      sees: { images: false, documents: false },
      budget: { dailyTokensPerContact: 200_000, dailyTokens: 5_000_000 },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    w.clock.advance(1000);
    const all = {
      systemPrompt: text(20),
      model: "a-model-of-its-own",
      enabled: true,
      handoffRules: { keywords: ["humano", "pessoa"], afterTurns: 5 },
      contextWindowTurns: 3,
      ragTopK: 0,
      conversationTtlDays: 7,
      greeting: "Olá!",
      respectHours: true,
      closedText: "Estamos fechados.",
      runTrialsOnChange: true,
      transcribesVoice: true,
      speaks: true,
      voice: "coral",
      sees: { images: true, documents: true },
    };
    const replaced = await put(all);
    expect(replaced.body).toEqual({ ...made.body, ...all, updatedAt: new Date(w.clock.now()).toISOString() });
    expect((await call()).body).toEqual(replaced.body);
    expect((await agentRows()).length).toBe(1);
  });

  test("GAP-X10 what a second PUT leaves out returns to its default, and what GET shows can be put back", async () => {
    await put({ greeting: "Olá!", ragTopK: 9, enabled: true, handoffRules: { keywords: ["x"], afterTurns: 2 } });
    const { body } = await put({});
    expect(body).toMatchObject({
      enabled: false,
      greeting: null,
      ragTopK: 4,
      handoffRules: { keywords: [], afterTurns: null },
    });
    expect(gatewaySays(await call("", { method: "PUT", body }))).toBe("200");
    expect((await put({ greeting: "" })).body.greeting).toBeNull();
  });

  test("X-003 a first PUT needs a system prompt", async () => {
    expect(fieldsOf(await call("", { method: "PUT", body: {} }))).toEqual(["systemPrompt"]);
    expect(await agentRows()).toEqual([]);
  });

  test("X-004 the model is the account's default where none is named", async () => {
    await giveKey(w, c, { defaultModel: "the-account-model" });
    expect((await put({})).body.model).toBe("the-account-model");
  });

  test.each([
    ["X-003", "systemPrompt", { systemPrompt: text(19) }, { systemPrompt: text(20) }],
    ["X-003", "systemPrompt", { systemPrompt: text(20_001) }, { systemPrompt: text(20_000) }],
    ["X-004", "model", { model: text(121) }, { model: text(120) }],
    ["X-005", "enabled", { enabled: "true" }, { enabled: true }],
    [
      "X-006",
      "handoffRules",
      { handoffRules: { keywords: Array(21).fill("x") } },
      { handoffRules: { keywords: Array(20).fill("x") } },
    ],
    ["X-006", "handoffRules", { handoffRules: { keywords: [text(121)] } }, { handoffRules: { keywords: [text(120)] } }],
    ["X-006", "handoffRules", { handoffRules: { keywords: [""] } }, { handoffRules: {} }],
    ["X-007", "handoffRules", { handoffRules: { afterTurns: 1.5 } }, { handoffRules: { afterTurns: 1 } }],
    ["X-007", "handoffRules", { handoffRules: { afterTurns: 1001 } }, { handoffRules: { afterTurns: 1000 } }],
    ["X-008", "contextWindowTurns", { contextWindowTurns: 0 }, { contextWindowTurns: 1 }],
    ["X-008", "contextWindowTurns", { contextWindowTurns: 51 }, { contextWindowTurns: 50 }],
    ["X-009", "ragTopK", { ragTopK: -1 }, { ragTopK: 0 }],
    ["X-009", "ragTopK", { ragTopK: 21 }, { ragTopK: 20 }],
    ["X-011", "conversationTtlDays", { conversationTtlDays: 1.5 }, { conversationTtlDays: 1 }],
    ["X-011", "conversationTtlDays", { conversationTtlDays: 366 }, { conversationTtlDays: 365 }],
    ["X-012", "greeting", { greeting: text(4097) }, { greeting: text(4096) }],
  ])("%s %s has its limits: beyond them nothing is changed", async (_, field, beyond, within) => {
    await put({});
    const before = await agentRows();
    expect(fieldsOf(await put(beyond))).toEqual([field]);
    expect(await agentRows()).toEqual(before);
    const taken = await put(within);
    expect(gatewaySays(taken)).toBe("200");
    expect(taken.body).toMatchObject(within);
  });

  test("GAP-X10 a phone of any kind may have an agent", async () => {
    const { body: session } = await w.gateway("/v1/phones", {
      key: c.key,
      body: { type: "SESSION", label: "A session" },
    });
    expect(gatewaySays(await call("", { method: "PUT", body: { systemPrompt: PROMPT } }, session.id))).toBe("200");
  });
});

describe("enabling and disabling", () => {
  test("X-016 X-017 GAP-X11 answer with the agent, switched, and are idempotent", async () => {
    const made = (await put({})).body;
    w.clock.advance(1000);
    const enabled = await post("enable");
    expect([enabled.status, enabled.body]).toEqual([
      200,
      { ...made, enabled: true, updatedAt: new Date(w.clock.now()).toISOString() },
    ]);
    w.clock.advance(1000);
    expect((await post("enable")).body).toEqual(enabled.body);
    const disabled = await post("disable");
    expect([disabled.status, disabled.body.enabled]).toEqual([200, false]);
    expect((await call()).body.enabled).toBe(false);
  });

  test("GAP-X13 since when an agent is disabled is kept until it is enabled, however often it is put again", async () => {
    const since = async () => (await agentRows())[0]?.["disabled_at"];
    await put({});
    expect(await since()).toBeNull();
    await put({ enabled: true });
    await put({ enabled: false });
    const at = w.clock.now();
    w.clock.advance(1000);
    await put({ enabled: false });
    await post("disable");
    expect(await since()).toBe(at);
    await post("enable");
    expect(await since()).toBeNull();
  });
});

describe("what is not there", () => {
  const ROUTES: [method: string, path: string, body: object | undefined][] = [
    ["GET", "", undefined],
    ["DELETE", "", undefined],
    ["POST", "/enable", undefined],
    ["POST", "/disable", undefined],
    ["POST", "/test", { message: "olá" }],
  ];

  test.each(ROUTES)(
    "X-014 X-018 a phone without agent: %s …/ai-agent%s is 404 AGENT_NOT_FOUND",
    async (method, path, body) => {
      await giveKey(w, c);
      const before = await tracesOf(w, c);
      expect(gatewaySays(await call(path, { method, body }))).toBe("404 AGENT_NOT_FOUND");
      expect([await tracesOf(w, c), llm.journal]).toEqual([before, []]);
    },
  );

  test.each<[string, string, object | undefined]>([["PUT", "", { systemPrompt: PROMPT }], ...ROUTES])(
    "X-026 an unknown phone and another's: %s …/ai-agent%s is 404 PHONE_NOT_FOUND",
    async (method, path, body) => {
      const other = await newCustomer(w);
      await giveAgent(w, other);
      for (const phoneId of [NOBODY, "no-uuid", other.phone.id])
        expect(gatewaySays(await call(path, { method, body }, phoneId))).toBe("404 PHONE_NOT_FOUND");
      expect((await call("", { key: other.key }, other.phone.id)).body).toMatchObject({
        enabled: true,
        systemPrompt: PROMPT,
      });
      expect(llm.journal).toEqual([]);
    },
  );
});

describe("trying the agent", () => {
  beforeEach(() => giveKey(w, c));

  test("X-021 X-025 answers with the reply, the model and its tokens, asked for with the account's key", async () => {
    await put({ model: "gpt-4o" });
    llm.next("Bom dia!");
    const { status, body } = await post("test", { message: "Vocês abrem hoje?" });
    expect([status, body]).toEqual([
      200,
      { reply: "Bom dia!", model: "gpt-4o", usage: { promptTokens: expect.any(Number), completionTokens: 2 } },
    ]);
    expect(body.usage.promptTokens).toBeGreaterThan(0);
    expect(
      llm.journal.map(({ path, headers: { authorization }, body: asked }) => [path, authorization, asked]),
    ).toEqual([
      [
        "/v1/chat/completions",
        `Bearer ${[...llm.keys][0]}`,
        {
          model: "gpt-4o",
          messages: [
            { role: "system", content: PROMPT },
            { role: "user", content: "Vocês abrem hoje?" },
          ],
          stream: false,
        },
      ],
    ]);
  });

  test("X-024 systemPromptOverride is for that call alone, and a disabled agent can be tried too", async () => {
    await put({});
    await post("test", { message: "olá", systemPromptOverride: "Answer in rhymes." });
    await post("test", { message: "olá" });
    expect(llm.chats().map(({ body }) => body.messages[0].content)).toEqual(["Answer in rhymes.", PROMPT]);
    expect((await call()).body.systemPrompt).toBe(PROMPT);
  });

  test("X-022 X-023 nothing is looked up, and no conversation, message or event is left behind", async () => {
    await put({ enabled: true, ragTopK: 20, greeting: "Olá!" });
    const before = await tracesOf(w, c);
    await post("test", { message: "humano" });
    expect(llm.embeddings()).toEqual([]);
    expect(await tracesOf(w, c)).toEqual(before);
    expect(await rowsOf(w, "SELECT id FROM ai_conversations WHERE channel_id = ?1", [c.phone.id])).toEqual([]);
  });

  test.each([
    ["X-019", "message", {}],
    ["X-019", "message", { message: "" }],
    ["X-019", "message", { message: " \n " }],
    ["X-019", "message", { message: text(4001) }],
    ["X-020", "systemPromptOverride", { message: "olá", systemPromptOverride: text(20_001) }],
  ])("%s %s has its limits: beyond them nobody is asked", async (_, field, body) => {
    await put({});
    expect(fieldsOf(await post("test", body))).toEqual([field]);
    expect(llm.journal).toEqual([]);
  });

  test("X-019 X-020 takes texts up to their limits, in characters", async () => {
    await put({});
    expect(gatewaySays(await post("test", { message: "🙂".repeat(4000), systemPromptOverride: text(20_000) }))).toBe(
      "200",
    );
  });
});
