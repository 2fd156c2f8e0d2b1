import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { inline, type Knowledge, knowledgeOf } from "../../../support/customers/agents/knowledge.ts";
import { callsOf } from "../../../support/customers/calls.ts";
import { type Customer, newCustomer, rowsOf } from "../../../support/customers/customer.ts";
import { arrives, FILES, filesOf, mediaCalls, onlyMessage, storedFile } from "../../../support/customers/media.ts";
import { giveAgent, giveKey, type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import type { World } from "../../../support/world.ts";

/** A file has 200 bytes, and what an agent learns of a sentence some 6400. */
const QUOTA = 7000;
const FILE_BYTES = FILES.png.length;

let s: LlmWorld;
let w: World;
let c: Customer;
let k: Knowledge;
beforeAll(async () => {
  s = await startLlmWorld({ env: { RECADO_LIMITS: `stored-bytes=${QUOTA}` } });
  w = s.w;
});
afterAll(() => s.stop());
beforeEach(async () => {
  c = await newCustomer(w);
  await giveKey(w, c);
  await giveAgent(w, c);
  k = knowledgeOf(w, s.llm, c);
});

const counted = async (): Promise<number> =>
  (
    await rowsOf<{ n: number }>(w, "SELECT n FROM tenant_counts WHERE tenant_id = ?1 AND collection = 'stored-bytes'", [
      c.accountId,
    ])
  )[0]?.n ?? 0;
/** As if so many bytes were stored. */
const fill = (sizeBytes: number) =>
  w.app.env.db.write(async (tx) => {
    tx.run(
      "INSERT INTO tenant_counts (tenant_id, collection, n) VALUES (?1, 'stored-bytes', ?2) ON CONFLICT DO UPDATE SET n = n + excluded.n",
      [c.accountId, sizeBytes],
    );
  });
const files = () => filesOf(w).filter((file) => file.startsWith(c.accountId));
const upload = (raw: string) => k.ask("/files", { raw, headers: { "content-type": "text/plain" } });

describe("an account that stores as much as it may", () => {
  test("receives a message, without its file and with the reason; nothing is fetched", async () => {
    await fill(QUOTA);
    const asked = w.graph.journal.length;
    await arrives(w, c);
    await w.settle();
    expect(onlyMessage(c)).toMatchObject({
      type: "image",
      media: { downloadUrl: null, error: "STORAGE_QUOTA_EXCEEDED" },
    });
    expect(w.graph.journal.slice(asked).filter(({ method }) => method === "GET")).toEqual([]);
    expect([files(), await rowsOf(w, "SELECT id FROM media WHERE tenant_id = ?1", [c.accountId])]).toEqual([[], []]);
  });

  test("of two files that come at once gets the one there is room for, and learns why the other is missing", async () => {
    await fill(QUOTA - FILE_BYTES);
    await arrives(w, c, {}, {});
    await w.settle();
    const received = c.hook.arrived
      .filter(({ body }) => body.type === "message:received")
      .map(({ body }): string => body.data.media.error ?? "stored");
    expect(received.toSorted()).toEqual(["STORAGE_QUOTA_EXCEEDED", "stored"]);
    expect([await counted(), files().length]).toEqual([QUOTA, 1]);
  });

  test("has a file refused, and a document of an agent fails before its provider is asked", async () => {
    await fill(QUOTA);
    expect(gatewaySays(await upload("a".repeat(100)))).toBe("403 STORAGE_QUOTA_EXCEEDED");
    const asked = s.llm.journal.length;
    expect(await k.learn(inline())).toMatchObject({
      status: "FAILED",
      errorReason: expect.stringMatching(/^STORAGE_QUOTA_EXCEEDED: /),
    });
    expect([s.llm.journal.length, await k.stored(), files(), await counted()]).toEqual([
      asked,
      { chunks: 0, bits: 0 },
      [],
      QUOTA,
    ]);
  });

  test("has a recording refused, whose file does not stay", async () => {
    const calls = callsOf(w, c);
    const { id } = await calls.placed();
    await fill(QUOTA - 10);
    const answer = await calls.ask(`/${id}/recording`, {
      method: "POST",
      raw: "a sound of more than ten bytes",
      headers: { "content-type": "audio/ogg" },
    });
    await w.settle();
    expect([gatewaySays(answer), files(), await counted()]).toEqual(["403 STORAGE_QUOTA_EXCEEDED", [], QUOTA - 10]);
  });
});

describe("the bytes of an account", () => {
  test("go down as its files are erased, and what an agent has learnt is forgotten", async () => {
    const media = await storedFile(w, c);
    expect(await counted()).toBe(FILE_BYTES);
    await upload("a".repeat(50));
    const document = await k.learn(inline());
    expect(document.status).toBe("READY");
    expect(await counted()).toBeGreaterThan(FILE_BYTES + 50 + 6000);
    expect(gatewaySays(await mediaCalls(w, c).ack(media.id))).toBe("204");
    await k.ask(`/${document.id}`, { method: "DELETE" });
    await w.settle();
    expect(await counted()).toBe(50);
    await w.advance(7 * DAY_MS);
    expect([await counted(), files()]).toEqual([0, []]);
  });

  test("are none once its phone is deleted", async () => {
    await storedFile(w, c);
    expect((await k.learn(inline())).status).toBe("READY");
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect([
      await counted(),
      await rowsOf(w, "SELECT key FROM stored_items WHERE tenant_id = ?1", [c.accountId]),
    ]).toEqual([0, []]);
  });
});
