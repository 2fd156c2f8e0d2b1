import { and, desc, eq, gt, inArray, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LinkState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelId, SubscriptionId, TenantId } from "../../../kernel/ids.ts";
import { hot, isWrite, type Reader, type Tx } from "../../engine/db.ts";
import { leases } from "../leases.ts";
import { ifWithin, type Scope, type TenantScope, within } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { tenants } from "../tenancy/tenants.ts";
import { deleteKeyStore } from "./key-store.ts";

/**
 * A channel: one connected number or account. `numberId` and `accountId` are its ids at the network, by which inbound
 * envelopes are routed. `validatedAt` is when the network first confirmed them; before that, nothing is routed here.
 * `profile` holds attributes that an API shows.
 */
export const channels = sqliteTable(
  "channels",
  {
    id: text().$type<ChannelId>().primaryKey(),
    tenantId: text("tenant_id")
      .$type<TenantId>()
      .notNull()
      .references(() => tenants.id),
    kind: text().$type<ChannelKind>().notNull(),
    /**
     * True where the link is the connection to the network: `NetworkTraits.holdsConnection` of the adapter that made
     * the channel.
     */
    holdsConnection: integer("holds_connection", { mode: "boolean" }).notNull(),
    label: text().notNull(),
    /** `test`: a test key made it, and no live key or person has connected it yet. */
    environment: text().$type<Environment>().notNull().default("live"),
    state: text().$type<LinkState>().notNull(),
    phoneNumber: text("phone_number"),
    numberId: text("number_id"),
    accountId: text("account_id"),
    verifyTokenHash: text("verify_token_hash"),
    isWebhookConfigured: integer("is_webhook_configured", { mode: "boolean" }).notNull(),
    profile: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    sharedWebhookId: text("shared_webhook_id").$type<SubscriptionId>(),
    validatedAt: integer("validated_at"),
    connectedAt: integer("connected_at"),
    disconnectedAt: integer("disconnected_at"),
    /** Since when the channel is in its state; null for a time before this was recorded. */
    stateSince: integer("state_since"),
    /** When the network was last asked for all of the account's templates. */
    templatesAskedAt: integer("templates_asked_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("channels_by_tenant").on(t.tenantId, t.id),
    index("channels_by_number").on(t.numberId).where(sql`number_id IS NOT NULL`),
    index("channels_by_account").on(t.accountId).where(sql`account_id IS NOT NULL`),
    index("channels_by_verify_token").on(t.verifyTokenHash).where(sql`verify_token_hash IS NOT NULL`),
    index("channels_by_shared_webhook").on(t.sharedWebhookId).where(sql`shared_webhook_id IS NOT NULL`),
    index("channels_live").on(t.id).where(sql`holds_connection = 1 AND validated_at IS NOT NULL`),
    index("channels_by_state").on(t.state, t.kind),
    index("channels_away").on(t.disconnectedAt).where(sql`disconnected_at IS NOT NULL`),
  ],
);
export type ChannelRow = typeof channels.$inferSelect;

export const channelsLaws = laws(channels, {
  keeps: { group: "setup", setting: "none", rule: "stays until it is deleted", isSwept: false },
  personal: { none: "a tenant's own" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "channels" },
  files: { profile: "holds no content of a message" },
  backup: "rows alone",
});

export const insertChannel = async (tx: Tx, row: ChannelRow): Promise<void> =>
  void (await tx.q.insert(channels).values(row));

const byId = hot((q) =>
  q
    .select()
    .from(channels)
    .where(eq(channels.id, sql.placeholder("id")))
    .prepare(),
);

const CACHE_PREFIX = "channel/";

/** Cached for reads. A write reads the table, so that it sees its own changes. */
export const findChannel = async (r: Reader, scope: Scope, id: string): Promise<ChannelRow | undefined> => {
  const load = () => byId(r).get({ id });
  return ifWithin(await (isWrite(r) ? load() : r.cache.through(CACHE_PREFIX + id, load)), scope);
};

/** Newest first, without the kinds in `except`. */
export const listChannels = (r: Reader, scope: Scope, except: readonly ChannelKind[] = []): Promise<ChannelRow[]> =>
  r.q
    .select()
    .from(channels)
    .where(
      and(within(channels.tenantId, scope), except.length > 0 ? notInArray(channels.kind, [...except]) : undefined),
    )
    .orderBy(desc(channels.id));

/** The channels with this name, newest first; at most two, which shows whether the name is one channel's. */
export const listByLabel = (r: Reader, scope: TenantScope, label: string): Promise<ChannelRow[]> =>
  r.q
    .select()
    .from(channels)
    .where(and(within(channels.tenantId, scope), eq(channels.label, label)))
    .orderBy(desc(channels.id))
    .limit(2);

/** A changed state sets `stateSince`; an equal state keeps it. */
const sinceOf = ({ state, updatedAt }: Partial<ChannelRow>): { stateSince?: SQL } =>
  state === undefined || updatedAt === undefined
    ? {}
    : { stateSince: sql`CASE WHEN ${channels.state} = ${state} THEN ${channels.stateSince} ELSE ${updatedAt} END` };

/** The changed row; undefined when there is none in scope. */
export const updateChannel = async (
  tx: Tx,
  scope: Scope,
  id: ChannelId,
  changes: Partial<ChannelRow>,
): Promise<ChannelRow | undefined> => {
  tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  const changed = await tx.q
    .update(channels)
    .set({ ...changes, ...sinceOf(changes) })
    .where(and(eq(channels.id, id), within(channels.tenantId, scope)))
    .returning();
  return changed[0];
};

/**
 * Deletes the channel with its vault and its keys. Its messages stay for audit. Gives the deleted row, or undefined.
 */
export const deleteChannel = async (tx: Tx, scope: Scope, id: string): Promise<ChannelRow | undefined> => {
  tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  const gone = await tx.q
    .delete(channels)
    .where(and(eq(channels.id, id as ChannelId), within(channels.tenantId, scope)))
    .returning();
  if (gone.length > 0) await tx.q.delete(vault).where(eq(vault.channelId, id as ChannelId));
  if (gone.length > 0) deleteKeyStore(tx, id as ChannelId);
  if (gone.length > 0) await tx.q.delete(leases).where(eq(leases.key, id));
  return gone[0];
};

const byNumber = hot((q) =>
  q
    .select()
    .from(channels)
    .where(and(eq(channels.numberId, sql.placeholder("id")), eq(channels.kind, sql.placeholder("kind"))))
    .prepare(),
);
const byAccount = hot((q) =>
  q
    .select()
    .from(channels)
    .where(and(eq(channels.accountId, sql.placeholder("id")), eq(channels.kind, sql.placeholder("kind"))))
    .prepare(),
);

/** The channels that an envelope is for. Includes channels that are not validated yet: their events have to wait. */
export const findChannelsByRoute = (
  r: Reader,
  kind: ChannelKind,
  { by, id }: { by: "number" | "account"; id: string },
): Promise<ChannelRow[]> => (by === "number" ? byNumber : byAccount)(r).all({ id, kind });

/**
 * The channels that need a live link when the process starts: those that are connecting, and those with
 * `holdsConnection` that were connected before. A channel that the network refused is tried again. A channel that waits
 * for its pairing continues when somebody asks for its code.
 */
export const listConnecting = async (r: Reader): Promise<ChannelRow[]> => [
  ...(await r.q.select().from(channels).where(sql`holds_connection = 1 AND validated_at IS NOT NULL`)),
  ...(await r.q
    .select()
    .from(channels)
    .where(
      sql`state IN ('PENDING_WEBHOOK', 'CONNECTING') AND NOT (holds_connection = 1 AND validated_at IS NOT NULL)`,
    )),
];

export const listConnected = (r: Reader, kinds: readonly ChannelKind[]): Promise<Pick<ChannelRow, "id">[]> =>
  r.q
    .select({ id: channels.id })
    .from(channels)
    .where(and(inArray(channels.kind, [...kinds]), inArray(channels.state, ["CONNECTED", "RESTRICTED"])));

/**
 * Records that the network is asked for the channel's templates now. False when that was already recorded after
 * `sinceMs`.
 */
export const claimTemplateSync = async (
  tx: Tx,
  id: ChannelId,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<boolean> => {
  tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  const claim =
    "UPDATE channels SET templates_asked_at = ?2 WHERE id = ?1 AND coalesce(templates_asked_at, 0) <= ?3 RETURNING 1";
  return (await tx.rows(claim, [id, nowMs, sinceMs])).length > 0;
};

/** The channels of a kind with this number, of whichever tenant. For the administrator: it reads all of the kind. */
export const listByPhoneNumber = (r: Reader, kind: ChannelKind, phoneNumber: string): Promise<ChannelRow[]> =>
  r.q
    .select()
    .from(channels)
    .where(and(eq(channels.kind, kind), eq(channels.phoneNumber, phoneNumber)))
    .orderBy(channels.id);

/** The kinds of all existing channels. */
export const listKinds = async (r: Reader): Promise<ChannelKind[]> =>
  (await r.rows<{ kind: ChannelKind }>("SELECT DISTINCT kind FROM channels INDEXED BY channels_by_state")).map(
    ({ kind }) => kind,
  );

/** The next channels in a state, by id. */
export const listByState = (
  r: Reader,
  { kinds, state, afterId, limit }: { kinds: readonly ChannelKind[]; state: LinkState; afterId: string; limit: number },
): Promise<ChannelRow[]> =>
  r.q
    .select()
    .from(channels)
    .where(and(eq(channels.state, state), inArray(channels.kind, [...kinds]), gt(channels.id, afterId as ChannelId)))
    .orderBy(channels.id)
    .limit(limit);

const usesVerifyToken = (tokenHash: string): SQL | undefined =>
  and(eq(channels.verifyTokenHash, tokenHash), isNotNull(channels.verifyTokenHash));

/** Whether a channel uses this verify token. */
export const isVerifyToken = async (r: Reader, tokenHash: string): Promise<boolean> =>
  (await r.q.select({ id: channels.id }).from(channels).where(usesVerifyToken(tokenHash)).limit(1)).length > 0;

/** Marks the channels that use this verify token; false when none does. */
export const confirmVerifyToken = async (tx: Tx, tokenHash: string): Promise<boolean> => {
  const confirmed = await tx.q
    .update(channels)
    .set({ isWebhookConfigured: true })
    .where(usesVerifyToken(tokenHash))
    .returning({ id: channels.id });
  for (const { id } of confirmed) tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  return confirmed.length > 0;
};

/** A channel's secrets, one sealed row per field. */
export const vault = sqliteTable(
  "vault",
  { channelId: text("channel_id").$type<ChannelId>().notNull(), field: text().notNull(), sealed: text().notNull() },
  (t) => [primaryKey({ columns: [t.channelId, t.field] })],
);

export const vaultLaws = laws(vault, {
  keeps: { group: "setup", setting: "none", rule: "goes with its channel", isSwept: false },
  personal: { none: "a tenant's own" },
  joins: "of no tenant",
  sealed: { sealed: "vault:{channel_id}:{field}" },
  grows: { bound: "as many as a channel's kind has secrets" },
  files: "none",
  backup: "rows alone",
});

const fieldsOf = hot((q) =>
  q
    .select()
    .from(vault)
    .where(eq(vault.channelId, sql.placeholder("channelId")))
    .prepare(),
);

export const readVault = (r: Reader, channelId: string) => fieldsOf(r).all({ channelId });

/** Replaces the given fields; others stay. */
export const writeVault = async (tx: Tx, rows: (typeof vault.$inferInsert)[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx.q
    .insert(vault)
    .values(rows)
    .onConflictDoUpdate({ target: [vault.channelId, vault.field], set: { sealed: sql`excluded.sealed` } });
};

/** Those of these ids that are channels in scope. */
export const listChannelIds = async (r: Reader, scope: Scope, ids: readonly string[]): Promise<ChannelId[]> =>
  ids.length === 0
    ? []
    : (
        await r.q
          .select({ id: channels.id })
          .from(channels)
          .where(and(inArray(channels.id, ids as ChannelId[]), within(channels.tenantId, scope)))
      ).map(({ id }) => id);

/** The tenant's channels that link to a shared webhook. */
export const listLinkedChannels = (r: Reader, scope: Scope): Promise<Pick<ChannelRow, "id" | "sharedWebhookId">[]> =>
  r.q
    .select({ id: channels.id, sharedWebhookId: channels.sharedWebhookId })
    .from(channels)
    .where(and(within(channels.tenantId, scope), isNotNull(channels.sharedWebhookId)));

/** The webhook is already deleted. Only channels of its tenant could link to it. */
export const unlinkSharedWebhook = async (tx: Tx, id: SubscriptionId): Promise<void> => {
  tx.atCommit(() => tx.cache.forgetAll(CACHE_PREFIX));
  await tx.q.update(channels).set({ sharedWebhookId: null }).where(eq(channels.sharedWebhookId, id));
};

/** Recado's ids and the networks' ids of a tenant's channels. */
export const listRoutesOf = async (r: Reader, tenantId: TenantId): Promise<string[]> => {
  const rows = await r.rows<{ ids: string }>(
    "SELECT json_array(id, number_id, account_id) AS ids FROM channels WHERE tenant_id = ?1",
    [tenantId],
  );
  return rows.flatMap(({ ids }) => (JSON.parse(ids) as (string | null)[]).flatMap((id) => id ?? []));
};

/** How many channels keep a live link. */
export const countLiveChannels = async (r: Reader): Promise<number> =>
  (await r.rows<{ n: number }>("SELECT count(*) AS n FROM channels WHERE holds_connection = 1"))[0]?.n ?? 0;
