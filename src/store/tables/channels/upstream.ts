import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/** A body is stored as its text; in base64 where it is no text that a column can hold. */
export type BodyEncoding = "utf-8" | "base64";

const exactText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The columns of a body. */
export const encodedBody = (bytes: Uint8Array): { body: string; encoding: BodyEncoding } => {
  try {
    const body = exactText.decode(bytes);
    if (!body.includes("\0")) return { body, encoding: "utf-8" };
  } catch {
    // no UTF-8
  }
  return { body: Buffer.from(bytes).toString("base64"), encoding: "base64" };
};

/** The exact bytes of a stored body. */
export const bodyBytes = ({ body, encoding }: Pick<EnvelopeRow, "body" | "encoding">): Buffer =>
  Buffer.from(body, encoding);

/** Envelopes as the network posted them. They are stored whole, so that content of an unknown form is not lost. */
export const upstreamEnvelopes = sqliteTable(
  "upstream_envelopes",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    plugin: text().notNull(),
    /** The channel, if the envelope's address named it. */
    channelId: text("channel_id").$type<ChannelId>(),
    hash: text().notNull().unique(),
    /** What an adapter reads of the request besides its body, as JSON; empty in rows of an earlier version. */
    head: text().notNull().default(""),
    /** The exact bytes of the body, as `encoding` says. */
    body: text().notNull(),
    encoding: text().$type<BodyEncoding>().notNull().default("utf-8"),
    receivedAt: integer("received_at").notNull(),
  },
  (t) => [index("upstream_envelopes_by_age").on(t.receivedAt)],
);

const erase = statement<never, { at: number }>(
  "UPDATE upstream_envelopes SET head = '', body = '{}', encoding = 'utf-8' WHERE rowid = :at",
);

export const upstreamEnvelopesLaws = laws(upstreamEnvelopes, {
  keeps: { group: "messages", setting: "none", rule: "8 days", isSwept: true },
  personal: {
    rowsOf: {
      // an envelope of all channels has no tenant of its own: its body names the channel; of a deleted channel the audit
      // log still knows the tenant
      columns: `upstream_envelopes.*, COALESCE((SELECT tenant_id FROM channels WHERE id = channel_id), (SELECT tenant_id
        FROM audit_entries WHERE action = 'channel.delete' AND target = channel_id)) AS tenantId, EXISTS (SELECT 1 FROM
        jobs WHERE unique_key = 'upstream:' || upstream_envelopes.id) AS isWaiting`,
      from: "upstream_envelopes",
    },
    by: [],
    texts: [],
    isOf: ({ head, body, encoding }, who) =>
      who.mentions(head) || who.mentions(encoding === "base64" ? Buffer.from(String(body), encoding).toString() : body),
    // the hash stays, because it shows that an envelope was posted before
    erase(tx, { at, isWaiting }) {
      if (isWaiting === 1) return { wait: true };
      erase.run(tx, { at });
      return {};
    },
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by networks; kept for days" },
  files: "none",
  backup: "rows alone",
});

export type EnvelopeRow = typeof upstreamEnvelopes.$inferSelect;

const insert = statement<{ id: number }, Omit<EnvelopeRow, "id">>(
  `INSERT INTO upstream_envelopes (plugin, channel_id, hash, head, body, encoding, received_at)
    VALUES (:plugin, :channelId, :hash, :head, :body, :encoding, :receivedAt) ON CONFLICT DO NOTHING RETURNING id`,
);

/** The envelope's id; undefined if the same bytes came before. */
export const insertEnvelope = async (tx: Tx, row: Omit<EnvelopeRow, "id">): Promise<number | undefined> =>
  (await insert.get(tx, row))?.id;

const byId = statement<EnvelopeRow, { id: number }>(
  "SELECT * FROM upstream_envelopes WHERE id = :id",
  columnsOf(upstreamEnvelopes),
);

export const findEnvelope = (r: Reader, id: number): Promise<EnvelopeRow | undefined> => byId.get(r, { id });

const prune = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM upstream_envelopes WHERE id IN (SELECT id FROM upstream_envelopes e WHERE received_at < :beforeMs
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'upstream:' || e.id) ORDER BY received_at LIMIT :limit)
    RETURNING 1`,
);

/**
 * Deletes at most `limit` envelopes from before `beforeMs`, except those with a waiting job; true when there may be
 * more.
 */
export const pruneEnvelopes = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeMs, limit })).length === limit;
