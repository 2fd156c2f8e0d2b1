import { describe, expect, test } from "bun:test";
import { HOURS, inline, knowledgeOf, useKnowledge } from "../../../support/customers/agents/knowledge.ts";
import { holdBack, newCustomer, release } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { giveAgent } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer } from "../../../support/world.ts";

const { w, llm, c, k } = useKnowledge();

const NOBODY = "00000000-0000-4000-8000-000000000000";
const add = (body: object): Promise<Answer> => k.ask("", { body });
const documents = async () => (await k.ask()).body;
const chars = (length: number) => "x".repeat(length);
const url = () => `${c.hook.url}/page`;

/** Every refusal: nothing is there, and nobody was asked anything. */
const expectNothing = async () => {
  await w.settle();
  expect([await documents(), await k.stored(), llm.journal.length]).toEqual([[], { chunks: 0, bits: 0 }, 0]);
};

describe("POST …/knowledge", () => {
  test("X-050 X-055 each source is taken, and answered as pending", async () => {
    c.hook.reply(() => new Response(HOURS, { headers: { "content-type": "text/plain" } }));
    const file = (await k.ask("/files", { raw: HOURS, headers: { "content-type": "text/plain" } })).body;
    for (const body of [
      inline(),
      { source: "URL", url: url(), title: "Horário" },
      { source: "OBJECT_FILE", objectKey: file.objectKey },
    ]) {
      const { status, body: added } = await add(body);
      expect(status).toBe(202);
      expect(added).toEqual({
        id: expect.any(String),
        source: body.source,
        title: "title" in body ? body.title : null,
        status: "PENDING",
        createdAt: expect.any(String),
      });
    }
    await w.settle();
    expect((await documents()).map(({ source, status, chunkCount }: any) => [source, status, chunkCount])).toEqual([
      ["OBJECT_FILE", "READY", 1],
      ["URL", "READY", 1],
      ["TEXT_INLINE", "READY", 1],
    ]);
  });

  test.each([
    ["X-050 a source that is none", { source: "FILE", text: HOURS }, "source"],
    ["X-050 no source", { text: HOURS }, "source"],
    ["X-051 no url", { source: "URL", text: HOURS }, "url"],
    ["X-051 plain http", { source: "URL", url: "http://example.com/x" }, "url"],
    ["X-051 what is no URL", { source: "URL", url: "example" }, "url"],
    ["X-051 a password in it", { source: "URL", url: "https://me:secret@example.com/" }, "url"],
    ["X-052 no text", { source: "TEXT_INLINE", url: "https://example.com" }, "text"],
    ["X-052 19 characters", inline(chars(19)), "text"],
    ["X-052 200001 characters", inline(chars(200_001)), "text"],
    ["X-053 no key", { source: "OBJECT_FILE" }, "objectKey"],
    ["X-053 a key of 2", { source: "OBJECT_FILE", objectKey: "ab" }, "objectKey"],
    ["X-053 a key of 501", { source: "OBJECT_FILE", objectKey: chars(501) }, "objectKey"],
    ["X-054 a title of 256", inline(HOURS, { title: chars(256) }), "title"],
  ])("%s is refused, and nothing happens", async (_, body, field) => {
    expect(fieldsOf(await add(body))).toEqual([field]);
    await expectNothing();
  });

  test("X-052 X-053 X-054 C13 the limits themselves are taken, in characters, however they are written", async () => {
    const emoji = "😀".repeat(200_000);
    const escaped = `{"source":"TEXT_INLINE","text":"${"\\u4f60".repeat(200_000)}"}`;
    const answers = [
      await add(inline(chars(20), { title: chars(255) })),
      await add(inline(emoji)),
      await k.ask("", { raw: escaped }),
    ];
    answers.push(
      await add({ source: "OBJECT_FILE", objectKey: "abc" }),
      await add({ source: "OBJECT_FILE", objectKey: chars(500) }),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  });

  test("X-053 GAP-X19 a key of nobody's, of another account's and of a path is taken, and the document fails", async () => {
    const other = await newCustomer(w);
    await giveAgent(w, other);
    const theirs = (
      await knowledgeOf(w, llm, other).ask("/files", {
        raw: "segredo de outra conta",
        headers: { "content-type": "text/plain" },
      })
    ).body.objectKey;
    const keys = [
      theirs,
      `${c.accountId}/knowledge/${NOBODY}.txt`,
      `${c.accountId}/knowledge/../../x`,
      "../../etc/passwd",
      `${c.accountId}`,
      chars(500),
    ];
    for (const objectKey of keys) {
      expect(await k.learn({ source: "OBJECT_FILE", objectKey })).toMatchObject({
        status: "FAILED",
        sourceRef: objectKey,
        errorReason: expect.stringMatching(/^OBJECT_NOT_FOUND: /),
      });
    }
    expect(await k.stored()).toEqual({ chunks: 0, bits: 0 });
  });

  test("X-050 an agent has at most a thousand documents", async () => {
    await w.app.env.db.write(async (tx) => {
      tx.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         INSERT INTO documents (id, tenant_id, channel_id, source, status, chunk_count, created_at, updated_at) SELECT printf('00000000-0000-4000-8000-%012d', i), ?1, ?2, 'TEXT_INLINE', 'READY', 1, 0, 0 FROM n`,
        [c.accountId, c.phone.id],
      );
    });
    expect(gatewaySays(await add(inline()))).toBe("409 DOC_LIMIT_REACHED");
    expect((await documents()).length).toBe(1000);
    await k.ask("/00000000-0000-4000-8000-000000000001", { method: "DELETE" });
    expect((await add(inline())).status).toBe(202);
  });

  test("X-050 a phone without an agent, an unknown phone and another account's know nothing", async () => {
    const bare = await w.wabaPhone(c.key);
    const other = await newCustomer(w);
    await giveAgent(w, other);
    const said: string[] = [];
    for (const id of [bare.id, NOBODY, other.phone.id])
      for (const [path, call] of [
        ["", { body: inline() }],
        ["", {}],
        [`/${NOBODY}`, {}],
        [`/${NOBODY}`, { method: "DELETE" }],
        ["/files", { raw: "x" }],
      ] as const)
        said.push(gatewaySays(await w.gateway(`/v1/phones/${id}/ai-agent/knowledge${path}`, { key: c.key, ...call })));
    expect(said).toEqual([...Array(5).fill("404 AGENT_NOT_FOUND"), ...Array(10).fill("404 PHONE_NOT_FOUND")]);
    await expectNothing();
  });
});

describe("the documents", () => {
  test("X-058 X-059 are listed as an array, newest first, each with all that is known of it", async () => {
    await add(inline(HOURS, { title: "Horário" }));
    w.clock.advance(1000);
    await w.settle();
    w.clock.advance(1000);
    await add({ source: "URL", url: url() });
    await holdBack(w, `knowledge:${c.accountId}`);
    const [second, first] = await documents();
    expect(first).toEqual({
      id: expect.any(String),
      source: "TEXT_INLINE",
      sourceRef: null,
      title: "Horário",
      status: "READY",
      chunkCount: 1,
      sendable: false,
      embeddingModel: "text-embedding-3-small",
      errorReason: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(second).toMatchObject({ source: "URL", sourceRef: url() });
    expect(await k.document(first.id)).toEqual(first);
    await release(w, `knowledge:${c.accountId}`);
  });

  test("X-061 X-063 unknown ones and those of another phone and account are not found, and stay as they are", async () => {
    const { id } = await k.learn(inline());
    const [phone, other] = [await w.wabaPhone(c.key), await newCustomer(w)];
    await giveAgent(w, { key: c.key, phone });
    await giveAgent(w, other);
    const ofPhone = knowledgeOf(w, llm, { ...c, phone });
    const ofOther = knowledgeOf(w, llm, other);
    for (const method of ["GET", "DELETE"]) {
      for (const one of [
        k.ask(`/${NOBODY}`, { method }),
        k.ask("/x", { method }),
        ofPhone.ask(`/${id}`, { method }),
        ofOther.ask(`/${id}`, { method }),
      ])
        expect(gatewaySays(await one)).toBe("404 DOC_NOT_FOUND");
    }
    expect((await k.document(id)).status).toBe("READY");
    expect((await ofPhone.ask()).body).toEqual([]);
  });

  test("X-062 a document that is deleted is gone with its chunks, and no question finds it, even before they are gone", async () => {
    const { id } = await k.learn(inline());
    await k.learn(inline("Fechamos aos domingos e feriados nacionais."));
    expect((await k.find("quando abrimos segunda")).map(({ body }) => body)).toContain(HOURS);
    await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "agents.expire", {}));
    await w.settle();
    await holdBack(w, "housekeeping");
    const removed = await k.ask(`/${id}`, { method: "DELETE" });
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect(gatewaySays(await k.ask(`/${id}`))).toBe("404 DOC_NOT_FOUND");
    expect(await k.stored()).toEqual({ chunks: 2, bits: 2 });
    expect((await k.find("quando abrimos segunda")).map(({ body }) => body)).toEqual([
      "Fechamos aos domingos e feriados nacionais.",
    ]);
    await release(w, "housekeeping");
    expect(await k.stored()).toEqual({ chunks: 1, bits: 1 });
    expect(gatewaySays(await k.ask(`/${id}`, { method: "DELETE" }))).toBe("404 DOC_NOT_FOUND");
  });
});

describe("what a question finds", () => {
  test("nobody is asked where the agent knows nothing, or is to look for nothing", async () => {
    expect(await k.find("quando abrimos")).toEqual([]);
    await k.learn(inline());
    const asked = llm.journal.length;
    expect(await k.find("quando abrimos", 0)).toEqual([]);
    expect(llm.journal.length).toBe(asked);
  });

  test("as many as are wanted, the nearest first, of this phone's agent alone", async () => {
    const phone = await w.wabaPhone(c.key);
    await giveAgent(w, { key: c.key, phone });
    await knowledgeOf(w, llm, { ...c, phone }).learn(inline("Abrimos segunda: é o que sabe o outro telefone."));
    for (const text of ["Fechamos aos domingos e feriados.", HOURS, "Entregamos em toda a cidade, sem taxa."])
      await k.learn(inline(text));
    expect((await k.find("Abrimos segunda a sexta", 2)).map(({ body }) => body)[0]).toBe(HOURS);
    expect((await k.find("Abrimos segunda a sexta", 2)).length).toBe(2);
    expect((await k.find("Abrimos segunda a sexta", 20)).length).toBe(3);
  });

  test("a provider that fails, or whose vectors cannot be compared, is reported", async () => {
    await k.learn(inline());
    llm.next(REPLIES.noCredit());
    expect(await k.find("quando").catch(String)).toContain("quota");
    llm.dimensions.always = 768;
    expect(await k.find("quando").catch(String)).toContain("1536");
  });
});
