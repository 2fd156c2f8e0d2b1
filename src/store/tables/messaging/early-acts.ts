import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type {
  Edited,
  Kept,
  Pinned,
  ProviderMessageId,
  Reacted,
  Responded,
  Revoked,
  Voted,
} from "../../../contract/events.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../engine/db.ts";
import { columnsOf, insertNew, statement } from "../../engine/statement.ts";
import { holdsNumber } from "../channels/inbox.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

/** Acts on unknown messages, such as reactions and votes, in order of arrival. `actKey` recognises a repeated action. */
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
    rule: "a day, because their message may still arrive",
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
export type EarlyAct = Reacted | Edited | Revoked | Voted | Pinned | Kept | Responded;
type EarlyActRow = typeof earlyActs.$inferSelect;

const insert = insertNew(earlyActs);

const dropOldest = statement<never, { channelId: ChannelId; most: number }>(
  `DELETE FROM early_acts WHERE channel_id = :channelId
    AND seq <= (SELECT seq FROM early_acts WHERE channel_id = :channelId ORDER BY seq DESC LIMIT 1 OFFSET :most)`,
);

/** Stores an action until its message arrives. A channel keeps its newest `most`. A repeat changes nothing. */
export const keepEarlyAct = async (tx: Tx, row: Omit<EarlyActRow, "seq">, most: number): Promise<void> => {
  if (await insert(tx, row)) dropOldest.run(tx, { channelId: row.channelId, most });
};

type Taken = Pick<EarlyActRow, "seq" | "environment" | "act" | "expiresAt">;
const take = statement<Taken, { channelId: ChannelId; providerMessageId: ProviderMessageId }>(
  `DELETE FROM early_acts WHERE channel_id = :channelId AND provider_message_id = :providerMessageId
    RETURNING *`,
  columnsOf(earlyActs, "seq", "environment", "act", "expiresAt"),
);

/** Removes and gives the actions that waited for this message, oldest first. */
export const takeEarlyActs = async (
  tx: Tx,
  {
    channelId,
    providerMessageId,
    nowMs,
  }: { channelId: ChannelId; providerMessageId: ProviderMessageId; nowMs: number },
): Promise<{ environment: Environment; act: EarlyAct }[]> =>
  (await take.all(tx, { channelId, providerMessageId }))
    .filter(({ expiresAt }) => expiresAt > nowMs)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ environment, act }) => ({ environment, act }));

const deleteSome = (where: string): string =>
  `DELETE FROM early_acts WHERE seq IN (SELECT seq FROM early_acts WHERE ${where} LIMIT :limit) RETURNING 1`;
const removeExpired = statement<unknown, { nowMs: number; limit: number }>(deleteSome("expires_at <= :nowMs"));
const removeOf = statement<unknown, { channelId: ChannelId; limit: number }>(deleteSome("channel_id = :channelId"));

/** Deletes actions whose message did not arrive in time; at most `limit`. True when there may be more. */
export const pruneEarlyActs = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await removeExpired.all(tx, { nowMs, limit })).length === limit;

/** Deletes the actions of a deleted channel; at most `limit`. True when there may be more. */
export const deleteEarlyActsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeOf.all(tx, { channelId, limit })).length === limit;
