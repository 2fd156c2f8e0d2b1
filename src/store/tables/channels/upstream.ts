import { eq, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
import { laws } from "../table-laws.ts";

/** Envelopes as the network posted them, stored whole, so that content which is not understood today is not lost. */
export const upstreamEnvelopes = sqliteTable(
  "upstream_envelopes",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    plugin: text().notNull(),
    /** The channel, where the envelope's address named it. */
    channelId: text("channel_id").$type<ChannelId>(),
    hash: text().notNull().unique(),
    body: text().notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (t) => [index("upstream_envelopes_by_age").on(t.receivedAt)],
);

export const upstreamEnvelopesLaws = laws(upstreamEnvelopes, {
  keeps: { group: "messages", setting: "none", rule: "8 days", isSwept: true },
  personal: {
    rowsOf: {
      columns: `upstream_envelopes.*, NULL AS tenantId, EXISTS (SELECT 1 FROM jobs
        WHERE unique_key = 'upstream:' || upstream_envelopes.id) AS isWaiting`,
      from: "upstream_envelopes",
    },
    by: [],
    texts: [],
    isOf: ({ body }, who) => who.mentions(body),
    // the hash stays, so that the same envelope is recognised when it is posted again
    erase(tx, { at, isWaiting }) {
      if (isWaiting === 1) return { wait: true };
      tx.run("UPDATE upstream_envelopes SET body = '{}' WHERE rowid = ?1", [at]);
      return {};
    },
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by networks; kept for days" },
  files: "none",
  backup: "rows alone",
});

const insert = hot((q) =>
  q
    .insert(upstreamEnvelopes)
    .values({
      plugin: sql.placeholder("plugin"),
      channelId: sql.placeholder("channelId"),
      hash: sql.placeholder("hash"),
      body: sql.placeholder("body"),
      receivedAt: sql.placeholder("receivedAt"),
    })
    .onConflictDoNothing()
    .returning({ id: upstreamEnvelopes.id })
    .prepare(),
);

type NewEnvelope = { plugin: string; channelId: ChannelId | null; hash: string; body: string; receivedAt: number };

/** The envelope's id; undefined when the same bytes came before. */
export const insertEnvelope = async (tx: Tx, row: NewEnvelope): Promise<number | undefined> =>
  (await insert(tx).all(row))[0]?.id;

const byId = hot((q) =>
  q
    .select()
    .from(upstreamEnvelopes)
    .where(eq(upstreamEnvelopes.id, sql.placeholder("id")))
    .prepare(),
);

export const findEnvelope = (r: Reader, id: number) => byId(r).get({ id });

/**
 * Deletes at most `limit` envelopes from before `beforeMs`, except those with a waiting job; true when there may be
 * more.
 */
export const pruneEnvelopes = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM upstream_envelopes WHERE id IN (SELECT id FROM upstream_envelopes e WHERE received_at < ?1
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'upstream:' || e.id) ORDER BY received_at LIMIT ?2)
        RETURNING id`,
      [beforeMs, limit],
    )
  ).length === limit;
