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
 * What is wrong with the URL of an endpoint: it must be HTTPS and public, or of a host that the operator allows. Where
 * the name leads is checked at every attempt too.
 */
export const urlIssues = async (env: Pick<EventsEnv, "http">, path: string, url: string): Promise<Issue[]> => {
  const refusal = await env.http.refusalOf(url);
  return refusal === undefined ? [] : [issue(path, "format", refusal)];
};

const sealedSecret = (env: Pick<EventsEnv, "secrets">, id: SubscriptionId, secret: string): string =>
  env.secrets.seal(secretRow(id), secret);

type SubscriptionEnv = Pick<EventsEnv, "clock" | "random" | "secrets">;

/** The row of a new subscription, its secret sealed. */
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

/** Throws VALIDATION when the URL is not one that a webhook may have, and LIMIT_REACHED. */
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

/** A subscription as a client names it. */
type Named = SubscriptionsOf & { id: string };

/** Throws SUBSCRIPTION_NOT_FOUND. */
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
 * Changes the fields given; a missing secret stays. Activating forgets past failures and sends out what was parked,
 * before anything that happens from then on. What waits for an endpoint that is changed is tried there at once. Throws
 * VALIDATION and SUBSCRIPTION_NOT_FOUND.
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
    const isWoken = input.isActive === true && !current.isActive;
    // until all that was parked is on its way
    const changes = { ...changesOf(env, current, input), ...(isWoken ? { disabledAt: env.clock.now() } : {}) };
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
      resumeQueue(tx, endpointQueue(changed.id).key); // the pause of a breaker that is closed now
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
 * Whether a webhook's deliveries would go elsewhere, or be signed with another secret: then what failed before says
 * nothing.
 */
export const isOtherEndpoint = (
  env: Pick<EventsEnv, "secrets">,
  current: SubscriptionRow,
  { url, secret }: Pick<Partial<SubscriptionInput>, "url" | "secret">,
): boolean =>
  (url !== undefined && url !== current.url) || (secret !== undefined && isOtherSecret(env, current, secret));

/** Has all that waits for a webhook's endpoint tried now, as new series of attempts. Throws SUBSCRIPTION_NOT_FOUND. */
export const retrySubscription = (env: EventsEnv, scope: TenantScope, { id, ...of }: Named): Promise<SubscriptionRow> =>
  env.db.write(async (tx) => {
    const subscription = await findSubscription(tx, scope, of, id);
    if (!subscription) throw unknownSubscription();
    await retryAll(env, tx, subscription.id, { isNewSeries: true });
    return subscription;
  });

/** A secret that changes leaves the one before it good for a day: receivers take the new one over meanwhile. */
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

/** The columns that such an input changes. */
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
 * Its logs go with it, and what was kept for it. What waits for it finds it gone: it ends in the dead-letter store or
 * is dropped, as its audience says. Throws SUBSCRIPTION_NOT_FOUND.
 */
export const removeSubscription = async (
  env: EventsEnv,
  scope: TenantScope,
  { id, ...of }: Named,
  also: (tx: Tx, id: SubscriptionId) => Promise<void> = async () => {},
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
    await also(tx, id as SubscriptionId);
  });

/** A page of the attempts made for a webhook, newest first. Throws SUBSCRIPTION_NOT_FOUND. */
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

/** Removes the logs of a deleted webhook, and what was kept for it while it was disabled, a batch at a time. */
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
 * Sends out what was parked while a webhook was disabled, oldest first, a batch at a time. One that is disabled anew
 * keeps the rest.
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
