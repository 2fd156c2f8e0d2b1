import { iso, parseIso } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { type ChannelId, gatewaySecret, newId, platformSecret, type TenantId } from "../../../kernel/ids.ts";
import { isNetwork, rangesOf } from "../../../kernel/network/networks.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { EVERY_TENANT, type Scope, type TenantScope } from "../../../store/tables/scope.ts";
import {
  type Environment,
  findKey,
  findKeyByHash,
  insertKey,
  isHashTaken,
  type KeyApi,
  type KeyRow,
  type KeyWithTenant,
  listKeys,
  listKeysBefore,
  revokeKey,
} from "../../../store/tables/tenancy/keys.ts";
import { findTenant } from "../../../store/tables/tenancy/tenants.ts";
import { requireUnjoined } from "../accounts/accounts.ts";
import { requireRoom } from "../accounts/collections.ts";
import { type Caller, type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";

/** All permissions of platform keys. */
export const PERMISSIONS = [
  "channels.read",
  "channels.write",
  "messages.send",
  "messages.read",
  "conversations.read",
  "conversations.write",
  "contacts.read",
  "contacts.write",
  "webhooks.read",
  "webhooks.write",
  "bulk-send.write",
  "bulk-send.read",
  "sandbox.write",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The row with the key itself, which is shown only now. */
export type IssuedKey = KeyRow & { key: string };

export type KeyEnv = Pick<TenancyEnv, "clock" | "config" | "log" | "metrics" | "random">;

const DEFAULT_REQUESTS_PER_MINUTE = 60;
export const MAX_ALLOWED_ADDRESSES = 50;

/** @throws AppError VALIDATION when `expiresAt` is not a time, or has passed. */
const expiryOf = (env: KeyEnv, expiresAt: string | undefined): number | null => {
  if (expiresAt === undefined) return null;
  const at = parseIso(expiresAt);
  if (at === undefined) throw invalid(issue("expiresAt", "format", "must be an ISO 8601 datetime with timezone"));
  if (at <= env.clock.now()) throw invalid(issue("expiresAt", "minimum", "must lie in the future"));
  return at;
};

/** @throws AppError VALIDATION for text that is neither an address nor a CIDR. */
const networksOf = (allowed: readonly string[] = []): string[] => {
  const issues = allowed.flatMap((text, n) =>
    isNetwork(text)
      ? []
      : [issue(`allowedAddresses.${n}`, "format", "must be an IP address or a CIDR, as 203.0.113.0/24")],
  );
  if (issues.length > 0) throw invalid(...issues);
  return [...new Set(allowed)];
};

/** The bounds of a key besides its scopes: its end, and its addresses. Null and empty mean no bound. */
export type KeyBounds = Pick<KeyRow, "expiresAt" | "allowedAddresses">;
export const UNBOUNDED: KeyBounds = { expiresAt: null, allowedAddresses: [] };

/**
 * The bounds of a key that another key makes: a missing bound is that of its maker.
 * @throws AppError VALIDATION for wider bounds.
 */
const boundsWithin = (made: KeyBounds, maker: KeyBounds): KeyBounds => {
  const expiresAt = made.expiresAt ?? maker.expiresAt;
  if (maker.expiresAt !== null && expiresAt !== null && expiresAt > maker.expiresAt)
    throw invalid(issue("expiresAt", "maximum", "must not be later than that of the key that makes it"));
  const { allowedAddresses } = made;
  if (maker.allowedAddresses.length === 0) return { expiresAt, allowedAddresses };
  const isWithin = rangesOf(maker.allowedAddresses);
  // parts of a network are not considered: each network must be one of the maker's
  const wider = allowedAddresses.findIndex(
    (text) => !maker.allowedAddresses.includes(text) && (text.includes("/") || !isWithin(text)),
  );
  if (wider >= 0)
    throw invalid(issue(`allowedAddresses.${wider}`, "enum", "must be among those of the key that makes it"));
  return { expiresAt, allowedAddresses: allowedAddresses.length > 0 ? allowedAddresses : maker.allowedAddresses };
};

/** When a key expires, and the addresses that may use it. */
type Bounds = { expiresAt?: string; allowedAddresses?: string[] };

const boundsOf = (env: KeyEnv, { expiresAt, allowedAddresses }: Bounds) => ({
  expiresAt: expiryOf(env, expiresAt),
  allowedAddresses: networksOf(allowedAddresses),
});

type NewPlatformKey = Bounds & {
  name: string;
  permissions: Permission[];
  rateLimit?: number;
  environment?: Environment;
};

/**
 * Creates a platform key. Repeated permissions are merged.
 * @throws AppError VALIDATION for a bad `expiresAt` or bad addresses, LIMIT_REACHED.
 */
export const issuePlatformKey = async (env: TenancyEnv, caller: Caller, input: NewPlatformKey): Promise<IssuedKey> => {
  const environment = input.environment ?? "live";
  const start = `oapi_sk_${environment}_`;
  return env.db.write((tx) =>
    storeKey(env, tx, caller, {
      tenantId: caller.tenantId,
      api: "platform",
      name: input.name,
      key: start + platformSecret(env.random),
      prefixLength: start.length + 7,
      permissions: [...new Set(input.permissions)],
      environment,
      channelId: null,
      requestsPerMinute: input.rateLimit ?? DEFAULT_REQUESTS_PER_MINUTE,
      isReadOnly: false,
      ...boundsOf(env, input),
    }),
  );
};

/**
 * Creates a gateway key with any scopes; the gateway API decides which of them limit it. `maker`: the bounds of the key
 * that makes it.
 * @throws AppError TENANT_NOT_FOUND, VALIDATION, LIMIT_REACHED, JOIN_REFUSED for an account that was joined.
 */
export const issueGatewayKey = (
  env: TenancyEnv,
  caller: Caller,
  input: NewGatewayKey,
  maker: KeyBounds = UNBOUNDED,
): Promise<IssuedKey> =>
  env.db.write(async (tx) => {
    const tenant = await findTenant(tx, caller.tenantId);
    if (!tenant) throw new AppError("TENANT_NOT_FOUND");
    await requireUnjoined(tx, tenant.id);
    return storeKey(env, tx, caller, gatewayKey(env, tenant.id, input, maker));
  });

type NewGatewayKey = Bounds & { name: string; scopes?: string[]; readOnly?: boolean };

/**
 * Creates a gateway key within a write that has the account.
 * @throws AppError VALIDATION, LIMIT_REACHED.
 */
export const addGatewayKey = (env: KeyEnv, tx: Tx, caller: Caller, input: NewGatewayKey): Promise<IssuedKey> =>
  storeKey(env, tx, caller, gatewayKey(env, caller.tenantId, input, UNBOUNDED));

const gatewayKey = (env: KeyEnv, tenantId: TenantId, input: NewGatewayKey, maker: KeyBounds): KeyToStore => ({
  tenantId,
  api: "gateway",
  name: input.name,
  key: `ak_live_${gatewaySecret(env.random)}`,
  prefixLength: "ak_live_".length + 7,
  permissions: input.scopes ?? [],
  environment: "live",
  channelId: null,
  requestsPerMinute: null,
  isReadOnly: input.readOnly ?? false,
  ...boundsWithin(boundsOf(env, input), maker),
});

/** A client's input for a key that opens one channel. */
export type NewKey = Bounds & { name: string };

/** TABLE: the APIs of programs that use one channel by a key, and how such a key begins. */
const APP_KEYS = { cloud: "ck_live_" } as const satisfies Partial<Record<KeyApi, string>>;
export type AppApi = keyof typeof APP_KEYS;

/**
 * Creates a key for one channel, for an API of programs.
 * @throws AppError VALIDATION, LIMIT_REACHED.
 */
export const addAppKey = (
  env: KeyEnv,
  tx: Tx,
  { channel, api, maker, by }: AppKeyFor,
  { name, ...bounds }: NewKey,
): Promise<IssuedKey> =>
  storeKey(env, tx, by, {
    tenantId: channel.tenantId,
    api,
    name,
    key: `${APP_KEYS[api]}${gatewaySecret(env.random)}`,
    prefixLength: APP_KEYS[api].length + 7,
    permissions: [],
    environment: "live",
    channelId: channel.id,
    requestsPerMinute: null,
    isReadOnly: false,
    ...boundsWithin(boundsOf(env, bounds), maker),
  });

type AppKeyFor = { channel: { id: ChannelId; tenantId: TenantId }; api: AppApi; maker: KeyBounds; by: Requester };

/**
 * Makes the own token of a channel in the API that is compatible with Evolution's, within the write that makes the
 * channel. `token`: the owner's own choice. `maker`: the key that makes it; the token may do no more, and has its
 * bounds.
 * @throws AppError VALIDATION for a token that is taken.
 */
export const addInstanceToken = async (
  env: KeyEnv,
  tx: Tx,
  { id: channelId, tenantId, label }: { id: ChannelId; tenantId: TenantId; label: string },
  { by, maker, token = newInstanceToken(env) }: { by: Requester; maker: TokenMaker; token?: string | undefined },
): Promise<IssuedKey> => {
  if (await isHashTaken(tx, sha256(token))) throw invalid(issue("token", "forbidden", "is not free: choose another"));
  return storeKey(env, tx, by, {
    tenantId,
    api: "evolution",
    name: label,
    key: token,
    prefixLength: SHOWN_OF_TOKEN,
    environment: "live",
    channelId,
    requestsPerMinute: null,
    permissions: maker.permissions,
    isReadOnly: maker.isReadOnly,
    expiresAt: maker.expiresAt,
    allowedAddresses: maker.allowedAddresses,
  });
};

/** The limits of the key that makes a token. */
export type TokenMaker = KeyBounds & Pick<KeyRow, "permissions" | "isReadOnly">;

/** How much of a token its row shows; its owner may have chosen the token, so it is little. */
const SHOWN_OF_TOKEN = 4;

const newInstanceToken = ({ random }: Pick<KeyEnv, "random">): string => `ei_live_${gatewaySecret(random)}`;

type KeyToStore = Omit<KeyRow, "id" | "hash" | "prefix" | "lastUsedAt" | "revokedAt" | "createdAt"> & {
  key: string;
  prefixLength: number;
};

const storeKey = async (
  env: KeyEnv,
  tx: Tx,
  by: Requester,
  { key, prefixLength, ...columns }: KeyToStore,
): Promise<IssuedKey> => {
  const row: KeyRow = {
    ...columns,
    id: newId(env),
    hash: sha256(key),
    prefix: key.slice(0, prefixLength),
    lastUsedAt: null,
    revokedAt: null,
    createdAt: env.clock.now(),
  };
  // one token per instance, and instances are limited
  if (row.api !== "evolution") await requireRoom(env, tx, { collection: "keys", owner: row.tenantId });
  await insertKey(tx, row);
  const { api, name, environment, permissions, isReadOnly, allowedAddresses } = row;
  await recordAct(env, tx, by, {
    action: "key.create",
    target: row.id,
    tenantId: row.tenantId,
    details: { api, name, environment, permissions, isReadOnly, allowedAddresses },
  });
  return { ...row, key };
};

/** The keys that are not revoked, newest first, with the time of their last use. */
export const readKeys = async (env: TenancyEnv, scope: TenantScope, api: KeyApi): Promise<KeyRow[]> =>
  (await env.db.read((reader) => listKeys(reader, scope, api))).map(withUse(env));

const withUse =
  ({ keyUse }: Pick<TenancyEnv, "keyUse">) =>
  (row: KeyRow): KeyRow => ({ ...row, lastUsedAt: keyUse.lastUsedAt(row.id) ?? row.lastUsedAt });

/**
 * A page of a tenant's keys, newest first, with the time of their last use.
 * @throws AppError VALIDATION for a cursor that is not a key.
 */
export const keysPage = (
  env: TenancyEnv,
  scope: TenantScope,
  api: KeyApi,
  { cursor, limit, withRevoked }: { withRevoked: boolean; cursor: string | undefined; limit: number },
): Promise<{ items: KeyRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    if (cursor !== undefined && !(await findKey(reader, scope, api, cursor))) throw unknownCursor();
    const found = await listKeysBefore(reader, scope, api, { withRevoked, beforeId: cursor, limit: limit + 1 });
    return cutPage(found.map(withUse(env)), limit, ({ id }) => id);
  });

/**
 * Revokes a platform key. It is invalid at once.
 * @throws AppError KEY_NOT_FOUND for a key that is unknown, another tenant's, or already revoked.
 */
export const revokePlatformKey = (env: TenancyEnv, caller: Caller, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await revokeKey(tx, caller, { api: "platform", id, atMs: env.clock.now() })))
      throw new AppError("KEY_NOT_FOUND", { message: "There is no such API key." });
    await recordAct(env, tx, caller, {
      action: "key.revoke",
      target: id,
      tenantId: caller.tenantId,
      details: { api: "platform" },
    });
  });

/**
 * Revokes a gateway key. It is invalid at once; repeating it changes nothing.
 * @throws AppError KEY_NOT_FOUND.
 */
export const revokeGatewayKey = (env: TenancyEnv, by: Requester, id: string): Promise<RevokedKey> =>
  revokeIn(env, { ...by, ...EVERY_TENANT }, id);

/**
 * Revokes a gateway key of the tenant, as above.
 * @throws AppError KEY_NOT_FOUND.
 */
export const revokeOwnGatewayKey = (env: TenancyEnv, caller: Caller, id: string): Promise<RevokedKey> =>
  revokeIn(env, caller, id);

export type RevokedKey = { id: string; revokedAt: string };

const revokeIn = (env: TenancyEnv, by: Requester & Scope, id: string): Promise<RevokedKey> =>
  env.db.write(async (tx) => {
    const isChanged = await revokeKey(tx, by, { api: "gateway", id, atMs: env.clock.now() });
    const row = await findKey(tx, by, "gateway", id);
    if (!row || row.revokedAt === null) throw new AppError("KEY_NOT_FOUND", { message: "There is no such API key." });
    if (isChanged)
      await recordAct(env, tx, by, {
        action: "key.revoke",
        target: id,
        tenantId: row.tenantId,
        details: { api: "gateway" },
      });
    tx.afterCommit(() => env.endStreams(row.tenantId)); // a client whose key is still valid opens its streams again
    return { id: row.id, revokedAt: iso(row.revokedAt) };
  });

export type { KeyRow as Key } from "../../../store/tables/tenancy/keys.ts";

export type KeyState = "valid" | "revoked" | "expired";

/** The key of a presented secret, in any state; undefined when it is unknown. */
export const recogniseKey = async (
  env: TenancyEnv,
  api: KeyApi,
  presented: string,
): Promise<(KeyWithTenant & { state: KeyState }) | undefined> => {
  const found = await env.db.read((reader) => findKeyByHash(reader, api, sha256(presented)));
  if (!found) return undefined;
  const { revokedAt, expiresAt } = found.key;
  const state =
    revokedAt !== null ? "revoked" : expiresAt !== null && expiresAt <= env.clock.now() ? "expired" : "valid";
  return { ...found, state };
};

/** Whether a tenant's key of accounts is neither revoked nor expired. */
export const isLiveKey = async (
  { clock }: Pick<TenancyEnv, "clock">,
  r: Reader,
  { tenantId, id }: TenantScope & { id: string },
): Promise<boolean> => {
  const key = await findKey(r, { tenantId }, "gateway", id);
  return key?.revokedAt === null && (key.expiresAt === null || key.expiresAt > clock.now());
};

/** Whether a key may be used from an address. A key without addresses may be used from anywhere. */
export const mayComeFrom = ({ allowedAddresses }: Pick<KeyRow, "allowedAddresses">, address: string): boolean =>
  allowedAddresses.length === 0 || rangesOf(allowedAddresses)(address);
