import { DAY_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import { type Issue, issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/engine/db.ts";
import { listChannelIds } from "../../store/tables/channels/channels.ts";
import {
  DIRECTIONS,
  type Direction,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  type Ordering,
  type SubscriptionRow,
  type SubscriptionsOf,
  updateSubscription,
} from "../../store/tables/events/subscriptions.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import type { EventsEnv } from "./env.ts";
import { secretRow } from "./outgoing.ts";
import { headerIssues, headersOf, type OwnHeaders, sealedHeaders, takesValuesElsewhere } from "./own-headers.ts";
import { resumeEndpoint } from "./queues.ts";
import { retryAll } from "./retrying.ts";
import { CLOSED_BREAKER } from "./schedule.ts";
import { isOtherUrl, urlColumns } from "./webhook-url.ts";

const DEFAULT_RETRIES = 5;
const DEFAULT_RETRY_DELAY_MS = 30_000;
const PREVIOUS_SECRET_TTL_MS = DAY_MS;

export type AskedRetries = { maxRetries?: number; retryDelay?: number };
export type SubscriptionInput = {
  name: string;
  url: string;
  secret: string;
  events: readonly string[];
  isActive?: boolean;
  retryPolicy?: AskedRetries;
  environment?: Environment;
  /** The directions of the messages whose events it gets. @default both */
  directions?: readonly Direction[];
  /**
   * The channels that a webhook of the account is limited to, or whose events a shared webhook gets although they do
   * not link to it. Empty: no limit, or no further channel.
   */
  channelIds?: readonly string[];
  /** A shared webhook gets the events of every channel. @default false */
  allChannels?: boolean;
  headers?: OwnHeaders;
  /** @default none */
  ordering?: Ordering;
  profile?: string;
  verifiedAt?: number;
};

/**
 * The faults of an endpoint's URL. It must be HTTPS and public, or of a host that the operator allows. Every attempt
 * checks the resolved address too.
 */
export const urlIssues = async (env: Pick<EventsEnv, "target">, path: string, url: string): Promise<Issue[]> => {
  const refusal = await env.target.refusalOf(url);
  return refusal === undefined ? [] : [issue(path, "format", refusal)];
};

const sealedSecret = (env: Pick<EventsEnv, "secrets">, id: SubscriptionId, secret: string): string =>
  env.secrets.seal(secretRow(id), secret);

type SubscriptionEnv = Pick<EventsEnv, "audiences" | "clock" | "random" | "secrets">;

/** Both directions are no limit. */
const directionsOf = (directions: readonly Direction[] = []): Direction[] | null =>
  directions.length === 0 || DIRECTIONS.every((one) => directions.includes(one)) ? null : [...new Set(directions)];

const idsOf = (ids: readonly string[] = []): ChannelId[] | null =>
  ids.length === 0 ? null : ([...new Set(ids)] as ChannelId[]);

/** Since when a disabled subscription stores its events; null if it stores none. */
const storesSince = (env: SubscriptionEnv, audience: string): number | null =>
  env.audiences.of(audience).retry.storesWhenDisabled ? env.clock.now() : null;

/** The row of a new subscription, with its secret sealed. */
export const newSubscription = (
  env: SubscriptionEnv,
  tenantId: TenantId,
  { audience, kind }: SubscriptionsOf,
  input: SubscriptionInput & { channelId?: ChannelId; id?: SubscriptionId },
): SubscriptionRow => {
  const id = input.id ?? newId<SubscriptionId>(env);
  const createdAt = env.clock.now();
  return {
    id,
    tenantId,
    audience,
    kind,
    channelId: input.channelId ?? null,
    environment: input.environment ?? "live",
    name: input.name,
    ...urlColumns(env, { id, url: "", sealedUrl: null }, input.url),
    secret: sealedSecret(env, id, input.secret),
    previousSecret: null,
    previousSecretUntil: null,
    events: [...new Set(input.events)],
    directions: directionsOf(input.directions),
    channelIds: idsOf(input.channelIds),
    allChannels: input.allChannels ?? false,
    headers: sealedHeaders(env, headersOf({ id, headers: null }), input.headers ?? {}),
    profile: input.profile ?? null,
    verifiedAt: input.verifiedAt ?? null,
    ordering: input.ordering ?? "none",
    isActive: input.isActive ?? true,
    disabledAt: input.isActive === false ? storesSince(env, audience) : null,
    maxRetries: input.retryPolicy?.maxRetries ?? DEFAULT_RETRIES,
    retryDelayMs: input.retryPolicy?.retryDelay ?? DEFAULT_RETRY_DELAY_MS,
    consecutiveFailures: 0,
    lastFailedAt: null,
    ...CLOSED_BREAKER,
    createdAt,
    updatedAt: createdAt,
  };
};

/** @throws AppError VALIDATION for a URL or headers that a webhook may not have, or for channels of another tenant */
const checkInput = async (
  env: EventsEnv,
  scope: TenantScope,
  { url, headers, channelIds = [] }: Partial<SubscriptionInput>,
): Promise<void> => {
  const issues = [...(url === undefined ? [] : await urlIssues(env, "url", url)), ...headerIssues(headers)];
  if (issues.length > 0) throw invalid(...issues);
  const ids = [...new Set(channelIds)];
  const known = await env.db.read((reader) => listChannelIds(reader, scope, ids));
  if (known.length < ids.length) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });
};

/**
 * Creates a webhook.
 * @throws AppError VALIDATION for a URL or headers that a webhook may not have, CHANNEL_NOT_FOUND, or LIMIT_REACHED
 */
export const createSubscription = async (
  env: EventsEnv,
  caller: Caller,
  of: SubscriptionsOf,
  input: SubscriptionInput,
): Promise<SubscriptionRow> => {
  const { tenantId } = caller;
  await checkInput(env, caller, input);
  const row = newSubscription(env, tenantId, of, input);
  await env.db.write(async (tx) => {
    await requireRoom(env, tx, { collection: "webhooks", owner: tenantId });
    await insertSubscription(tx, row);
    await recordAct(env, tx, caller, {
      action: "webhook.create",
      target: row.id,
      tenantId,
      details: { kind: of.kind },
    });
  });
  return row;
};

export const readSubscriptions = (
  env: EventsEnv,
  scope: TenantScope,
  of: SubscriptionsOf,
): Promise<SubscriptionRow[]> => env.db.read((reader) => listSubscriptions(reader, scope, of));

/** The id that a client gave, and the subscriptions among which it is looked up. */
export type Named = SubscriptionsOf & { id: string };

/** @throws AppError SUBSCRIPTION_NOT_FOUND */
export const getSubscription = async (
  env: EventsEnv,
  scope: TenantScope,
  { id, ...of }: Named,
): Promise<SubscriptionRow> => {
  const row = await env.db.read((reader) => findSubscription(reader, scope, of, id));
  if (!row) throw unknownSubscription();
  return row;
};

export const unknownSubscription = () =>
  new AppError("SUBSCRIPTION_NOT_FOUND", { message: "There is no such webhook." });

/**
 * Changes the given fields; a missing secret stays. Activation resets past failures and resumes the paused deliveries,
 * before any newer event. When the endpoint changes, its waiting deliveries are retried at once. When it no longer has
 * strict order, held deliveries are sent.
 * @throws AppError VALIDATION, CHANNEL_NOT_FOUND or SUBSCRIPTION_NOT_FOUND
 */
export const changeSubscription = async (
  env: EventsEnv,
  caller: Caller,
  { id, ...of }: Named,
  input: Partial<SubscriptionInput>,
): Promise<SubscriptionRow> => {
  await checkInput(env, caller, input);
  return env.db.write(async (tx) => {
    const current = await findSubscription(tx, caller, of, id);
    if (!current) throw unknownSubscription();
    if (takesValuesElsewhere(current, input))
      throw invalid(issue("headers", "required", "must be given anew with all values, because url is of another host"));
    const isActivated = input.isActive === true && !current.isActive;
    // `disabledAt` stays until all paused deliveries are enqueued
    const changes = { ...changesOf(env, current, input), ...(isActivated ? { disabledAt: env.clock.now() } : {}) };
    const changed = await updateSubscription(tx, caller, current.id, changes);
    if (!changed) throw unknownSubscription();
    await recordAct(env, tx, caller, {
      action: "webhook.change",
      target: changed.id,
      tenantId: caller.tenantId,
      details: { kind: of.kind, fields: Object.keys(input) },
    });
    const isOther = isOtherEndpoint(env, current, input);
    if (input.isActive) {
      resumeEndpoint(env, tx, changed.id); // the breaker that paused it is closed now
      env.jobs.enqueue(tx, "subscription.resume", { subscriptionId: changed.id });
    }
    if (isOther) await retryAll(env, tx, changed.id, { isNewSeries: true });
    if (input.ordering === "none" && current.ordering === "chat")
      env.jobs.enqueue(tx, "subscription.release", { subscriptionId: changed.id, afterSeq: 0 });
    return changed;
  });
};

const isOtherSecret = (
  { secrets }: Pick<EventsEnv, "secrets">,
  { id, secret: sealed }: Pick<SubscriptionRow, "id" | "secret">,
  secret: string,
): boolean => secrets.open(secretRow(id), sealed) !== secret;

/**
 * Whether a change sends the deliveries elsewhere, or signs them with another secret. Earlier failures then do not
 * count.
 */
export const isOtherEndpoint = (
  env: Pick<EventsEnv, "secrets">,
  current: SubscriptionRow,
  { url, secret }: Pick<Partial<SubscriptionInput>, "url" | "secret">,
): boolean =>
  (url !== undefined && isOtherUrl(env, current, url)) || (secret !== undefined && isOtherSecret(env, current, secret));

/**
 * Retries all waiting deliveries of a webhook now, as new series of attempts.
 * @throws AppError SUBSCRIPTION_NOT_FOUND
 */
export const retrySubscription = (env: EventsEnv, scope: TenantScope, { id, ...of }: Named): Promise<SubscriptionRow> =>
  env.db.write(async (tx) => {
    const subscription = await findSubscription(tx, scope, of, id);
    if (!subscription) throw unknownSubscription();
    await retryAll(env, tx, subscription.id, { isNewSeries: true });
    return subscription;
  });

/** A new secret leaves the previous one valid for a day, so that receivers can switch. */
const rotated = (
  env: SubscriptionEnv,
  { id, secret: sealed }: SubscriptionRow,
  secret: string,
): Partial<SubscriptionRow> =>
  isOtherSecret(env, { id, secret: sealed }, secret)
    ? {
        secret: sealedSecret(env, id, secret),
        previousSecret: sealed,
        previousSecretUntil: env.clock.now() + PREVIOUS_SECRET_TTL_MS,
      }
    : {};

/** The columns that an input changes. */
export const changesOf = (
  env: SubscriptionEnv,
  current: SubscriptionRow,
  { url, secret, retryPolicy, events, directions, channelIds, headers, ...rest }: Partial<SubscriptionInput>,
): Partial<SubscriptionRow> => ({
  ...rest,
  ...(url === undefined ? {} : urlColumns(env, current, url)),
  ...(directions === undefined ? {} : { directions: directionsOf(directions) }),
  ...(channelIds === undefined ? {} : { channelIds: idsOf(channelIds) }),
  ...(headers === undefined ? {} : { headers: sealedHeaders(env, headersOf(current), headers) }),
  ...(events === undefined ? {} : { events: [...new Set(events)] }),
  ...(secret === undefined ? {} : rotated(env, current, secret)),
  ...(retryPolicy?.maxRetries === undefined ? {} : { maxRetries: retryPolicy.maxRetries }),
  ...(retryPolicy?.retryDelay === undefined ? {} : { retryDelayMs: retryPolicy.retryDelay }),
  ...(rest.isActive ? { consecutiveFailures: 0, ...CLOSED_BREAKER } : {}),
  ...(rest.isActive === false ? { disabledAt: storesSince(env, current.audience) } : {}),
  updatedAt: env.clock.now(),
});

/**
 * Removes a webhook with its logs and its paused deliveries. A waiting delivery becomes a dead letter or is deleted, as
 * its audience says.
 * @throws AppError SUBSCRIPTION_NOT_FOUND
 */
export const removeSubscription = async (
  env: EventsEnv,
  caller: Caller,
  { id, ...of }: Named,
  alsoInWrite: (tx: Tx, id: SubscriptionId) => Promise<void> = async () => {},
): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await deleteSubscription(tx, caller, of, id))) throw unknownSubscription();
    await recordAct(env, tx, caller, {
      action: "webhook.delete",
      target: id,
      tenantId: caller.tenantId,
      details: { kind: of.kind },
    });
    endDeliveries(env, tx, id as SubscriptionId);
    await alsoInWrite(tx, id as SubscriptionId);
  });

/**
 * Ends the deliveries of a webhook that this write deletes: paused ones are deleted, and held ones get their jobs,
 * because a deleted delivery releases nothing.
 */
export const endDeliveries = (env: Pick<EventsEnv, "jobs">, tx: Tx, subscriptionId: SubscriptionId): void => {
  env.jobs.enqueue(tx, "subscription.forget", { subscriptionId });
  env.jobs.enqueue(tx, "subscription.release", { subscriptionId, afterSeq: 0 });
};

export type { SubscriptionRow as Subscription, SubscriptionsOf } from "../../store/tables/events/subscriptions.ts";
export { DIRECTIONS, ORDERINGS } from "../../store/tables/events/subscriptions.ts";
