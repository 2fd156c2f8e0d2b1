import { describe, expect, test } from "bun:test";
import { discardDocument } from "../../../../src/core/ai/knowledge/document-ends.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { updateTenant } from "../../../../src/store/tables/tenancy/tenants.ts";
import { HOURS, inline, knowledgeOf, paragraphs, useKnowledge } from "../../../support/customers/agents/knowledge.ts";
import { newCustomer, receivedBy, rowsOf, suspend } from "../../../support/customers/customer.ts";
import { LLM_KEY, REPLIES } from "../../../support/llm/index.ts";
import { giveAgent, giveKey } from "../../../support/llm/world.ts";

const { w, llm, c, k } = useKnowledge();

const asked = (): number => llm.embeddings().reduce((sum, { body }) => sum + body.input.length, 0);
const inlineTextOf = async (id: string) =>
  (await rowsOf<{ t: string | null }>(w, "SELECT inline_text AS t FROM documents WHERE id = ?1", [id]))[0]?.t;
/** What agent:document has said. */
const endings = () => receivedBy(c.hook, "agent:document");
const jobs = () => rowsOf(w, "SELECT id FROM jobs WHERE queue = ?1", [`knowledge:${c.accountId}`]);

describe("a document that is learnt", () => {
  test("X-056 goes from PENDING through PROCESSING to READY, and is found only then", async () => {
    const gate = Promise.withResolvers<void>();
    llm.next(REPLIES.held(gate.promise));
    const { body: added } = await k.ask("", { body: inline() });
    expect(added.status).toBe("PENDING");
    await llm.received(1);
    expect(await k.document(added.id)).toMatchObject({ status: "PROCESSING", chunkCount: 0 });
    expect(await k.find("quando abrimos")).toEqual([]);
    gate.resolve();
    await w.settle();
    expect(await k.document(added.id)).toMatchObject({ status: "READY", chunkCount: 1, errorReason: null });
    expect((await k.find("quando abrimos")).map(({ body }) => body)).toEqual([HOURS]);
    expect(await inlineTextOf(added.id)).toBeNull();
    expect(endings()).toEqual([
      { documentId: added.id, title: null, status: "READY", chunkCount: 1, errorReason: null },
    ]);
  });

  test("X-060 chunkCount counts the stored chunks, each embedded once, 64 at a time, by the account's key and model", async () => {
    const document = await k.learn(inline(paragraphs(150), { title: "Assuntos" }));
    expect(document).toMatchObject({ status: "READY", title: "Assuntos" });
    expect(document.chunkCount).toBeGreaterThanOrEqual(150);
    expect(await k.stored()).toEqual({ chunks: document.chunkCount, bits: document.chunkCount });
    expect(
      llm
        .embeddings()
        .every(
          ({ body, headers }) =>
            body.input.length <= 64 && body.dimensions === 1536 && headers["authorization"] === `Bearer ${LLM_KEY}`,
        ),
    ).toBe(true);
    expect(asked()).toBe(document.chunkCount);
    const found = await k.find("assunto77", 3);
    expect(found.map(({ title }) => title)).toEqual(["Assuntos", "Assuntos", "Assuntos"]);
    expect(found[0]?.body).toContain("Assunto77.");
  });

  test("X-100 the tokens that the provider counted are noted with the account", async () => {
    await k.learn(inline());
    const [used] = await rowsOf(
      w,
      "SELECT model, calls, completion_tokens FROM llm_usage WHERE tenant_id = ?1 AND prompt_tokens > 0",
      [c.accountId],
    );
    expect(used).toEqual({ model: "text-embedding-3-small", calls: 1, completion_tokens: 0 });
  });

  test("X-062 one that is deleted while it is learnt leaves nothing behind", async () => {
    const gate = Promise.withResolvers<void>();
    llm.next(REPLIES.held(gate.promise));
    const { id } = (await k.ask("", { body: inline() })).body;
    await llm.received(1);
    expect((await k.ask(`/${id}`, { method: "DELETE" })).status).toBe(204);
    gate.resolve();
    await w.settle();
    expect([await k.stored(), await jobs(), endings()]).toEqual([{ chunks: 0, bits: 0 }, [], []]);
  });
});

describe("X-045 a document is compared with questions of the model alone that learnt it", () => {
  const change = (embeddingModel: string | null) => giveKey(w, c, { embeddingModel });
  const passages = async () => {
    const path = `/v1/phones/${c.phone.id}/ai-agent/test`;
    const trial = await w.gateway(path, { key: c.key, body: { message: "quando abrimos?", withKnowledge: true } });
    return trial.body.passages.map(({ documentId }: any) => documentId);
  };

  /** Has the provider refuse for a while to make vectors of the document, and not of questions. */
  const refuseDocuments = () =>
    llm.answer(({ body }) => (body.input?.[0] === HOURS ? REPLIES.busy({ retryAfter: "60" }) : undefined));

  test("after a change of the model it is in no prompt until it is learnt anew, and after a change back it is again", async () => {
    const { id } = await k.learn(inline());
    expect((await k.document(id)).embeddingModel).toBe("text-embedding-3-small");
    expect(await passages()).toEqual([id]);
    refuseDocuments();
    await change("text-embedding-3-large");
    await w.settle();
    expect([await passages(), (await k.document(id)).embeddingModel]).toEqual([[], "text-embedding-3-small"]);
    await change(null);
    expect(await passages()).toEqual([id]);
    await change("text-embedding-3-large");
    llm.reset();
    await w.advance(5 * MINUTE_MS);
    expect([await passages(), (await k.document(id)).embeddingModel]).toEqual([[id], "text-embedding-3-large"]);
  });

  test("documents of all agents are learnt anew, each text once, and their passages keep their ids", async () => {
    const { id } = await k.learn(inline(paragraphs(100), { title: "Preços" }));
    const second = await w.wabaPhone(c.key);
    await giveAgent(w, { ...c, phone: second });
    const other = knowledgeOf(w, llm, { ...c, phone: second });
    const { id: short } = await other.learn(inline());
    const idsOf = () => rowsOf(w, "SELECT id, body FROM chunks WHERE document_id = ?1 ORDER BY position", [id]);
    const [before, stored] = [await idsOf(), await k.stored()];
    llm.reset();
    await change("text-embedding-3-large");
    await w.settle();
    const { embeddingModel, chunkCount, status } = await k.document(id);
    expect([embeddingModel, status, (await other.document(short)).embeddingModel]).toEqual([
      "text-embedding-3-large",
      "READY",
      "text-embedding-3-large",
    ]);
    expect([await idsOf(), await k.stored(), asked(), await jobs()]).toEqual([before, stored, chunkCount + 1, []]);
  });

  test("an agent whose budget of the day is used up stops the documents of no other agent, nor its own", async () => {
    const { id } = await k.learn(inline());
    const second = await w.wabaPhone(c.key);
    await giveAgent(w, { ...c, phone: second });
    const other = knowledgeOf(w, llm, { ...c, phone: second });
    const { id: short } = await other.learn(inline());
    await giveAgent(w, c, { budget: { dailyTokens: 1 } });
    await change("text-embedding-3-large");
    await w.settle();
    const models = [(await k.document(id)).embeddingModel, (await other.document(short)).embeddingModel];
    expect([models, await jobs()]).toEqual([["text-embedding-3-large", "text-embedding-3-large"], []]);
  });

  test("a change back in the middle begins anew, so that no document has vectors of two models", async () => {
    const { id } = await k.learn(inline(paragraphs(150)));
    let calls = 0;
    llm.answer(() => (++calls === 2 ? REPLIES.busy({ retryAfter: "60" }) : undefined));
    await change("text-embedding-3-large");
    await w.settle();
    expect([(await k.document(id)).embeddingModel, await passages()]).toEqual([null, []]);
    await change(null);
    llm.reset();
    await w.advance(5 * MINUTE_MS);
    const { embeddingModel, chunkCount } = await k.document(id);
    expect([embeddingModel, asked(), await jobs()]).toEqual(["text-embedding-3-small", chunkCount, []]);
  });

  test("a change while the provider refuses an earlier one is not lost", async () => {
    const { id } = await k.learn(inline());
    llm.reset();
    const gate = Promise.withResolvers<void>();
    llm.next(REPLIES.held(gate.promise, REPLIES.refused(400, "No.")));
    await change("text-embedding-ada-002");
    await llm.received(1);
    await change("text-embedding-3-large");
    gate.resolve();
    await w.settle();
    expect([(await k.document(id)).embeddingModel, await jobs()]).toEqual(["text-embedding-3-large", []]);
  });

  test.each([
    ["refuses", () => llm.answer(({ body }) => (body.input ? REPLIES.refused(400, "No.") : undefined))],
    ["makes vectors of another length", () => Object.assign(llm.dimensions, { always: 768 })],
  ])("stays as it was where the provider %s", async (_, fails) => {
    const { id } = await k.learn(inline());
    const stored = await k.stored();
    fails();
    await change("text-embedding-3-large");
    await w.settle();
    const { status, embeddingModel } = await k.document(id);
    expect([status, embeddingModel, await k.stored(), await jobs()]).toEqual([
      "READY",
      "text-embedding-3-small",
      stored,
      [],
    ]);
    llm.reset();
    await change(null);
    await w.settle();
    expect(await passages()).toEqual([id]);
  });

  test.each([
    ["the key is mended", { apiKey: "sk-a-key-of-another-account" }],
    ["a key is set", { apiKey: null }],
    ["the provider lets the same key use the same model", {}],
  ])("what was refused is learnt after a change of the provider, when %s", async (_, refused) => {
    const { id } = await k.learn(inline());
    llm.answer(({ body }) => (body.input ? REPLIES.refused(401, "No.") : undefined));
    await giveKey(w, c, { embeddingModel: "text-embedding-3-large", ...refused });
    await w.settle();
    expect([(await k.document(id)).embeddingModel, await jobs()]).toEqual(["text-embedding-3-small", []]);
    llm.reset();
    await change("text-embedding-3-large");
    await w.settle();
    expect([(await k.document(id)).embeddingModel, await jobs()]).toEqual(["text-embedding-3-large", []]);
    expect(await passages()).toEqual([id]);
  });

  test("a key that is mended while the provider refuses the earlier one is not lost", async () => {
    const { id } = await k.learn(inline());
    llm.reset();
    const gate = Promise.withResolvers<void>();
    llm.next(REPLIES.held(gate.promise, REPLIES.refused(401, "No.")));
    await change("text-embedding-3-large");
    await llm.received(1);
    await change("text-embedding-3-large");
    gate.resolve();
    await w.settle();
    expect([(await k.document(id)).embeddingModel, await jobs()]).toEqual(["text-embedding-3-large", []]);
  });

  test("a document that an earlier version learnt is found until the model changes, and is then the old model's", async () => {
    const { id } = await k.learn(inline());
    await w.app.env.db.write(async (tx) => tx.run("UPDATE documents SET embedding_model = NULL WHERE id = ?1", [id]));
    expect(await passages()).toEqual([id]);
    await change("text-embedding-3-small");
    expect(await passages()).toEqual([id]);
    refuseDocuments();
    await change("text-embedding-3-large");
    await w.settle();
    expect(await passages()).toEqual([]);
    expect((await k.document(id)).embeddingModel).toBe("text-embedding-3-small");
    await change(null);
    expect(await passages()).toEqual([id]);
  });

  test("a change while it is learnt has the new model learn all of it", async () => {
    llm.answer(({ body }) => (body.input?.length < 64 ? REPLIES.broken({ retryAfter: "3600" }) : undefined));
    const { id } = await k.learn(inline(paragraphs(100)));
    await change("text-embedding-3-large");
    llm.reset();
    await w.advance(HOUR_MS);
    const document = await k.document(id);
    expect([document.status, document.embeddingModel]).toEqual(["READY", "text-embedding-3-large"]);
    expect(asked()).toBe(document.chunkCount);
  });

  test("a change between two failures leaves nothing of the first model: the second learns each chunk", async () => {
    llm.answer(({ body }) => (body.input?.length < 64 ? REPLIES.broken({ retryAfter: "60" }) : undefined));
    const { id } = await k.learn(inline(paragraphs(150)));
    expect((await k.stored()).chunks).toBe(128);
    await change("text-embedding-3-large");
    llm.reset();
    let calls = 0;
    llm.answer(() => (++calls === 2 ? REPLIES.broken({ retryAfter: "60" }) : undefined));
    await w.advance(5 * MINUTE_MS);
    await w.advance(5 * MINUTE_MS);
    const document = await k.document(id);
    expect([document.status, document.embeddingModel]).toEqual(["READY", "text-embedding-3-large"]);
    expect(await k.stored()).toEqual({ chunks: document.chunkCount, bits: document.chunkCount });
    // a call for each batch, and the call that failed
    expect(calls).toBe(Math.ceil(document.chunkCount / 64) + 1);
  });
});

describe("a document that fails", () => {
  test("GAP-X12 X-057 without a key of a provider, nobody is asked", async () => {
    await w.gateway("/v1/account/integrations/llm", { method: "PATCH", key: c.key, body: { apiKey: null } });
    const document = await k.learn(inline());
    expect(document).toMatchObject({
      status: "FAILED",
      errorReason: expect.stringMatching(/^NO_PROVIDER_KEY: /),
      chunkCount: 0,
    });
    expect([llm.journal.length, await inlineTextOf(document.id)]).toEqual([0, null]);
    expect(endings()).toEqual([
      {
        documentId: document.id,
        title: null,
        status: "FAILED",
        chunkCount: 0,
        errorReason: expect.stringMatching(/^NO_PROVIDER_KEY: /),
      },
    ]);
  });

  test.each([
    ["a key that is refused", () => REPLIES.refused(401, "Incorrect API key provided.", "invalid_api_key")],
    ["no credit", () => REPLIES.noCredit()],
  ])("X-057 %s: at once, with what the provider said, and nothing stays", async (_, reply) => {
    let calls = 0;
    llm.answer(() => (++calls > 1 ? reply() : undefined));
    const document = await k.learn(inline(paragraphs(100)));
    expect(document.errorReason).toMatch(/^PROVIDER_ERROR: .{10}/);
    expect(document.errorReason).not.toContain(LLM_KEY);
    expect(document).toMatchObject({ status: "FAILED", chunkCount: 0 });
    expect([calls, await k.stored(), await jobs()]).toEqual([2, { chunks: 0, bits: 0 }, []]);
  });

  test("X-057 vectors of another length", async () => {
    llm.dimensions.always = 768;
    expect(await k.learn(inline())).toMatchObject({
      status: "FAILED",
      errorReason: expect.stringMatching(/^WRONG_DIMENSION: .*text-embedding-3-small.*1536/),
    });
    expect(await k.stored()).toEqual({ chunks: 0, bits: 0 });
  });

  test("X-057 an agent that would have more than 20,000 chunks", async () => {
    await w.app.env.db.write(async (tx) => {
      tx.run(
        "INSERT INTO documents (id, tenant_id, channel_id, source, status, chunk_count, created_at, updated_at) VALUES (?1, ?2, ?3, 'URL', 'READY', 20000, 0, 0)",
        [`full-${c.accountId}`, c.accountId, c.phone.id],
      );
    });
    expect(await k.learn(inline())).toMatchObject({
      status: "FAILED",
      errorReason: expect.stringMatching(/^KNOWLEDGE_FULL: /),
    });
    expect(llm.journal.length).toBe(0);
  });

  test("X-057 one whose job is given up, for faults of our own", async () => {
    const gate = Promise.withResolvers<void>();
    llm.next(REPLIES.held(gate.promise));
    const { id } = (await k.ask("", { body: inline() })).body;
    await llm.received(1);
    await w.app.env.db.write((tx) =>
      discardDocument(w.app.env, tx, { documentId: id, tenantId: c.accountId as TenantId }),
    );
    gate.resolve();
    await w.settle();
    expect(await k.document(id)).toMatchObject({
      status: "FAILED",
      chunkCount: 0,
      errorReason: expect.stringMatching(/^INTERNAL_ERROR: /),
    });
    expect(await k.find("quando abrimos")).toEqual([]);
  });
});

describe("a provider that is busy or cannot be reached", () => {
  test("X-057 is asked again, ever less often, for an hour; then the document fails", async () => {
    llm.answer(() => REPLIES.busy());
    const { id } = (await k.ask("", { body: inline() })).body;
    await w.settle();
    const startedAt = w.clock.now();
    const tries = [0];
    while ((await k.document(id)).status === "PROCESSING" && w.clock.now() < startedAt + 2 * HOUR_MS) {
      const before = llm.journal.length;
      await w.advance(30 * SECOND_MS);
      if (llm.journal.length > before) tries.push(w.clock.now() - startedAt);
    }
    expect(await k.document(id)).toMatchObject({
      status: "FAILED",
      errorReason: expect.stringMatching(/^PROVIDER_ERROR: /),
    });
    // without the seconds between the three requests of a try
    const waits = tries.slice(1).map((at, n) => Math.floor((at - (tries[n] ?? 0)) / (30 * SECOND_MS)) / 2);
    expect(waits.slice(0, 5)).toEqual([0.5, 1, 2, 4, 5]);
    expect(Math.max(...waits)).toBe(5);
    expect(tries.at(-1)).toBeLessThanOrEqual(HOUR_MS);
    expect(tries.at(-1)).toBeGreaterThan(HOUR_MS - 6 * MINUTE_MS);
    expect([await k.stored(), await jobs()]).toEqual([{ chunks: 0, bits: 0 }, []]);
  });

  test("X-056 when it comes back, the document is READY, and only what was missing was asked for", async () => {
    llm.answer(({ body }) => (body.input.length < 64 ? REPLIES.broken({ status: 503 }) : undefined));
    const { id } = (await k.ask("", { body: inline(paragraphs(70)) })).body;
    await w.settle();
    expect(await k.document(id)).toMatchObject({ status: "PROCESSING" });
    llm.reset();
    await w.advance(MINUTE_MS);
    const document = await k.document(id);
    expect(document.status).toBe("READY");
    expect(asked()).toBe(document.chunkCount - 64);
  });

  test("X-056 it does not keep another account's documents waiting, and another document of the account has its turn", async () => {
    const other = await newCustomer(w);
    await giveKey(w, other);
    await giveAgent(w, other);
    const theirs = knowledgeOf(w, llm, other);
    llm.answer(({ body }) => (body.input[0] === HOURS ? REPLIES.busy() : undefined));
    const { id } = (await k.ask("", { body: inline() })).body;
    expect(await k.learn(inline("Fechamos aos domingos e feriados."))).toMatchObject({ status: "READY" });
    expect(await theirs.learn(inline("Entregamos em toda a cidade."))).toMatchObject({ status: "READY" });
    expect((await k.find("fechamos domingos", 4)).map(({ body }) => body)).toEqual([
      "Fechamos aos domingos e feriados.",
    ]);
    expect((await k.document(id)).status).toBe("PROCESSING");
    llm.reset();
    await w.advance(MINUTE_MS);
    expect((await k.document(id)).status).toBe("READY");
  });
});

describe("GAP-X08 while the account is suspended no provider is asked, and nothing is lost", () => {
  const reinstate = () =>
    w.app.env.db.write((tx) =>
      updateTenant(tx, c.accountId as TenantId, { dunningStage: "NONE", reactivatedAt: w.clock.now() }),
    );
  const busy = () => llm.answer(() => REPLIES.busy());
  /** What the provider was asked during a suspension of eight days, after which it is busy for a moment. */
  const suspended = async (): Promise<number> => {
    await suspend(w, c.accountId);
    llm.reset();
    await w.advance(8 * DAY_MS);
    const calls = llm.journal.length;
    await reinstate();
    busy();
    await w.advance(30 * MINUTE_MS);
    llm.reset();
    return calls;
  };

  test("a document waits, and is learnt after the payment, though the provider is busy then", async () => {
    busy();
    const { id } = await k.learn(inline());
    expect([await suspended(), (await k.document(id)).status]).toEqual([0, "PROCESSING"]);
    await w.advance(5 * MINUTE_MS);
    expect((await k.document(id)).status).toBe("READY");
  });

  test("documents wait to be learnt anew, and a busy provider has its seven days after the payment", async () => {
    const { id } = await k.learn(inline());
    busy();
    await giveKey(w, c, { embeddingModel: "text-embedding-3-large" });
    await w.settle();
    expect([await suspended(), (await k.document(id)).embeddingModel]).toEqual([0, "text-embedding-3-small"]);
    await w.advance(5 * MINUTE_MS);
    expect((await k.document(id)).embeddingModel).toBe("text-embedding-3-large");
  });
});
