import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Edited, ProviderMessageId, Reacted, Revoked, Voted } from "../../../contract/events.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../engine/db.ts";
import { holdsNumber } from "../channels/inbox.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

/** Reactions, edits, revocations and votes of unknown messages, in order of arrival. `actKey` recognises a repeated action. */
export const earlyActs = sqliteTable(
  "early_acts",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    environment: text().$type<Environment>().notNull(),
    providerMessageId: text("provider_message_id").$type<ProviderMessageId>().notNull(),
    actKey: text("act_key").notNull(),
    expiresAt: integer("expires_at").notNull(),
    act: text({ mode: "json" }).$type<EarlyAct>().notNull(),
  },
  (t) => [
    uniqueIndex("early_acts_by_message").on(t.channelId, t.providerMessageId, t.actKey),
    index("early_acts_by_channel").on(t.channelId, t.seq),
    index("early_acts_by_expiry").on(t.expiresAt),
  ],
);

export const earlyActsLaws = laws(earlyActs, {
  keeps: {
    group: "messages",
    setting: "none",
    rule: "a day: the message that they are about may still come",
    isSwept: true,
  },
  personal: {
    rowsOf: "channel",
    by: [],
    texts: ["act"],
    isOf: ({ act, provider_message_id: key }, who) => who.namesIn(act) || holdsNumber(key, who),
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by networks; at most 1000 per channel, for a day" },
  files: { act: "holds no content of a message" },
  backup: "rows alone",
});
export type EarlyAct = Reacted | Edited | Revoked | Voted;
type EarlyActRow = typeof earlyActs.$inferSelect;

const DROP_OLDEST = `DELETE FROM early_acts WHERE channel_id = ?1
  AND seq <= (SELECT seq FROM early_acts WHERE channel_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`;

/** Stores an action until its message arrives. A channel keeps its newest `most`. A repeat changes nothing. */
export const keepEarlyAct = async (tx: Tx, row: Omit<EarlyActRow, "seq">, most: number): Promise<void> => {
  const inserted = await tx.q.insert(earlyActs).values(row).onConflictDoNothing().returning({ seq: earlyActs.seq });
  if (inserted.length > 0) tx.run(DROP_OLDEST, [row.channelId, most]);
};

const TAKE = `DELETE FROM early_acts WHERE channel_id = ?1 AND provider_message_id = ?2
    RETURNING seq, environment, act, expires_at AS expiresAt`;

/** Removes and gives the actions that waited for this message, oldest first. */
export const takeEarlyActs = async (
  tx: Tx,
  {
    channelId,
    providerMessageId,
    nowMs,
  }: { channelId: ChannelId; providerMessageId: ProviderMessageId; nowMs: number },
): Promise<{ environment: Environment; act: EarlyAct }[]> => {
  const taken = await tx.rows<{ seq: number; environment: Environment; act: string; expiresAt: number }>(TAKE, [
    channelId,
    providerMessageId,
  ]);
  return taken
    .filter(({ expiresAt }) => expiresAt > nowMs)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ environment, act }) => ({ environment, act: JSON.parse(act) as EarlyAct }));
};

const deleteSome = async (tx: Tx, where: string, bound: number | string, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM early_acts WHERE seq IN (SELECT seq FROM early_acts WHERE ${where} LIMIT ?2) RETURNING 1`,
      [bound, limit],
    )
  ).length === limit;

/** Deletes actions whose message did not arrive in time; at most `limit`. True when there may be more. */
export const pruneEarlyActs = (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  deleteSome(tx, "expires_at <= ?1", nowMs, limit);

/** Deletes the actions of a deleted channel; at most `limit`. True when there may be more. */
export const deleteEarlyActsOf = (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  deleteSome(tx, "channel_id = ?1", channelId, limit);
