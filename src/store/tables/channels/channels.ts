import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LinkState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelId, SubscriptionId, TenantId } from "../../../kernel/ids.ts";
import { isWrite, type Reader, type Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope, type TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { tenants } from "../tenancy/tenants.ts";
import { deleteKeyStore } from "./key-store.ts";

/**
 * A channel: one connected number or account. `numberId` and `accountId` are its ids at the network, and route inbound
 * envelopes. `validatedAt` is when the network first confirmed them; before that, nothing is routed here. `profile`
 * holds attributes that an API shows.
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
     * True if the link is the connection to the network: `NetworkTraits.holdsConnection` of the adapter that made the
     * channel.
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
    /** Since when the channel is in its state; null if the state is older than this column. */
    stateSince: integer("state_since"),
    /** When Recado last asked the network for all of the account's templates. */
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
  keeps: { group: "setup", setting: "none", rule: "until it is deleted", isSwept: false },
  personal: { none: "the account's own data" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "channels", where: "tenant_id = :owner" },
  files: { profile: "holds no content of a message" },
  backup: "rows alone",
});

const CHANNEL = columnsOf(channels);
type ById = { id: string };

const insert = insertInto(channels);
export const insertChannel = async (tx: Tx, row: ChannelRow): Promise<void> => insert(tx, row);

const byId = statement<ChannelRow, ById>("SELECT * FROM channels WHERE id = :id", CHANNEL);

const CACHE_PREFIX = "channel/";

/** Cached for reads. A write reads the table, so that it sees its own changes. */
export const findChannel = async (r: Reader, scope: Scope, id: string): Promise<ChannelRow | undefined> => {
  const load = () => byId.get(r, { id });
  return ifWithin(await (isWrite(r) ? load() : r.cache.through(CACHE_PREFIX + id, load)), scope);
};

/** Newest first, without the kinds in `except`. Bound: the account's limit of channels. */
export const listChannels = (r: Reader, scope: Scope, except: readonly ChannelKind[] = []): Promise<ChannelRow[]> =>
  statement<ChannelRow, Scope & { except: readonly ChannelKind[] }>(
    lines(
      "SELECT * FROM channels WHERE true",
      inScope(scope),
      except.length > 0 && "AND kind NOT IN (SELECT value FROM json_each(:except))",
      "ORDER BY id DESC",
    ),
    CHANNEL,
  ).all(r, { ...scope, except });

const byLabel = statement<ChannelRow, TenantScope & { label: string }>(
  "SELECT * FROM channels WHERE tenant_id = :tenantId AND label = :label ORDER BY id DESC LIMIT 2",
  CHANNEL,
);

/** The channels with this name, newest first. At most two, because callers ask only whether the name is unique. */
export const listByLabel = (r: Reader, { tenantId }: TenantScope, label: string): Promise<ChannelRow[]> =>
  byLabel.all(r, { tenantId, label });

const IN_SCOPE = "WHERE id = :id AND (:tenantId IS NULL OR tenant_id = :tenantId) RETURNING *";
type InScope = { id: string; tenantId: TenantId | null };
const update = updateOf<typeof channels, InScope>(channels, IN_SCOPE);

/** A changed state sets `stateSince`; an equal state keeps it. */
const changeState = updateOf<typeof channels, InScope>(channels, IN_SCOPE, {
  stateSince: "CASE WHEN state = :new_state THEN state_since ELSE :new_updatedAt END",
});

/** The changed row; undefined if no such row is in scope. */
export const updateChannel = async (
  tx: Tx,
  scope: Scope,
  id: ChannelId,
  changes: Partial<ChannelRow>,
): Promise<ChannelRow | undefined> => {
  tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  const params = { id, tenantId: scope.tenantId ?? null };
  const isState = changes.state !== undefined && changes.updatedAt !== undefined;
  const changed = isState
    ? await changeState(tx, { ...changes, stateSince: null }, params)
    : await update(tx, changes, params);
  return changed[0];
};

const removeVault = statement<never, ById>("DELETE FROM vault WHERE channel_id = :id");
const removeLease = statement<never, ById>("DELETE FROM leases WHERE key = :id");

/**
 * Deletes the channel with its vault and its keys. Its messages stay for audit. Gives the deleted row, or undefined.
 */
export const deleteChannel = async (tx: Tx, scope: Scope, id: string): Promise<ChannelRow | undefined> => {
  tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  const gone = await statement<ChannelRow, Scope & ById>(
    `DELETE FROM channels WHERE id = :id ${inScope(scope)} RETURNING *`,
    CHANNEL,
  ).get(tx, { ...scope, id });
  if (!gone) return undefined;
  removeVault.run(tx, { id });
  deleteKeyStore(tx, gone.id);
  removeLease.run(tx, { id });
  return gone;
};

type Route = { id: string; kind: ChannelKind };
const BY_ROUTE = {
  number: statement<ChannelRow, Route>("SELECT * FROM channels WHERE number_id = :id AND kind = :kind", CHANNEL),
  account: statement<ChannelRow, Route>("SELECT * FROM channels WHERE account_id = :id AND kind = :kind", CHANNEL),
};

/**
 * The channels that receive an envelope. They include channels that are not validated yet, because their events wait.
 * Bound: the numbers of one account at the network.
 */
export const findChannelsByRoute = (
  r: Reader,
  kind: ChannelKind,
  { by, id }: { by: keyof typeof BY_ROUTE; id: string },
): Promise<ChannelRow[]> => BY_ROUTE[by].all(r, { id, kind });

const IS_LIVE = "holds_connection = 1 AND validated_at IS NOT NULL"; // in the words of the index
const live = statement<ChannelRow>(`SELECT * FROM channels WHERE ${IS_LIVE}`, CHANNEL);
const connecting = statement<ChannelRow>(
  `SELECT * FROM channels WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING') AND NOT (${IS_LIVE})`,
  CHANNEL,
);

/**
 * The channels that need a live link when the process starts. These are connecting channels, and channels with
 * `holdsConnection` that were connected before. A channel that the network refused is tried again. A channel that
 * waits for its pairing continues when somebody asks for its code. Bound: the channels of this server, whose links are
 * in memory too.
 */
export const listConnecting = async (r: Reader): Promise<ChannelRow[]> => [
  ...(await live.all(r)),
  ...(await connecting.all(r)),
];

type OfKinds = { kinds: readonly ChannelKind[] };
const IS_OF_KINDS = "kind IN (SELECT value FROM json_each(:kinds))";

type AskedAt = { nowMs: number; sinceMs: number };
const claimSync = statement<unknown, ById & AskedAt>(
  `UPDATE channels SET templates_asked_at = :nowMs WHERE id = :id AND coalesce(templates_asked_at, 0) <= :sinceMs
    RETURNING 1`,
);

/**
 * Records that Recado asks the network for the channel's templates now. False when that was already recorded after
 * `sinceMs`.
 */
export const claimTemplateSync = async (tx: Tx, id: ChannelId, { nowMs, sinceMs }: AskedAt): Promise<boolean> => {
  tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  return (await claimSync.all(tx, { id, nowMs, sinceMs })).length > 0;
};

const byPhoneNumber = statement<ChannelRow, { kind: ChannelKind; phoneNumber: string }>(
  "SELECT * FROM channels WHERE kind = :kind AND phone_number = :phoneNumber ORDER BY id",
  CHANNEL,
);

/**
 * The channels of a kind with this number, of all tenants. Only for the administrator, because it reads every channel
 * of the kind. Bound: the accounts that have the number.
 */
export const listByPhoneNumber = (r: Reader, kind: ChannelKind, phoneNumber: string): Promise<ChannelRow[]> =>
  byPhoneNumber.all(r, { kind, phoneNumber });

const kindsOfAll = statement<{ kind: ChannelKind }>("SELECT DISTINCT kind FROM channels INDEXED BY channels_by_state");

/** The kinds of all existing channels. Bound: one row per kind. */
export const listKinds = async (r: Reader): Promise<ChannelKind[]> => (await kindsOfAll.all(r)).map(({ kind }) => kind);

type InState = OfKinds & { state: LinkState; afterId: string; limit: number };
const byState = statement<ChannelRow, InState>(
  `SELECT * FROM channels WHERE state = :state AND ${IS_OF_KINDS} AND id > :afterId ORDER BY id LIMIT :limit`,
  CHANNEL,
);

/** The next channels in a state, by id. */
export const listByState = (r: Reader, asked: InState): Promise<ChannelRow[]> => byState.all(r, asked);

const USES_TOKEN = "verify_token_hash = :tokenHash AND verify_token_hash IS NOT NULL"; // in the words of the index

const withToken = statement<unknown, { tokenHash: string }>(`SELECT 1 FROM channels WHERE ${USES_TOKEN} LIMIT 1`);

/** Whether a channel uses this verify token. */
export const isVerifyToken = async (r: Reader, tokenHash: string): Promise<boolean> =>
  (await withToken.all(r, { tokenHash })).length > 0;

const confirm = statement<Pick<ChannelRow, "id">, { tokenHash: string }>(
  `UPDATE channels SET is_webhook_configured = 1 WHERE ${USES_TOKEN} RETURNING id`,
);

/** Marks the channels that use this verify token; false if no channel uses it. */
export const confirmVerifyToken = async (tx: Tx, tokenHash: string): Promise<boolean> => {
  const confirmed = await confirm.all(tx, { tokenHash });
  for (const { id } of confirmed) tx.atCommit(() => tx.cache.forget(CACHE_PREFIX + id));
  return confirmed.length > 0;
};

/** A channel's secrets, one sealed row per field. */
export const vault = sqliteTable(
  "vault",
  { channelId: text("channel_id").$type<ChannelId>().notNull(), field: text().notNull(), sealed: text().notNull() },
  (t) => [primaryKey({ columns: [t.channelId, t.field] })],
);
type VaultRow = typeof vault.$inferSelect;

export const vaultLaws = laws(vault, {
  keeps: { group: "setup", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: { sealed: "vault:{channel_id}:{field}" },
  grows: { bound: "as many as a channel's kind has secrets" },
  files: "none",
  backup: "rows alone",
});

const fieldsOf = statement<VaultRow, { channelId: string }>(
  "SELECT * FROM vault WHERE channel_id = :channelId",
  columnsOf(vault),
);

/** Bound: the secrets of the channel's kind, and its settings. */
export const readVault = (r: Reader, channelId: string): Promise<VaultRow[]> => fieldsOf.all(r, { channelId });

const putFields = statement<never, { rows: readonly VaultRow[] }>(
  `INSERT INTO vault (channel_id, field, sealed)
    SELECT value ->> 'channelId', value ->> 'field', value ->> 'sealed' FROM json_each(:rows) WHERE true
    ON CONFLICT (channel_id, field) DO UPDATE SET sealed = excluded.sealed`,
);

/** Replaces the given fields; others stay. */
export const writeVault = async (tx: Tx, rows: readonly VaultRow[]): Promise<void> => {
  if (rows.length > 0) putFields.run(tx, { rows });
};

const dropFields = statement<never, { channelId: string; names: readonly string[] }>(
  "DELETE FROM vault WHERE channel_id = :channelId AND field IN (SELECT value FROM json_each(:names))",
);

export const deleteVaultFields = (tx: Tx, channelId: ChannelId, names: readonly string[]): void => {
  if (names.length > 0) dropFields.run(tx, { channelId, names });
};

/** The ids among these that name channels in scope. Bound: the ids of the caller. */
export const listChannelIds = async (r: Reader, scope: Scope, ids: readonly string[]): Promise<ChannelId[]> => {
  if (ids.length === 0) return [];
  const found = statement<Pick<ChannelRow, "id">, Scope & { ids: readonly string[] }>(
    `SELECT id FROM channels WHERE id IN (SELECT value FROM json_each(:ids)) ${inScope(scope)}`,
  );
  return (await found.all(r, { ...scope, ids })).map(({ id }) => id);
};

/** The tenant's channels that link to a shared webhook. Bound: the account's limit of channels. */
export const listLinkedChannels = (r: Reader, scope: Scope): Promise<Pick<ChannelRow, "id" | "sharedWebhookId">[]> =>
  statement<Pick<ChannelRow, "id" | "sharedWebhookId">, Scope>(
    `SELECT id, shared_webhook_id AS sharedWebhookId FROM channels WHERE shared_webhook_id IS NOT NULL
      ${inScope(scope)}`,
  ).all(r, scope);

const unlink = statement<never, { id: SubscriptionId }>(
  "UPDATE channels SET shared_webhook_id = NULL WHERE shared_webhook_id = :id",
);

/** The webhook is already deleted. Only channels of its tenant could link to it. */
export const unlinkSharedWebhook = async (tx: Tx, id: SubscriptionId): Promise<void> => {
  tx.atCommit(() => tx.cache.forgetAll(CACHE_PREFIX));
  unlink.run(tx, { id });
};

const routesOf = statement<Pick<ChannelRow, "id" | "numberId" | "accountId">, TenantScope>(
  "SELECT * FROM channels WHERE tenant_id = :tenantId",
  columnsOf(channels, "id", "numberId", "accountId"),
);

/** Recado's ids and the networks' ids of a tenant's channels. Bound: the account's limit of channels. */
export const listRoutesOf = async (r: Reader, tenantId: TenantId): Promise<string[]> =>
  (await routesOf.all(r, { tenantId })).flatMap(({ id, numberId, accountId }) =>
    [id, numberId, accountId].flatMap((known) => known ?? []),
  );

const countLive = statement<{ n: number }>("SELECT count(*) AS n FROM channels WHERE holds_connection = 1");

/** The number of channels that keep a live link. */
export const countLiveChannels = async (r: Reader): Promise<number> => (await countLive.get(r))?.n ?? 0;
