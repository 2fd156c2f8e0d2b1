import { describe, expect, test } from "bun:test";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { createLlm } from "../../../src/adapters/models/llm.ts";
import type { Llm } from "../../../src/contract/ports/llm.ts";
import { useLlmClient } from "../../support/llm/client.ts";
import { LLM_KEY, REPLIES, vectorOf } from "../../support/llm/index.ts";
import { passingClock } from "../../support/llm/passing-clock.ts";
import { hanging, redirecting, saying } from "../../support/servers/hostile.ts";
import { fill } from "../../support/use-world.ts";

const { sim, http, clock, llm } = useLlmClient();

const provider = () => ({ baseUrl: sim.url, apiKey: LLM_KEY });
const ORDER = { model: "gpt-4o-mini", messages: [{ role: "user" as const, content: "olá" }] };
const complete = (more: Partial<Parameters<Llm["complete"]>[0]> = {}) =>
  llm.complete({ provider: provider(), ...ORDER, ...more });
const SCHEMA = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const JSON_FORM = { name: "thing", schema: SCHEMA };
const answersOf = (...texts: string[]) =>
  expect.objectContaining({ value: expect.objectContaining({ text: texts[0] }) });

/** Resolves when somebody waits by the clock. */
const untilWaiting = async () => {
  for (let turn = 0; clock.pendingTimers === 0; turn++) {
    if (turn > 100_000) throw new Error("nobody waits");
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** A provider that answers 200 with this body, in one piece. */
const answering = (body: string) =>
  saying(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const choice = (more: string) => `{"choices":[{"message":{"content":"olá"}}],"x":${more}}`.replace("olá", "ola");

describe("an answer that would stand the loop still", () => {
  test.each([
    ["open brackets", "[".repeat(100_000)],
    ["depth", choice("[".repeat(65) + "]".repeat(65))],
    ["many names", choice(`{${Array.from({ length: 20_001 }, (_, n) => `"${n}":1`).join()}}`)],
    ["many values", choice(`[${Array(20_002).fill("1").join()}]`)],
    ["more than 256 KiB", choice(`"${"x".repeat(256 * 1024)}"`)],
  ])("of %s is no answer, and is not asked for again", async (_, body) => {
    await using endpoint = await answering(body);
    const result = await llm.complete({ provider: { ...provider(), baseUrl: endpoint.url }, ...ORDER });
    expect(result).toEqual({ ok: false, kind: "unavailable", reason: "The provider's answer cannot be read." });
    expect(endpoint.requests.length).toBe(1);
  });

  test("is none of vectors for as many texts as are asked for at once, of 1536 numbers or of 4096", async () => {
    for (const [model, dimensions] of [
      ["text-embedding-3-small", 1536],
      ["another", 4096],
    ] as const) {
      const texts = Array.from({ length: 64 }, (_, n) => `text ${n}`);
      const vector = `[${Array(dimensions).fill("-0.0123456789012345").join()}]`;
      await using endpoint = await answering(
        `{"data":[${texts.map((_, index) => `{"index":${index},"embedding":${vector}}`).join()}]}`,
      );
      const result = await llm.embed({ provider: { ...provider(), baseUrl: endpoint.url }, model, texts });
      expect([model, result.ok && result.value.vectors.length]).toEqual([model, 64]);
    }
  });
});

describe("a completion", () => {
  test("X-103 asks with the account's key, sends what it was given and nothing of this process, and returns text, model and tokens", async () => {
    const result = await complete();
    expect(result).toMatchObject({ ok: true, value: { text: "You said: olá", model: "gpt-4o-mini" } });
    expect(result.ok && result.value.usage.promptTokens > 0 && result.value.usage.completionTokens > 0).toBe(true);
    expect(sim.journal.map(({ body }) => body)).toEqual([{ ...ORDER, stream: false }]);
    const {
      "content-length": _length,
      host: _host,
      connection: _connection,
      ...headers
    } = sim.journal[0]?.headers ?? {};
    expect(headers).toEqual({
      authorization: `Bearer ${LLM_KEY}`,
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": "recado",
    });
  });

  test("is what the model said though it was cut off, and counts nothing where the provider does not", async () => {
    sim.next(REPLIES.cut("half of"), {
      is: "raw",
      body: JSON.stringify({ choices: [{ message: { content: "bare" } }] }),
    });
    expect(await complete()).toMatchObject({ value: { text: "half of", isCut: true } });
    expect(await complete()).toEqual({
      ok: true,
      value: {
        text: "bare",
        model: "gpt-4o-mini",
        usage: { promptTokens: 0, completionTokens: 0 },
        isCut: false,
        toolCalls: [],
      },
    });
  });

  test.each([
    ["no choices", REPLIES.noChoices(), "unavailable"],
    ["no JSON", REPLIES.garbage(), "unavailable"],
    [
      "no JSON, and says so",
      { is: "raw" as const, body: "<html>Bad gateway</html>", contentType: "text/html" },
      "unavailable",
    ],
    ["an empty text", { is: "text" as const, text: " " }, "unavailable"],
    ["null", { is: "raw" as const, body: "null" }, "unavailable"],
    ["a withheld answer", REPLIES.withheld(), "refused"],
    ["a model that declines", REPLIES.declined("I cannot help with that."), "refused"],
  ])("fails once, with a reason, for an answer with %s", async (_, reply, kind) => {
    sim.next(reply);
    const result = await complete();
    expect(result).toMatchObject({ ok: false, kind });
    expect(!result.ok && result.reason.length > 0).toBe(true);
    expect(sim.journal.length).toBe(1);
  });
});

describe("what a provider refuses", () => {
  test("is reported in its own words, once, without the key, in one line of at most 300 characters", async () => {
    const result = await complete({ provider: { baseUrl: sim.url, apiKey: "sk-wrong-key" } });
    expect(result).toEqual({ ok: false, kind: "refused", status: 401, reason: "Incorrect API key provided: ***." });
    sim.next(REPLIES.refused(400, `bad ${LLM_KEY}\n\0 ${"long ".repeat(200)}`));
    const long = await complete();
    expect(!long.ok && [long.reason.startsWith("bad *** long"), [...long.reason].length]).toEqual([
      true,
      300 - LLM_KEY.length + 3,
    ]);
    expect(await complete({ model: "gpt-0" })).toMatchObject({ kind: "refused", status: 404 });
    expect(sim.journal.length).toBe(3);
  });

  test("X-103 the key is nowhere in what comes of an answer that repeats it", async () => {
    sim.next(
      { is: "text", text: `It is ${LLM_KEY}.`, model: LLM_KEY },
      REPLIES.declined(`not for ${LLM_KEY}`),
      REPLIES.refused(400, LLM_KEY),
    );
    expect(await complete()).toMatchObject({ value: { text: "It is ***.", model: "***" } });
    expect(await complete()).toMatchObject({ reason: "The model declined: not for ***" });
    expect(await complete()).toMatchObject({ reason: "***" });
  });

  test("X-103 the key is in nothing that is escaped, comes in pieces, or is cut within it", async () => {
    const escaped = LLM_KEY.split("")
      .map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
    const pieces = [LLM_KEY.slice(0, 9), LLM_KEY.slice(9)].map(
      (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
    );
    sim.next(
      { is: "raw", body: `{"choices":[{"message":{"content":"It is ${escaped}."}}]}` },
      { is: "raw", body: `${pieces.join("")}data: [DONE]\n\n` },
      REPLIES.refused(400, `${"x".repeat(290)}${LLM_KEY}`),
      REPLIES.declined(`${"x".repeat(270)}${LLM_KEY}`),
    );
    expect(await complete()).toMatchObject({ value: { text: "It is ***." } });
    expect(await complete()).toMatchObject({ value: { text: "***" } });
    expect(await complete()).toMatchObject({ reason: `${"x".repeat(290)}***` });
    expect(JSON.stringify(await complete())).not.toContain(LLM_KEY.slice(0, 4));
  });

  test("for want of credit is not asked again, though its status is that of a provider which is busy", async () => {
    sim.answer(() => REPLIES.noCredit());
    expect(await complete()).toMatchObject({ ok: false, kind: "refused", status: 429 });
    expect(sim.journal.length).toBe(1);
  });
});

describe("a provider in trouble", () => {
  test.each([
    ["busy", REPLIES.busy()],
    ["broken", REPLIES.broken()],
    ["overloaded", REPLIES.broken({ status: 503 })],
    ["gone", REPLIES.dropped()],
  ])("that is %s for a moment is asked again, at most twice", async (_, reply) => {
    sim.next(reply, reply);
    expect(await complete()).toEqual(answersOf("You said: olá"));
    expect(sim.journal.length).toBe(3);
    sim.answer(() => reply);
    expect(await complete()).toMatchObject({ ok: false });
    expect(sim.journal.length).toBe(6);
  });

  test("is given the time that it asks for, by our clock", async () => {
    sim.next(REPLIES.busy({ retryAfter: "7" }));
    const result = complete();
    await untilWaiting();
    clock.advance(6999);
    expect([sim.journal.length, clock.pendingTimers]).toEqual([1, 1]);
    clock.advance(1);
    expect(await result).toEqual(answersOf("You said: olá"));
  });

  test.each([
    ["asks for none", REPLIES.broken({ retryAfter: null })],
    ["asks for 0 seconds", REPLIES.busy({ retryAfter: "0" })],
    ["breaks the connection", REPLIES.dropped()],
  ])("is given half a second, then one, where it %s", async (_, reply) => {
    fill(llm, createLlm(http, clock));
    sim.next(reply, reply);
    const result = complete();
    for (const pauseMs of [500, 1000]) {
      await untilWaiting();
      clock.advance(pauseMs);
    }
    expect(await result).toEqual(answersOf("You said: olá"));
  });

  test("that asks for more time than the order has is left, and when it may be asked again is reported", async () => {
    sim.next(
      REPLIES.busy({ retryAfter: "31" }),
      REPLIES.busy({ retryAfter: new Date(clock.now() + 60_000).toUTCString() }),
    );
    expect(await complete()).toMatchObject({ ok: false, kind: "busy", retryAfterMs: 31_000, status: 429 });
    expect(await complete()).toMatchObject({ ok: false, kind: "busy", retryAfterMs: 60_000 });
    expect(sim.journal.length).toBe(2);
  });

  test.each(["9".repeat(400), "Wed, 21 Oct 9999 07:28:00 GMT"])(
    "that asks for more than a day is reported as asking for one",
    async (retryAfter) => {
      sim.next(REPLIES.busy({ retryAfter }));
      expect(await complete()).toMatchObject({ ok: false, retryAfterMs: 24 * 60 * 60_000 });
    },
  );

  test("that never answers costs the order's time and no more", async () => {
    const silent = await hanging();
    const impatient = createLlm(
      { guarded: (request) => http.guarded({ ...request, timeoutMs: (request.timeoutMs ?? 0) / 100 }) },
      passingClock(clock),
    );
    expect(await impatient.complete({ provider: { baseUrl: silent.url, apiKey: LLM_KEY }, ...ORDER })).toMatchObject({
      ok: false,
      kind: "unavailable",
    });
    expect(silent.requests.length).toBe(3); // only the pauses passed by the clock, so that there was time for three
    await silent[Symbol.asyncDispose]();
  });

  test("is never read beyond 4 MiB", async () => {
    sim.next({ is: "text", text: "x".repeat(5 * 1024 * 1024) });
    expect(await complete()).toMatchObject({ ok: false, kind: "unavailable" });
    expect(sim.journal.length).toBe(1);
  });
});

describe("where a provider is", () => {
  test("X-103 decides the guard, at every request: neither a private address nor where a redirect points is asked", async () => {
    const guarded = createHttp({ allow: [], extraCa: undefined });
    expect(await createLlm(guarded, clock).complete({ provider: provider(), ...ORDER })).toMatchObject({
      ok: false,
      kind: "refused",
    });
    guarded.close();
    await using elsewhere = await redirecting(`${sim.url}/chat/completions`);
    expect(await complete({ provider: { baseUrl: elsewhere.url, apiKey: LLM_KEY } })).toMatchObject({
      ok: false,
      kind: "refused",
      status: 302,
    });
    expect(sim.journal).toEqual([]);
  });

  test("nothing is there: the order fails, and says so", async () => {
    await using endpoint = await saying("not HTTP at all", { thenHangUp: true });
    expect(await complete({ provider: { baseUrl: endpoint.url, apiKey: LLM_KEY } })).toMatchObject({
      ok: false,
      kind: "unavailable",
    });
  });
});

describe("a JSON document", () => {
  const formats = () => sim.journal.map(({ body }) => body.response_format?.type);

  test("is asked for by its schema, strictly", async () => {
    sim.next(REPLIES.json({ a: "b" }));
    expect(await complete({ json: JSON_FORM })).toEqual(answersOf('{"a":"b"}'));
    expect(sim.journal[0]?.body).toEqual({
      ...ORDER,
      stream: false,
      response_format: { type: "json_schema", json_schema: { name: "thing", strict: true, schema: SCHEMA } },
    });
  });

  test("is asked for as an object, then in words alone, of a provider that does not know how", async () => {
    sim.models.formats.delete("json_schema");
    await complete({ json: JSON_FORM });
    sim.models.formats.clear();
    await complete({ json: JSON_FORM });
    expect(formats()).toEqual(["json_schema", "json_object", "json_schema", "json_object", undefined]);
    expect(sim.journal.at(-1)?.body.messages[0].content).toContain(JSON.stringify(SCHEMA));
    expect(sim.journal.at(-1)?.body.messages.slice(1)).toEqual(ORDER.messages);
  });

  test("is not asked for in another way when the provider refuses for another reason", async () => {
    expect(await complete({ json: JSON_FORM, model: "gpt-0" })).toMatchObject({ kind: "refused", status: 404 });
    expect(formats()).toEqual(["json_schema"]);
  });
});

describe("embeddings", () => {
  const embed = (texts: string[], model = "text-embedding-3-small") =>
    llm.embed({ provider: provider(), model, texts });
  const rounded = (vector: Float32Array | undefined) => [...(vector ?? [])].map((value) => value.toFixed(5));

  test("X-045 are one vector per text in their order, of 1536 dimensions of models that can be asked for them", async () => {
    const result = await embed(["um dois", "três"], "text-embedding-3-large");
    expect(sim.embeddings()[0]?.body).toMatchObject({ input: ["um dois", "três"], dimensions: 1536 });
    if (!result.ok) throw new Error(result.reason);
    expect(result.value.vectors.map((vector) => vector.length)).toEqual([1536, 1536]);
    expect(rounded(result.value.vectors[1])).toEqual(rounded(vectorOf("três", 1536)));
    expect(result.value.promptTokens).toBeGreaterThan(0);
  });

  test("of other models are as long as they are", async () => {
    sim.dimensions.fallback = 768;
    const result = await embed(["um"], "text-embedding-ada-002");
    expect(sim.embeddings()[0]?.body.dimensions).toBeUndefined();
    expect(result.ok && result.value.vectors[0]?.length).toBe(768);
  });

  test("may come as numbers, and in another order", async () => {
    const data = [1, 0].map((index) => ({ index, embedding: [index, 0.5] }));
    sim.next({ is: "raw", body: JSON.stringify({ data }) });
    const result = await embed(["zero", "um"]);
    expect(result.ok && result.value.vectors.map(([first]) => first)).toEqual([0, 1]);
  });

  test.each([
    ["too few", { data: [{ index: 0, embedding: [1] }] }],
    ["one that is none", { data: [0, 1].map((index) => ({ index, embedding: index === 0 ? [1] : ["x"] })) }],
    ["one beyond what a vector holds", { data: [0, 1].map((index) => ({ index, embedding: [1e300] })) }],
    ["an empty one", { data: [0, 1].map((index) => ({ index, embedding: [] })) }],
    ["no data", {}],
    ["data of another kind", { data: "many" }],
  ])("fail for an answer with %s", async (_, body) => {
    sim.next({ is: "raw", body: JSON.stringify(body) });
    expect(await embed(["um", "dois"])).toMatchObject({ ok: false, kind: "unavailable" });
  });
});

describe("what a provider has refused", () => {
  const embed = (texts: string[], model = "text-embedding-3-small") =>
    llm.embed({ provider: { baseUrl: sim.url, apiKey: LLM_KEY }, model, texts });
  const texts = Array.from({ length: 50 }, (_, n) => `texto ${n}`);
  const inputs = () => sim.embeddings().map(({ body }) => body.input.length);

  test("as a role of the system stands before the first message, from then on without asking", async () => {
    const SYSTEM = [{ role: "system" as const, content: "Seja breve." }, ...ORDER.messages];
    sim.answer(({ body }) =>
      body.messages[0].role === "system"
        ? { is: "status", status: 500, body: '{"error":{"code":500,"message":"System role not supported"}}' }
        : undefined,
    );
    expect(await complete({ messages: SYSTEM })).toEqual(answersOf("You said: olá"));
    expect(await complete({ messages: SYSTEM })).toEqual(answersOf("You said: olá"));
    expect(sim.journal.map(({ body }) => body.messages)).toEqual([
      SYSTEM,
      [{ role: "user", content: "Seja breve.\n\nolá" }],
      [{ role: "user", content: "Seja breve.\n\nolá" }],
    ]);
  });

  test("as too many texts at once is halved until it is taken, from then on without asking; the order is kept", async () => {
    sim.answer(({ body }) =>
      body.input.length > 20 ? REPLIES.refused(422, "batch size 50 > maximum allowed batch size 20") : undefined,
    );
    const result = await embed(texts);
    expect(result.ok && result.value.vectors).toEqual(texts.map((text) => vectorOf(text, 1536)));
    await embed(texts);
    expect(inputs()).toEqual([50, 25, 13, 13, 13, 11, 13, 13, 13, 11]);
  });

  test("as too many texts inside a good answer, without any status, is halved too", async () => {
    sim.next({ is: "raw", body: JSON.stringify({ error: "batch size 50 > maximum allowed batch size 32" }) });
    expect(await embed(texts)).toMatchObject({ ok: true });
    expect(inputs()).toEqual([50, 25, 25]);
  });

  test("as one text alone fails, after as few requests as halving takes", async () => {
    sim.answer(() => REPLIES.refused(400, "No."));
    expect(await embed(texts)).toEqual({ ok: false, kind: "refused", status: 400, reason: "No." });
    expect(inputs()).toEqual([50, 25, 13, 7, 4, 2, 1]);
  });

  test.each([
    ["a wrong key", () => sim.keys.clear()],
    ["too many requests", () => sim.answer(() => REPLIES.busy())],
  ])("for %s is not halved", async (_form, fails) => {
    fails();
    expect(await embed(texts)).toMatchObject({ ok: false });
    expect(new Set(inputs())).toEqual(new Set([50]));
  });

  test("X-045 as a number of dimensions is not asked for again", async () => {
    sim.answer(({ body }) =>
      body.dimensions === undefined ? undefined : REPLIES.refused(500, "Setting dimensions is not supported"),
    );
    expect((await embed(["um"])).ok && (await embed(["um"])).ok).toBe(true);
    expect(sim.embeddings().map(({ body }) => body.dimensions)).toEqual([1536, undefined, undefined]);
  });
});

describe("X-045 vectors that are longer than a knowledge base's", () => {
  const embed = (model = "text-embedding-ada-002") => llm.embed({ provider: provider(), model, texts: ["um"] });
  /** Asks a model whose vectors have 3072 numbers, and that takes a number of dimensions. */
  const embedLong = () => {
    sim.dimensions.fallback = 3072;
    sim.models.embedding.add("another");
    return embed("another");
  };

  test("are as long as they are where the model makes no others", async () => {
    sim.dimensions.fallback = 3072;
    for (const _ of [1, 2]) {
      const result = await embed();
      expect(result.ok && result.value.vectors[0]?.length).toBe(3072);
    }
    expect(sim.embeddings().map(({ body }) => body.dimensions)).toEqual([undefined, 1536, undefined]);
  });

  test.each([
    ["no credit", REPLIES.noCredit()],
    ["a key that is refused", REPLIES.refused(401, "Incorrect API key provided.")],
    ["a bill", REPLIES.refused(402, "Insufficient credits")],
    ["a provider that is busy", REPLIES.busy()],
  ])("are asked for shorter again after a failure that says nothing of them: %s", async (_, failure) => {
    sim.answer(({ body }) => (body.dimensions === undefined ? undefined : failure));
    expect((await embedLong()).ok).toBe(true);
    sim.answer(() => undefined);
    const result = await embedLong();
    expect(result.ok && result.value.vectors[0]?.length).toBe(1536);
  });

  test.each([
    ["in words of it", REPLIES.refused(500, "Setting dimensions is not supported")],
    ["as an unknown field", REPLIES.refused(422, "Extra inputs are not permitted")],
  ])("are not asked for again where a number of dimensions is refused %s", async (_, refusal) => {
    sim.answer(({ body }) => (body.dimensions === undefined ? undefined : refusal));
    for (const _ of [1, 2]) expect((await embedLong()).ok).toBe(true);
    expect(sim.embeddings().map(({ body }) => body.dimensions)).toEqual([undefined, 1536, undefined]);
  });

  test("may be written as base64 though nobody asked for it", async () => {
    const vector = Buffer.from(vectorOf("um", 1536).buffer).toString("base64");
    sim.next({ is: "raw", body: JSON.stringify({ data: [{ index: 0, embedding: vector }] }) });
    const result = await embed();
    expect(result.ok && result.value.vectors[0]).toEqual(vectorOf("um", 1536));
  });

  test("may have no indices, or but one and the same", async () => {
    for (const index of [undefined, 0]) {
      const data = [1, 2].map((n) => ({ index, embedding: [n] }));
      sim.next({ is: "raw", body: JSON.stringify({ data }) });
      const result = await llm.embed({ provider: provider(), model: "text-embedding-ada-002", texts: ["a", "b"] });
      expect(result.ok && result.value.vectors.map(([first]) => first)).toEqual([1, 2]);
    }
  });
});

describe("a base URL that lacks its version", () => {
  const at = (baseUrl: string) => complete({ provider: { baseUrl, apiKey: LLM_KEY } });
  const paths = () => sim.journal.map(({ path }) => path);

  test("finds the provider all the same", async () => {
    expect(await at(new URL(sim.url).origin)).toEqual(answersOf("You said: olá"));
    expect(paths()).toEqual(["/v1/chat/completions"]);
  });

  test("says what the first address says where none is right; a missing model is no missing page", async () => {
    expect(await at(`${new URL(sim.url).origin}/api`)).toMatchObject({
      status: 404,
      reason: "Unknown request URL: /api/chat/completions.",
    });
    expect(paths()).toEqual(["/api/chat/completions", "/api/v1/chat/completions"]);
    expect(
      await complete({ provider: { baseUrl: new URL(sim.url).origin, apiKey: LLM_KEY }, model: "gpt-0" }),
    ).toMatchObject({
      status: 404,
    });
    expect(sim.journal.length).toBe(3);
  });
});
