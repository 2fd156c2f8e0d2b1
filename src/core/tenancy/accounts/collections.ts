import { COLLECTION_NAMES, COLLECTIONS, type Collection } from "../../../kernel/collections.ts";
import { AppError, type CoreCode } from "../../../kernel/errors.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { countCollection } from "../../../store/laws/collections.ts";
import type { TenancyEnv } from "../env.ts";

type LimitsEnv = Pick<TenancyEnv, "config" | "metrics">;

/** TABLE: the collections with an error code of their own. Every other collection is refused as LIMIT_REACHED. */
const CODES: Partial<Record<Collection, CoreCode>> = {
  scheduled: "SCHEDULE_QUOTA_EXCEEDED",
  lookups: "LOOKUP_LIMIT_REACHED",
  documents: "DOCUMENT_LIMIT_REACHED",
  "stored-bytes": "STORAGE_QUOTA_EXCEEDED",
};

/** The refusal of an item that would exceed the limit. */
const limitReached = (
  { metrics }: LimitsEnv,
  collection: Collection,
  limit: number,
  retryAfterSeconds?: number,
): AppError => {
  metrics.count("recado_limit_refusals_total", { collection });
  return new AppError(CODES[collection] ?? "LIMIT_REACHED", {
    message: `The limit of ${limit} ${collection} per ${COLLECTIONS[collection].per} is reached.`,
    details: { collection, limit },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
};

/**
 * A new item of a collection. `owner` is the id of the user, tenant or channel that has the limit. `limit` is a lower
 * limit, such as the plan's.
 */
type OneMore = { collection: Collection; owner: string; limit?: number; retryAfterSeconds?: number };

/**
 * Checks the limit within the write that adds an item.
 * @throws AppError LIMIT_REACHED, or the collection's own code, when the limit is reached.
 */
export const requireRoom = async (
  env: LimitsEnv,
  tx: Tx,
  { collection, owner, limit: lower = Number.POSITIVE_INFINITY, retryAfterSeconds }: OneMore,
): Promise<void> => {
  const limit = Math.min(env.config.limits[collection], lower);
  if ((await countCollection(tx, collection, owner, limit)) >= limit)
    throw limitReached(env, collection, limit, retryAfterSeconds);
};

/**
 * Checks every limit of an account that has got many items at once.
 * @throws AppError LIMIT_REACHED, or the collection's own code, for the first exceeded limit.
 */
export const requireWithinLimits = async (
  env: LimitsEnv,
  r: Reader,
  { tenantId, channels }: { tenantId: string; channels: number },
): Promise<void> => {
  for (const collection of COLLECTION_NAMES) {
    const limit = Math.min(env.config.limits[collection], collection === "channels" ? channels : Infinity);
    const isOver =
      COLLECTIONS[collection].per === "account" && (await countCollection(r, collection, tenantId, limit + 1)) > limit;
    if (isOver) throw limitReached(env, collection, limit);
  }
};

/** Whether a tenant may store this many more bytes. */
export const hasStorage = async (
  { config }: LimitsEnv,
  r: Reader,
  tenantId: string,
  sizeBytes: number,
): Promise<boolean> =>
  (await countCollection(r, "stored-bytes", tenantId, 0)) + sizeBytes <= config.limits["stored-bytes"];

/** Why a tenant may not store this many more bytes; undefined when it may. */
export const storageRefusal = async (
  env: LimitsEnv,
  r: Reader,
  tenantId: string,
  sizeBytes: number,
): Promise<AppError | undefined> =>
  (await hasStorage(env, r, tenantId, sizeBytes))
    ? undefined
    : limitReached(env, "stored-bytes", env.config.limits["stored-bytes"]);

/** @throws AppError STORAGE_QUOTA_EXCEEDED when a tenant may not store this many more bytes. */
export const requireStorage = async (env: LimitsEnv, r: Reader, tenantId: string, sizeBytes: number): Promise<void> => {
  const refusal = await storageRefusal(env, r, tenantId, sizeBytes);
  if (refusal) throw refusal;
};
