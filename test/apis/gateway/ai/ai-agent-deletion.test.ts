import { beforeEach, describe, expect, test } from "bun:test";
import { newId } from "../../../../src/kernel/ids.ts";
import { type Customer, holdBack, newCustomer, release, rowsOf } from "../../../support/customers/customer.ts";
import { giveAgent } from "../../../support/llm/world.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
beforeEach(async () => {
  c = await newCustomer(w);
  await giveAgent(w, c);
});

const agentPath = (phoneId = c.phone.id) => `/v1/phones/${phoneId}/ai-agent`;
const remove = (path: string) => w.gateway(path, { key: c.key, method: "DELETE" });
const HOUSEKEEPING = "housekeeping";

/**
 * What an agent of a phone knows and has said: so many conversations of two turns each, so many documents of two
 * chunks.
 */
const givePast = (phoneId: string, count: number) =>
  w.app.env.db.write(async (tx) => {
    for (let n = 0; n < count; n++) {
      const [conversation, document] = [newId(w.app.env), newId(w.app.env)];
      tx.run(
        "INSERT INTO ai_conversations (id, tenant_id, channel_id, contact_key, status, turn_count, created_at) VALUES (?1, ?2, ?3, ?4, 'AI', 2, 0) ON CONFLICT DO NOTHING",
        [conversation, c.accountId, phoneId, `pn:${n}`],
      );
      tx.run(
        "INSERT INTO documents (id, tenant_id, channel_id, source, status, chunk_count, created_at, updated_at) VALUES (?1, ?2, ?3, 'TEXT_INLINE', 'READY', 2, 0, 0)",
        [document, c.accountId, phoneId],
      );
      for (const position of [1, 2]) {
        const id = newId(w.app.env);
        tx.run(
          "INSERT INTO ai_turns (id, conversation_id, role, content, tokens_estimate, created_at) VALUES (?1, ?2, 'USER', 'olá', 1, 0)",
          [id, conversation],
        );
        tx.run(
          "INSERT INTO chunks (id, channel_id, document_id, position, body, vector) VALUES (?1, ?2, ?3, ?4, 'x', x'00')",
          [id, phoneId, document, position],
        );
        tx.run(
          "INSERT INTO chunk_bits (channel_id, seq, bits) SELECT channel_id, seq, x'00' FROM chunks WHERE id = ?1",
          [id],
        );
      }
    }
  });

/** How many rows there are of everything that a phone's agent has. */
const pastOf = async (phoneId: string): Promise<number[]> => {
  const counts = [
    "SELECT count(*) AS n FROM ai_conversations WHERE channel_id = ?1",
    "SELECT count(*) AS n FROM documents WHERE channel_id = ?1",
    "SELECT count(*) AS n FROM chunks WHERE channel_id = ?1",
    "SELECT count(*) AS n FROM chunk_bits WHERE channel_id = ?1",
    "SELECT count(*) AS n FROM ai_turns WHERE conversation_id NOT IN (SELECT id FROM ai_conversations WHERE channel_id <> ?1)",
  ];
  return Promise.all(counts.map(async (sql) => (await rowsOf<{ n: number }>(w, sql, [phoneId]))[0]?.n ?? -1));
};
const NOTHING = [0, 0, 0, 0, 0];

/** Has a job be in the queue of the housekeeping, so that it can be held. */
const holdHousekeeping = async () => {
  await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "agents.expire", {}));
  await w.settle();
  await holdBack(w, HOUSEKEEPING);
};

describe("DELETE …/ai-agent", () => {
  test("X-015 answers 204; the agent is gone at once, and all that it knew and said soon, however much: another phone's stays", async () => {
    const other = await w.wabaPhone(c.key);
    await giveAgent(w, { key: c.key, phone: other });
    await givePast(other.id, 2);
    await givePast(c.phone.id, 1200);
    const removed = await remove(agentPath());
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect(gatewaySays(await w.gateway(agentPath(), { key: c.key }))).toBe("404 AGENT_NOT_FOUND");
    expect(gatewaySays(await remove(agentPath()))).toBe("404 AGENT_NOT_FOUND");
    await w.settle();
    expect(await pastOf(c.phone.id)).toEqual(NOTHING);
    expect((await pastOf(other.id)).slice(0, 4)).toEqual([2, 2, 4, 4]);
    expect((await w.gateway(agentPath(other.id), { key: c.key })).status).toBe(200);
    await remove(agentPath(other.id));
    await w.settle();
  });

  test("X-015 an agent that is made before all of it is gone begins with nothing, and keeps what is its own", async () => {
    await holdHousekeeping();
    const first = (await w.gateway(agentPath(), { key: c.key })).body;
    await givePast(c.phone.id, 600);
    await remove(agentPath());
    expect((await pastOf(c.phone.id))[0]).toBe(600);
    w.clock.advance(1000);
    const second = await giveAgent(w, c);
    expect([second.id === first.id, second.createdAt === first.createdAt]).toEqual([false, false]);
    expect(await pastOf(c.phone.id)).toEqual(NOTHING);
    await givePast(c.phone.id, 3);
    await release(w, HOUSEKEEPING);
    expect(await pastOf(c.phone.id)).toEqual([3, 3, 6, 6, 6]);
    await remove(agentPath());
    await w.settle();
  });

  test("X-015 a phone that is deleted takes its agent with it", async () => {
    await givePast(c.phone.id, 3);
    expect((await remove(`/v1/phones/${c.phone.id}`)).status).toBe(204);
    expect(await rowsOf(w, "SELECT id FROM agents WHERE channel_id = ?1", [c.phone.id])).toEqual([]);
    expect(gatewaySays(await w.gateway(agentPath(), { key: c.key }))).toBe("404 PHONE_NOT_FOUND");
    await w.settle();
    expect(await pastOf(c.phone.id)).toEqual(NOTHING);
  });

  test("X-015 what was begun before a crash goes on after it", async () => {
    await holdHousekeeping();
    await givePast(c.phone.id, 600);
    await remove(agentPath());
    await w.restart();
    await release(w, HOUSEKEEPING);
    expect(await pastOf(c.phone.id)).toEqual(NOTHING);
  });
});
