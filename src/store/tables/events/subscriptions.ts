import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, SubscriptionId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { tenants } from "../tenancy/tenants.ts";

/**
 * `phone`: the webhook of one channel. `shared`: a webhook that several channels link to. `account`: a webhook for all
 * events of the account. `app`: a program that uses one channel through an API of its own, and ends with the channel.
 */
export type SubscriptionKind = "phone" | "shared" | "account" | "app";

/** The direction of a message: from the network, or to it. */
export const DIRECTIONS = ["inbound", "outbound"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * `none`: later deliveries overtake a failed one. `chat`: a failed delivery holds back the later ones of its chat until
 * it is delivered or a dead letter.
 */
export const ORDERINGS = ["none", "chat"] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** SQL: a shared webhook that gets events of channels which do not link to it. The predicate of an index. */
const IS_WIDE = "kind = 'shared' AND (all_channels = 1 OR channel_ids IS NOT NULL)";

/** The subscriptions of one audience and kind. */
export type SubscriptionsOf = { audience: string; kind: SubscriptionKind };

/** Without an audience: the subscriptions of all audiences. */
type OfKind = Partial<Pick<SubscriptionsOf, "audience">> & Pick<SubscriptionsOf, "kind">;

/**
 * A subscription to events, and its URL. `secret` and `previousSecret` are sealed; deliveries are signed with the
 * previous one too until `previousSecretUntil`. `maxRetries` and `retryDelayMs` are the subscriber's wishes; the
 * audience decides whether they count. `disabledAt`: since when deliveries are paused. They are paused while it is
 * disabled, and until the paused deliveries have gone out after it is active again.
 *
 * Its owner and its lost events disable it. Only its owner activates it, whatever disabled it: no success and no time
 * does. The breaker pauses its queue, which is another pause: it ends by itself, and leaves `isActive` as it is.
 */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text().$type<SubscriptionId>().primaryKey(),
    tenantId: text("tenant_id")
      .$type<TenantId>()
      .notNull()
      .references(() => tenants.id),
    /** The audience whose events it gets: see `core/events/audience.ts`. */
    audience: text().notNull(),
    kind: text().$type<SubscriptionKind>().notNull(),
    channelId: text("channel_id").$type<ChannelId>(),
    /** `test`: a test key made it, and it gets only test events. */
    environment: text().$type<Environment>().notNull().default("live"),
    name: text().notNull(),
    /** The URL without its password. */
    url: text().notNull(),
    /** The whole URL, sealed; null for a URL without a password. */
    sealedUrl: text("sealed_url"),
    secret: text().notNull(),
    previousSecret: text("previous_secret"),
    previousSecretUntil: integer("previous_secret_until"),
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The directions of the messages whose events it gets; null for both. */
    directions: text({ mode: "json" }).$type<Direction[]>(),
    /**
     * `account`: the channels that it is limited to, null for all. `shared`: channels whose events it gets although
     * they do not link to it.
     */
    channelIds: text("channel_ids", { mode: "json" }).$type<ChannelId[]>(),
    /** Only for `shared`: it gets the events of every channel. */
    allChannels: integer("all_channels", { mode: "boolean" }).notNull().default(false),
    /** Request headers of its owner, sealed: a JSON object. */
    headers: text(),
    /** The program behind the URL, if the audience adapts its bodies to it. */
    profile: text(),
    /** When the URL last answered the handshake; null if its audience asks for no handshake. */
    verifiedAt: integer("verified_at"),
    ordering: text().$type<Ordering>().notNull().default("none"),
    isActive: integer("is_active", { mode: "boolean" }).notNull(),
    disabledAt: integer("disabled_at"),
    maxRetries: integer("max_retries").notNull(),
    retryDelayMs: integer("retry_delay_ms").notNull(),
    consecutiveFailures: integer("consecutive_failures").notNull(),
    lastFailedAt: integer("last_failed_at"),
    /**
     * Failures since the last success, counted from `breakerSince`; the number of times that the breaker has opened
     * since; and until when it is open.
     */
    breakerFailures: integer("breaker_failures").notNull(),
    breakerSince: integer("breaker_since").notNull(),
    breakerTrips: integer("breaker_trips").notNull(),
    breakerOpenUntil: integer("breaker_open_until").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("subscriptions_by_tenant").on(t.tenantId, t.id),
    index("subscriptions_of_account").on(t.tenantId, t.id).where(sql`kind = 'account'`),
    index("subscriptions_wide").on(t.tenantId, t.id).where(sql.raw(IS_WIDE)),
    index("subscriptions_by_channel").on(t.channelId).where(sql`channel_id IS NOT NULL`),
    index("subscriptions_rotated").on(t.previousSecretUntil).where(sql`previous_secret_until IS NOT NULL`),
  ],
);
export type SubscriptionRow = typeof subscriptions.$inferSelect;

export const subscriptionsLaws = laws(subscriptions, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until it is deleted; the webhook of a deleted channel stays until no delivery waits for it",
    isSwept: true,
  },
  personal: { none: "the account's own data" },
  joins: { rows: "move", now: "all", later: false },
  sealed: {
    headers: "subscriptions:{id}:headers",
    previous_secret: "subscriptions:{id}:secret",
    sealed_url: "subscriptions:{id}:sealed_url",
    secret: "subscriptions:{id}:secret",
  },
  grows: { limit: "webhooks", where: "tenant_id = :owner AND kind IN ('account', 'shared')" },
  files: {
    channel_ids: "holds no content of a message",
    directions: "holds no content of a message",
    events: "holds no content of a message",
    profile: "the program behind a URL",
  },
  backup: "rows alone",
});

const SUBSCRIPTION = columnsOf(subscriptions);

/** Every write that changes subscriptions calls this after its statement. Without an owner: for all tenants. */
export const noteSubscriptionChange = (tx: Tx, tenantId?: TenantId): void => tx.cache.inWrites?.changed(tenantId);

const insert = insertInto(subscriptions);
export const insertSubscription = async (tx: Tx, row: SubscriptionRow): Promise<void> => {
  insert(tx, row);
  noteSubscriptionChange(tx, row.tenantId);
};

type After = { after: string; limit: number };
const ofTenant = statement<SubscriptionRow, After & { tenantId: TenantId }>(
  "SELECT * FROM subscriptions WHERE tenant_id = :tenantId AND id > :after ORDER BY id LIMIT :limit",
  SUBSCRIPTION,
);

type OfChannel = { tenantId: TenantId; channelId: ChannelId; sharedId: string; formerId: string };

// SQLite reads each part in the order of its index and merges the parts, so it reads no more rows than needed; the last
// part leaves out rows that the third may have
const ofChannel = statement<SubscriptionRow, After & OfChannel>(
  `SELECT * FROM subscriptions WHERE tenant_id = :tenantId AND kind = 'account' AND id > :after
    UNION ALL SELECT * FROM subscriptions WHERE channel_id = :channelId AND id > :after
    UNION ALL SELECT * FROM subscriptions WHERE id IN (:sharedId, :formerId) AND channel_id IS NULL AND id > :after
    UNION ALL SELECT * FROM subscriptions WHERE tenant_id = :tenantId AND ${IS_WIDE} AND id > :after
      AND id NOT IN (:sharedId, :formerId)
    ORDER BY id LIMIT :limit`,
  SUBSCRIPTION,
);

export type Reach = {
  tenantId: TenantId;
  channel: { id: ChannelId; sharedWebhookId: SubscriptionId | null; formerWebhookId: SubscriptionId | null } | null;
};

/** The subscriptions that may get an event of a channel, or of a whole account, by id, after a given one. */
export const listConcerned = (
  r: Reader,
  { tenantId, channel }: Reach,
  { after, limit }: After,
): Promise<SubscriptionRow[]> =>
  channel
    ? ofChannel.all(r, {
        tenantId,
        channelId: channel.id,
        sharedId: channel.sharedWebhookId ?? "",
        formerId: channel.formerWebhookId ?? "",
        after,
        limit,
      })
    : ofTenant.all(r, { tenantId, after, limit });

/**
 * The first subscriptions that may get an event, as this write sees them; one more than `limit` if more exist. If no
 * other process writes, they are read again only after a change. So the cost of an event does not grow with the
 * tenant's subscriptions and channels.
 */
export const concernedNow = (tx: Tx, reach: Reach, limit: number): Promise<readonly SubscriptionRow[]> => {
  const load = () => listConcerned(tx, reach, { after: "", limit: limit + 1 });
  const { channel, tenantId } = reach;
  const key = channel ? `${channel.id}/${channel.sharedWebhookId ?? ""}/${channel.formerWebhookId ?? ""}` : "";
  return tx.cache.inWrites?.through(tx, { owner: tenantId, key }, load) ?? load();
};

type OfTenant = Pick<SubscriptionRow, "tenantId" | "id">;

/** The current state of a subscription, if this process knows it; undefined if it must be read. */
export const knownSubscription = (r: Reader, { tenantId, id }: OfTenant): SubscriptionRow | undefined =>
  r.cache.inWrites?.find<SubscriptionRow>(tenantId, id);

const byId = statement<SubscriptionRow, { id: string }>("SELECT * FROM subscriptions WHERE id = :id", SUBSCRIPTION);

/** A subscription of any tenant and kind, by an id from one of our own rows. */
export const loadSubscription = (r: Reader, id: SubscriptionId): Promise<SubscriptionRow | undefined> =>
  byId.get(r, { id });

/** A subscription as this write sees it; undefined after its deletion. */
export const subscriptionNow = async (tx: Tx, { tenantId, id }: OfTenant): Promise<SubscriptionRow | undefined> => {
  const known = knownSubscription(tx, { tenantId, id });
  if (known || !tx.cache.inWrites) return known ?? loadSubscription(tx, id);
  const load = async () => [await loadSubscription(tx, id)].filter((row) => row !== undefined);
  return (await tx.cache.inWrites.through(tx, { owner: tenantId, key: `one/${id}` }, load))[0];
};

const are = ({ audience }: OfKind): string =>
  lines("AND kind = :kind", audience !== undefined && "AND audience = :audience");

/** Newest first. Bound: the account's limits of webhooks and channels. */
export const listSubscriptions = (r: Reader, scope: Scope, of: OfKind): Promise<SubscriptionRow[]> =>
  statement<SubscriptionRow, OfKind & Scope>(
    lines("SELECT * FROM subscriptions WHERE true", inScope(scope), are(of), "ORDER BY id DESC"),
    SUBSCRIPTION,
  ).all(r, { ...of, tenantId: scope.tenantId });

/** The webhooks of these channels. Bound: one per channel of the caller. */
export const listPhoneSubscriptions = (
  r: Reader,
  scope: Scope,
  channelIds: readonly ChannelId[],
): Promise<SubscriptionRow[]> =>
  statement<SubscriptionRow, { channelIds: readonly ChannelId[] } & Scope>(
    `SELECT * FROM subscriptions WHERE channel_id IN (SELECT value FROM json_each(:channelIds)) AND kind = 'phone'
      ${inScope(scope, "+tenant_id")}`, // + keeps SQLite from the index of the tenant's subscriptions
    SUBSCRIPTION,
  ).all(r, { ...scope, channelIds });

export const findSubscription = async (
  r: Reader,
  scope: Scope,
  { audience, kind }: OfKind,
  id: string,
): Promise<SubscriptionRow | undefined> => {
  const row = ifWithin(await byId.get(r, { id }), scope);
  return row?.kind === kind && (audience === undefined || row.audience === audience) ? row : undefined;
};

type OfApp = { channelId: ChannelId; audience: string };
const ofApp = statement<SubscriptionRow, OfApp>(
  "SELECT * FROM subscriptions WHERE channel_id = :channelId AND audience = :audience AND kind = 'app'",
  SUBSCRIPTION,
);

/** The program of a channel, in one audience. */
export const findAppSubscription = async (
  r: Reader,
  scope: Scope,
  { channelId, audience }: OfApp,
): Promise<SubscriptionRow | undefined> => ifWithin(await ofApp.get(r, { channelId, audience }), scope);

const everyApp = statement<SubscriptionRow, OfApp>(
  "SELECT * FROM subscriptions WHERE channel_id = :channelId AND audience = :audience AND kind = 'app' ORDER BY id",
  SUBSCRIPTION,
);

/** The programs of a channel in one audience, oldest first. Bound: the programs that one request may name. */
export const listAppSubscriptions = async (r: Reader, scope: Scope, of: OfApp): Promise<SubscriptionRow[]> =>
  (await everyApp.all(r, of)).filter((row) => ifWithin(row, scope) !== undefined);

const removeApps = statement<OfTenant, { channelId: ChannelId }>(
  "DELETE FROM subscriptions WHERE channel_id = :channelId AND kind = 'app' RETURNING id, tenant_id AS tenantId",
);

/** Deletes the programs of a channel, and returns their ids. */
export const deleteAppSubscriptions = async (tx: Tx, channelId: ChannelId): Promise<SubscriptionId[]> => {
  const deleted = await removeApps.all(tx, { channelId });
  for (const { tenantId } of deleted) noteSubscriptionChange(tx, tenantId);
  return deleted.map(({ id }) => id);
};

const ofPhone = statement<SubscriptionRow, { channelId: ChannelId }>(
  "SELECT * FROM subscriptions WHERE channel_id = :channelId AND kind = 'phone'",
  SUBSCRIPTION,
);

export const findPhoneSubscription = async (
  r: Reader,
  scope: Scope,
  channelId: ChannelId,
): Promise<SubscriptionRow | undefined> => ifWithin(await ofPhone.get(r, { channelId }), scope);

const update = updateOf<typeof subscriptions, { id: string; tenantId: TenantId | null }>(
  subscriptions,
  "WHERE id = :id AND (:tenantId IS NULL OR tenant_id = :tenantId) RETURNING *",
);

/** The changed row; undefined if no such row is in scope. */
export const updateSubscription = async (
  tx: Tx,
  scope: Scope,
  id: SubscriptionId,
  changes: Partial<SubscriptionRow>,
): Promise<SubscriptionRow | undefined> => {
  const [changed] = await update(tx, changes, { id, tenantId: scope.tenantId ?? null });
  if (changed) noteSubscriptionChange(tx, changed.tenantId);
  return changed;
};

type Owner = Pick<SubscriptionRow, "tenantId">;
const forget = statement<Owner, { id: SubscriptionId }>(
  `UPDATE subscriptions
    SET breaker_failures = 0, breaker_since = 0, breaker_trips = 0, breaker_open_until = 0,
    consecutive_failures = CASE is_active WHEN 1 THEN 0 ELSE consecutive_failures END WHERE id = :id
    AND (breaker_failures > 0 OR consecutive_failures > 0) RETURNING tenant_id AS tenantId`,
);

/**
 * Resets failures after a success and closes the breaker, unless the failures have disabled the subscription. False if
 * nothing was to be reset.
 */
export const forgetFailures = async (tx: Tx, id: SubscriptionId): Promise<boolean> => {
  const changed = await forget.get(tx, { id });
  if (changed) noteSubscriptionChange(tx, changed.tenantId);
  return changed !== undefined;
};

/** False if no such row is in scope. */
export const deleteSubscription = async (tx: Tx, scope: Scope, of: OfKind, id: string): Promise<boolean> => {
  const deleted = await statement<Owner, { id: string } & OfKind & Scope>(
    lines("DELETE FROM subscriptions WHERE id = :id", are(of), inScope(scope), "RETURNING tenant_id AS tenantId"),
  ).get(tx, { ...of, id, tenantId: scope.tenantId });
  if (deleted) noteSubscriptionChange(tx, deleted.tenantId);
  return deleted !== undefined;
};

const removeLeft = statement<never>(
  `DELETE FROM subscriptions WHERE kind = 'phone' AND channel_id IS NULL AND NOT EXISTS (SELECT 1 FROM deliveries
    WHERE subscription_id = subscriptions.id AND status = 'PENDING')
    AND NOT EXISTS (SELECT 1 FROM departed_channels WHERE webhook_id = subscriptions.id)`,
);

/** Deletes the webhooks of deleted channels once no delivery waits for them. */
export const pruneSubscriptions = (tx: Tx): void => {
  removeLeft.run(tx);
  noteSubscriptionChange(tx);
};

const removeSecrets = statement<never, { nowMs: number }>(
  `UPDATE subscriptions SET previous_secret = NULL, previous_secret_until = NULL
    WHERE previous_secret_until IS NOT NULL AND previous_secret_until <= :nowMs`,
);

/** Deletes previous secrets that have expired. */
export const pruneSecrets = (tx: Tx, nowMs: number): void => {
  removeSecrets.run(tx, { nowMs });
  noteSubscriptionChange(tx);
};

const detach = statement<Owner, { channelId: ChannelId }>(
  `UPDATE subscriptions SET channel_id = NULL WHERE channel_id = :channelId AND kind = 'phone'
    RETURNING tenant_id AS tenantId`,
);

/** Detaches the phone's webhook: it gets no more events, but its pending deliveries continue. */
export const detachPhoneSubscription = async (tx: Tx, channelId: ChannelId): Promise<void> => {
  for (const { tenantId } of await detach.all(tx, { channelId })) noteSubscriptionChange(tx, tenantId);
};
