import { DAY_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import { type Issue, issue } from "../../kernel/schema.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { type AttemptRow, countAttempts, deleteAttempts, listAttempts } from "../../store/attempts.ts";
import type { Tx } from "../../store/db.ts";
import { updateDelivery } from "../../store/events.ts";
import type { Environment } from "../../store/keys.ts";
import { resumeQueue } from "../../store/queues.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/scope.ts";
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  loadSubscription,
  type SubscriptionRow,
  type SubscriptionsOf,
  updateSubscription,
} from "../../store/subscriptions.ts";
import { deletePaused, listPaused } from "../../store/waiting-deliveries.ts";
import { recordAct } from "../tenancy/audit.ts";
import { requireRoom } from "../tenancy/collections.ts";
import { secretRow } from "./dispatch.ts";
import type { EventsEnv } from "./env.ts";
import { endpointQueue } from "./queues.ts";
import { retryAll } from "./retrying.ts";
import { CLOSED_BREAKER } from "./schedule.ts";

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
};

/**
 * What is wrong with the URL of an endpoint. It must be HTTPS and public, or of a host that the operator allows. Every
 * attempt checks the resolved address too.
 */
export const urlIssues = async (env: Pick<EventsEnv, "http">, path: string, url: string): Promise<Issue[]> => {
  const refusal = await env.http.refusalOf(url);
  return refusal === undefined ? [] : [issue(path, "format", refusal)];
};

const sealedSecret = (env: Pick<EventsEnv, "secrets">, id: SubscriptionId, secret: string): string =>
  env.secrets.seal(secretRow(id), secret);

type SubscriptionEnv = Pick<EventsEnv, "clock" | "random" | "secrets">;

/** The row of a new subscription, with its secret sealed. */
export const newSubscription = (
  env: SubscriptionEnv,
  tenantId: TenantId,
  { audience, kind }: SubscriptionsOf,
  input: SubscriptionInput & { channelId?: ChannelId },
): SubscriptionRow => {
  const id = newId<SubscriptionId>(env);
  const createdAt = env.clock.now();
  return {
    id,
    tenantId,
    audience,
    kind,
    channelId: input.channelId ?? null,
    environment: input.environment ?? "live",
    name: input.name,
    url: input.url,
    secret: sealedSecret(env, id, input.secret),
    previousSecret: null,
    previousSecretUntil: null,
    events: [...new Set(input.events)],
    isActive: input.isActive ?? true,
    disabledAt: null,
    maxRetries: input.retryPolicy?.maxRetries ?? DEFAULT_RETRIES,
    retryDelayMs: input.retryPolicy?.retryDelay ?? DEFAULT_RETRY_DELAY_MS,
    consecutiveFailures: 0,
    lastFailedAt: null,
    ...CLOSED_BREAKER,
    createdAt,
    updatedAt: createdAt,
  };
};

/**
 * Creates a webhook.
 * @throws AppError VALIDATION when a webhook may not have the URL, or LIMIT_REACHED
 */
export const createSubscription = async (
  env: EventsEnv,
  { tenantId }: TenantScope,
  of: SubscriptionsOf,
  input: SubscriptionInput,
): Promise<SubscriptionRow> => {
  const issues = await urlIssues(env, "url", input.url);
  if (issues.length > 0) throw invalid(...issues);
  const row = newSubscription(env, tenantId, of, input);
  await env.db.write(async (tx) => {
    await requireRoom(env, tx, { collection: "webhooks", owner: tenantId });
    await insertSubscription(tx, row);
    await recordAct(env, tx, { action: "webhook.create", target: row.id, tenantId, details: { kind: of.kind } });
  });
  return row;
};

export const subscriptionsOf = (env: EventsEnv, scope: TenantScope, of: SubscriptionsOf): Promise<SubscriptionRow[]> =>
  env.db.read((reader) => listSubscriptions(reader, scope, of));

/** The id that a client gave, and the subscriptions among which it is looked up. */
type Named = SubscriptionsOf & { id: string };

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
 * before any newer event. When the endpoint changes, its waiting deliveries are retried at once.
 * @throws AppError VALIDATION or SUBSCRIPTION_NOT_FOUND
 */
export const changeSubscription = async (
  env: EventsEnv,
  scope: TenantScope,
  { id, ...of }: Named,
  input: Partial<SubscriptionInput>,
): Promise<SubscriptionRow> => {
  const issues = input.url === undefined ? [] : await urlIssues(env, "url", input.url);
  if (issues.length > 0) throw invalid(...issues);
  return env.db.write(async (tx) => {
    const current = await findSubscription(tx, scope, of, id);
    if (!current) throw unknownSubscription();
    const isActivated = input.isActive === true && !current.isActive;
    // `disabledAt` stays until all paused deliveries are enqueued
    const changes = { ...changesOf(env, current, input), ...(isActivated ? { disabledAt: env.clock.now() } : {}) };
    const changed = await updateSubscription(tx, scope, current.id, changes);
    if (!changed) throw unknownSubscription();
    await recordAct(env, tx, {
      action: "webhook.change",
      target: changed.id,
      tenantId: scope.tenantId,
      details: { kind: of.kind, fields: Object.keys(input) },
    });
    const isOther = isOtherEndpoint(env, current, input);
    if (input.isActive) {
      resumeQueue(tx, endpointQueue(changed.id).key); // the breaker that paused it is closed now
      env.jobs.enqueue(tx, "subscription.resume", { subscriptionId: changed.id });
    }
    if (isOther) await retryAll(env, tx, changed.id, { isNewSeries: true });
    return changed;
  });
};

const isOtherSecret = (
  { secrets }: Pick<EventsEnv, "secrets">,
  { id, secret: sealed }: Pick<SubscriptionRow, "id" | "secret">,
  secret: string,
): boolean => secrets.open(secretRow(id), sealed) !== secret;

/**
 * Whether a change sends the deliveries elsewhere, or signs them with another secret. Then earlier failures say
 * nothing.
 */
export const isOtherEndpoint = (
  env: Pick<EventsEnv, "secrets">,
  current: SubscriptionRow,
  { url, secret }: Pick<Partial<SubscriptionInput>, "url" | "secret">,
): boolean =>
  (url !== undefined && url !== current.url) || (secret !== undefined && isOtherSecret(env, current, secret));

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
  { secret, retryPolicy, events, ...rest }: Partial<SubscriptionInput>,
): Partial<SubscriptionRow> => ({
  ...rest,
  ...(events === undefined ? {} : { events: [...new Set(events)] }),
  ...(secret === undefined ? {} : rotated(env, current, secret)),
  ...(retryPolicy?.maxRetries === undefined ? {} : { maxRetries: retryPolicy.maxRetries }),
  ...(retryPolicy?.retryDelay === undefined ? {} : { retryDelayMs: retryPolicy.retryDelay }),
  ...(rest.isActive ? { consecutiveFailures: 0, ...CLOSED_BREAKER } : {}),
  ...(rest.isActive === false ? { disabledAt: null } : {}),
  updatedAt: env.clock.now(),
});

/**
 * Removes a webhook with its logs and its paused deliveries. A waiting delivery becomes a dead letter or is deleted, as
 * its audience says.
 * @throws AppError SUBSCRIPTION_NOT_FOUND
 */
export const removeSubscription = async (
  env: EventsEnv,
  scope: TenantScope,
  { id, ...of }: Named,
  alsoInWrite: (tx: Tx, id: SubscriptionId) => Promise<void> = async () => {},
): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await deleteSubscription(tx, scope, of, id))) throw unknownSubscription();
    await recordAct(env, tx, {
      action: "webhook.delete",
      target: id,
      tenantId: scope.tenantId,
      details: { kind: of.kind },
    });
    env.jobs.enqueue(tx, "subscription.forget", { subscriptionId: id as SubscriptionId });
    await alsoInWrite(tx, id as SubscriptionId);
  });

/**
 * A page of the delivery attempts of a webhook, newest first.
 * @throws AppError SUBSCRIPTION_NOT_FOUND
 */
export const attemptsOf = async (
  env: EventsEnv,
  scope: TenantScope,
  named: Named,
  filter: { isDelivered: boolean | undefined; limit: number; offset: number },
): Promise<{ rows: AttemptRow[]; total: number }> => {
  const subscription = await getSubscription(env, scope, named);
  return env.db.read(async (reader) => ({
    rows: await listAttempts(reader, subscription.id, filter),
    total: await countAttempts(reader, subscription.id, filter.isDelivered),
  }));
};

const FORGET_BATCH = 500;

/** Deletes the logs and the paused deliveries of a deleted webhook, 500 rows per write. */
export const forgetSubscription = async (
  env: EventsEnv,
  job: Job<{ subscriptionId: SubscriptionId }>,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const { subscriptionId } = job.payload;
    const areMore = [
      await deleteAttempts(tx, subscriptionId, FORGET_BATCH),
      await deletePaused(tx, subscriptionId, FORGET_BATCH),
    ];
    if (areMore.includes(true)) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};

const RESUME_BATCH = 100;

/**
 * Sends the paused deliveries of a webhook that is active again, oldest first, 100 per write. If the webhook is
 * disabled again, the rest stays paused.
 */
export const resumeDeliveries = async (
  env: EventsEnv,
  job: Job<{ subscriptionId: SubscriptionId }>,
): Promise<JobOutcome> => {
  const { subscriptionId } = job.payload;
  await env.db.write(async (tx) => {
    const subscription = await loadSubscription(tx, subscriptionId);
    if (!subscription?.isActive) return job.end(tx);
    const paused = await listPaused(tx, subscriptionId, RESUME_BATCH);
    for (const { delivery, event } of paused) {
      await updateDelivery(tx, delivery.id, ["PAUSED"], { status: "PENDING", attempts: 0, nextAt: env.clock.now() });
      env.jobs.enqueue(
        tx,
        "event.dispatch",
        { deliveryId: delivery.id, subscriptionId, chat: event.chat },
        { runAt: delivery.createdAt },
      ); // before what is newer
    }
    if (paused.length === RESUME_BATCH) return job.snooze(tx, env.clock.now());
    await updateSubscription(tx, EVERY_TENANT, subscriptionId, { disabledAt: null });
    job.end(tx);
  });
  return { is: "settled" };
};

export type { AttemptRow as Attempt } from "../../store/attempts.ts";
export type { SubscriptionRow as Subscription, SubscriptionsOf } from "../../store/subscriptions.ts";
