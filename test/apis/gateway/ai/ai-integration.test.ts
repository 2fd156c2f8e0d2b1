import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inline, knowledgeOf } from "../../../support/customers/agents/knowledge.ts";
import { type Customer, newCustomer, rowsOf } from "../../../support/customers/customer.ts";
import { LLM_KEY, type SimulatedLlm, startLlm } from "../../../support/llm/index.ts";
import { giveAgent, giveKey, type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer, World } from "../../../support/world.ts";

let s: LlmWorld;
let w: World;
let llm: SimulatedLlm;
let c: Customer;
beforeAll(async () => {
  s = await startLlmWorld({ logLevel: "debug" });
  ({ w, llm } = s);
});
afterAll(() => s.stop());
beforeEach(async () => {
  llm.reset();
  c = await newCustomer(w);
});

const PATH = "/v1/account/integrations/llm";
const get = (key = c.key): Promise<Answer> => w.gateway(PATH, { key });
const patch = (body: object): Promise<Answer> => w.gateway(PATH, { method: "PATCH", key: c.key, body });
const classify = (): Promise<Answer> =>
  w.gateway("/v1/ai/classify", { key: c.key, body: { text: "olá", categories: ["a", "b"] } });
const rows = () => rowsOf(w, "SELECT * FROM llm_settings WHERE tenant_id = ?1", [c.accountId]);
const UNSET = {
  configured: false,
  keyHint: null,
  defaultModel: "gpt-4o-mini",
  embeddingModel: "text-embedding-3-small",
  transcriptionModel: "gpt-4o-mini-transcribe",
  transcriptionLanguage: null,
  speechModel: "gpt-4o-mini-tts",
  embeddingBaseUrl: null,
  embeddingKeyHint: null,
  dailyTokens: 20_000_000,
  updatedAt: null,
};

describe("the account's provider", () => {
  test("EP-X01 is the server's, without a key, until the account says otherwise", async () => {
    expect((await get()).body).toEqual({ ...UNSET, baseUrl: llm.url });
  });

  test("X-025 the key that is set is used, and shown by its last four characters alone", async () => {
    llm.keys.add("sk-the-account-0815");
    const set = await patch({ apiKey: "sk-the-account-0815" });
    expect([set.status, set.body]).toEqual([
      200,
      {
        ...UNSET,
        baseUrl: llm.url,
        configured: true,
        keyHint: "0815",
        updatedAt: new Date(w.clock.now()).toISOString(),
      },
    ]);
    expect((await get()).body).toEqual(set.body);
    llm.answer(() => JSON.stringify({ category: "a", confidence: 1, alternatives: [], rationale: "x" }));
    expect(gatewaySays(await classify())).toBe("200");
    expect(llm.journal.map(({ headers }) => headers["authorization"])).toEqual(["Bearer sk-the-account-0815"]);
  });

  test("X-025 the key lies nowhere in clear: not in the database's files, not in a log, not in an answer", async () => {
    const key = `sk-secret-${"q".repeat(30)}-zzzz`;
    llm.keys.add(key);
    const answers = [await patch({ apiKey: key, embeddingApiKey: `${key}-too` }), await get(), await classify()];
    llm.keys.delete(key);
    answers.push(await classify());
    expect(gatewaySays(answers[3] as Answer)).toBe("502 AI_PROVIDER_ERROR");
    await w.settle();
    const files = readdirSync(w.dataDir).filter((name) => name.startsWith("recado.db"));
    expect(files.length).toBeGreaterThan(1);
    const written = [
      ...files.map((name) => readFileSync(join(w.dataDir, name), "latin1")),
      w.logs.join(),
      ...answers.map(({ text }) => text),
    ];
    expect(written.filter((one) => one.includes("sk-secret-"))).toEqual([]);
  });

  test("X-025 a key that is copied into another account's row opens nothing there", async () => {
    const other = await newCustomer(w);
    await giveKey(w, other);
    await giveKey(w, c);
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE llm_settings SET key = (SELECT key FROM llm_settings WHERE tenant_id = ?1) WHERE tenant_id = ?2", [
        other.accountId,
        c.accountId,
      ]),
    );
    expect(gatewaySays(await classify())).toBe("500 INTERNAL_ERROR");
    expect(llm.journal).toEqual([]);
  });

  test("EP-X01 what is left out stays, and null returns to the default; a key that is null is gone", async () => {
    await giveKey(w, c, { defaultModel: "gpt-4o", embeddingModel: "text-embedding-3-large" });
    expect((await patch({ defaultModel: null })).body).toMatchObject({
      configured: true,
      defaultModel: "gpt-4o-mini",
      embeddingModel: "text-embedding-3-large",
    });
    expect((await patch({ embeddingModel: null })).body).toMatchObject({
      configured: true,
      embeddingModel: "text-embedding-3-small",
      transcriptionModel: "gpt-4o-mini-transcribe",
      transcriptionLanguage: null,
      speechModel: "gpt-4o-mini-tts",
    });
    expect((await patch({ apiKey: null })).body).toMatchObject({ configured: false, keyHint: null });
    expect(gatewaySays(await classify())).toBe("400 LLM_KEY_REQUIRED");
    expect((await rows())[0]).toMatchObject({ key: null, key_hint: null });
  });

  test("EP-X01 one account's is not another's", async () => {
    const other = await newCustomer(w);
    await giveKey(w, other, { defaultModel: "gpt-4o" });
    expect((await get()).body).toEqual({ ...UNSET, baseUrl: llm.url });
    expect(gatewaySays(await classify())).toBe("400 LLM_KEY_REQUIRED");
  });
});

describe("the base URL", () => {
  test("X-025 is where the account's calls go, over plain http to what the operator allows alone", async () => {
    const own = startLlm();
    await giveKey(w, c, { baseUrl: `${own.url}/` });
    await giveAgent(w, c);
    const tried = await w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body: { message: "olá" } });
    expect([tried.status, own.journal.map(({ path }) => path), llm.journal]).toEqual([
      200,
      ["/v1/chat/completions"],
      [],
    ]);
    await own.stop();
  });

  test.each([
    "http://llm.example.com/v1",
    "https://user:secret@llm.example.com/v1",
    "https://llm.example.com/v1?key=1",
    "https://llm.example.com/v1#x",
    "ftp://llm.example.com",
    "here",
  ])("EP-X01 %s is refused, and nothing is changed", async (baseUrl) => {
    expect(fieldsOf(await patch({ baseUrl, apiKey: LLM_KEY }))).toEqual(["baseUrl"]);
    expect(await rows()).toEqual([]);
  });

  test("EP-X01 the key is kept for its host alone: another host needs a key of its own, or none", async () => {
    await giveKey(w, c, { baseUrl: "https://llm.example.com/v1" });
    const before = await rows();
    for (const baseUrl of ["https://evil.example.com/v1", "https://llm.example.com:8443/v1", null])
      expect(fieldsOf(await patch({ baseUrl }))).toEqual(["apiKey"]);
    expect(await rows()).toEqual(before);
    expect((await patch({ baseUrl: "https://llm.example.com/v2" })).body).toMatchObject({
      configured: true,
      baseUrl: "https://llm.example.com/v2",
    });
    expect((await patch({ baseUrl: "https://other.example.com/v1", apiKey: "sk-another-key" })).body).toMatchObject({
      configured: true,
      keyHint: "-key",
    });
    expect((await patch({ baseUrl: null, apiKey: null })).body).toMatchObject({ configured: false, baseUrl: llm.url });
    expect((await patch({ baseUrl: "https://third.example.com/v1" })).body).toMatchObject({
      configured: false,
      baseUrl: "https://third.example.com/v1",
    });
  });

  test("X-045 of knowledge is another provider's, with its key; chats stay with the first", async () => {
    const own = startLlm();
    own.keys = new Set(["sk-for-embeddings-0815"]);
    await giveKey(w, c);
    const set = await patch({ embeddingBaseUrl: own.url, embeddingApiKey: "sk-for-embeddings-0815" });
    expect(set.body).toMatchObject({ baseUrl: llm.url, embeddingBaseUrl: own.url, embeddingKeyHint: "0815" });
    await giveAgent(w, c);
    expect(await knowledgeOf(w, llm, c).learn(inline())).toMatchObject({ status: "READY" });
    const path = `/v1/phones/${c.phone.id}/ai-agent/test`;
    const { body } = await w.gateway(path, { key: c.key, body: { message: "quando abrimos?", withKnowledge: true } });
    expect(body.passages.length).toBe(1);
    expect([own.embeddings().length, own.chats().length, llm.embeddings().length, llm.chats().length]).toEqual([
      2, 0, 0, 1,
    ]);
    expect((await patch({ embeddingBaseUrl: null, embeddingApiKey: null })).body).toMatchObject({
      embeddingBaseUrl: null,
      embeddingKeyHint: null,
    });
    await own.stop();
  });

  test("EP-X01 of knowledge on another host needs a key of its own: no stored key goes there", async () => {
    await giveKey(w, c);
    const elsewhere = { embeddingBaseUrl: "https://llm.example.com/v1" };
    const unset = await rows();
    expect(fieldsOf(await patch(elsewhere))).toEqual(["embeddingApiKey"]);
    expect(fieldsOf(await patch({ ...elsewhere, embeddingApiKey: "sk with blanks" }))).toEqual(["embeddingApiKey"]);
    expect(fieldsOf(await patch({ embeddingBaseUrl: "http://llm.example.com", embeddingApiKey: LLM_KEY }))).toEqual([
      "embeddingBaseUrl",
    ]);
    expect(await rows()).toEqual(unset);
    await patch({ ...elsewhere, embeddingApiKey: "sk-another-key" });
    const before = await rows();
    for (const change of [
      { embeddingBaseUrl: "https://evil.example.com/v1" },
      { embeddingBaseUrl: null },
      { embeddingApiKey: null },
    ])
      expect(fieldsOf(await patch(change))).toEqual(["embeddingApiKey"]);
    expect(await rows()).toEqual(before);
  });

  test("GAP-C09 a private address is not asked, and the refusal says so", async () => {
    await giveKey(w, c, { baseUrl: "https://llm.example.com/v1" });
    await w.app.env.db.write(async (tx) =>
      tx.run(
        "UPDATE llm_settings SET base_url = 'https://10.0.0.1/v1' WHERE base_url = 'https://llm.example.com/v1'",
        [],
      ),
    ); // where its name leads by now
    const answer = await classify();
    expect(gatewaySays(answer)).toBe("502 AI_PROVIDER_ERROR");
    expect(answer.body.error.details).toEqual({
      kind: "refused",
      retryable: false,
      reason: expect.stringContaining("blocked"),
    });
  });
});

describe("the fields", () => {
  test.each([
    ["apiKey", "short12"],
    ["apiKey", "k".repeat(501)],
    ["apiKey", "a key with spaces"],
    ["apiKey", "key\r\nx-injected: 1"],
    ["apiKey", "chave-não-ascii"],
    ["apiKey", 12_345_678],
    ["defaultModel", ""],
    ["defaultModel", "m".repeat(121)],
    ["embeddingModel", "m".repeat(121)],
    ["transcriptionLanguage", "pt_BR"],
  ])("EP-X01 %s %p is refused, and nothing is changed", async (field, value) => {
    expect(fieldsOf(await patch({ [field]: value }))).toEqual([field]);
    expect(await rows()).toEqual([]);
  });

  test("EP-X01 a key has 8 to 500 characters", async () => {
    for (const apiKey of ["k".repeat(8), "k".repeat(500)]) expect((await patch({ apiKey })).body.keyHint).toBe("kkkk");
  });
});
