import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { inline, knowledgeOf, paragraphs } from "../../support/customers/agents/knowledge.ts";
import { rowsOf } from "../../support/customers/customer.ts";
import { join, newCompany } from "../../support/customers/joining.ts";
import { REPLIES } from "../../support/llm/index.ts";
import { giveAgent, giveKey, useLlm } from "../../support/llm/world.ts";
import { gatewayKeyOf } from "../../support/tenants/platform.ts";
import { useEach } from "../../support/use-world.ts";

const { w, llm } = useLlm();
/** A company whose account has an agent with a document. */
const c = useEach(async () => {
  const company = await newCompany(w);
  await giveKey(w, company.account);
  await giveAgent(w, company.account);
  const knowledge = knowledgeOf(w, llm, company.account);
  return { ...company, knowledge, document: await knowledge.learn(inline()) };
});
const giveInstitutionKey = async (more: object = {}) => giveKey(w, { key: await gatewayKeyOf(w, c.institution) }, more);
const modelNow = async () => (await c.knowledge.document(c.document.id)).embeddingModel;
/** The jobs for knowledge of the two. */
const jobs = () =>
  rowsOf(w, "SELECT kind FROM jobs WHERE queue IN (?1, ?2)", [
    `knowledge:${c.account.accountId}`,
    `knowledge:${c.institution.id}`,
  ]);

describe("X-045 the documents of an account that is joined with an institution", () => {
  test("are learnt anew by the institution's model, and found then", async () => {
    await giveInstitutionKey({ embeddingModel: "text-embedding-3-large" });
    await join(w, c);
    expect([await modelNow(), await jobs()]).toEqual(["text-embedding-3-large", []]);
    const path = `/v1/phones/${c.account.phone.id}/ai-agent/test`;
    const body = { message: "quando abrimos?", withKnowledge: true };
    const { passages } = (await w.gateway(path, { key: c.account.key, body })).body;
    expect(passages.map(({ documentId }: { documentId: string }) => documentId)).toEqual([c.document.id]);
  });

  test.each([
    ["has the same model", () => giveInstitutionKey()],
    ["has no provider, and so gets the account's", () => Promise.resolve()],
  ])("are not learnt again where the institution %s", async (_, prepare) => {
    await prepare();
    llm.reset();
    await join(w, c);
    expect([await modelNow(), llm.embeddings().length, await jobs()]).toEqual(["text-embedding-3-small", 0, []]);
  });

  test("that name no model are those of the account's model until then", async () => {
    await giveInstitutionKey({ embeddingModel: "text-embedding-3-large" });
    const { id } = c.document;
    await w.app.env.db.write(async (tx) => tx.run("UPDATE documents SET embedding_model = NULL WHERE id = ?1", [id]));
    llm.answer(() => REPLIES.busy());
    await join(w, c);
    expect(await modelNow()).toBe("text-embedding-3-small");
    llm.reset();
    await w.advance(5 * MINUTE_MS);
    expect(await modelNow()).toBe("text-embedding-3-large");
  });

  test("that were still to be learnt anew by the account's model are learnt once, by the institution's", async () => {
    const { chunkCount } = await c.knowledge.learn(inline(paragraphs(150)));
    await giveInstitutionKey({ embeddingModel: "text-embedding-3-large" });
    llm.answer(() => REPLIES.busy());
    await giveKey(w, c.account, { embeddingModel: "text-embedding-ada-002" });
    await w.settle();
    llm.reset();
    await join(w, c);
    await w.advance(5 * MINUTE_MS);
    const texts = llm.embeddings().flatMap(({ body }) => body.input);
    expect([await modelNow(), texts.length, await jobs()]).toEqual(["text-embedding-3-large", chunkCount + 1, []]);
  });
});
