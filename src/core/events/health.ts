import { DAY_MS } from "../../kernel/clock.ts";
import { cutPage } from "../../kernel/page.ts";
import type { Reader } from "../../store/engine/db.ts";
import { boundsOf } from "../../store/engine/time-bounds.ts";
import { findSubscription, type SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import {
  countOfWebhook,
  deadByWebhook,
  listWebhooks,
  type RecentAttempt,
  recentAttempts,
} from "../../store/tables/events/webhook-health.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { EventsEnv } from "./env.ts";

/**
 * The state of a webhook. FAILING: its last attempt failed. WAITING: its breaker is open, so that nothing new is tried.
 * PAUSED by its owner; DISABLED, because too many of its events were lost.
 */
export const WEBHOOK_STATES = ["OK", "FAILING", "WAITING", "PAUSED", "DISABLED"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export type WebhookHealth = {
  webhook: SubscriptionRow;
  state: WebhookState;
  /** Of the last 24 hours; the times are those of its newest attempts, null without one. */
  delivered: number;
  failed: number;
  medianMs: number | null;
  slowestMs: number | null;
  waiting: number;
  paused: number;
  dead: number;
  /** The newest attempts, newest first. */
  recent: RecentAttempt[];
};

/** The maximum number of shown attempts, and of counted dead letters. */
const RECENT = 60;
const MOST_DEAD = 10_000;
const NEWEST = "g"; // after every id

/**
 * A page of the webhooks of a tenant with their health, newest first: phones' own, shared ones, and those of the
 * platform. `id` selects a single webhook; an unknown id gives an empty page.
 */
export const webhookHealth = (
  env: EventsEnv,
  scope: TenantScope,
  { id, cursor = NEWEST, limit }: { id: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ items: WebhookHealth[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const rows =
      id === undefined
        ? await listWebhooks(reader, scope, { before: cursor, limit: limit + 1 })
        : await oneOf(reader, scope, id);
    const { items, nextCursor } = cutPage(rows, limit, (row) => row.id);
    const { afterSeq = 0 } = await boundsOf(reader, "attempts", { sinceMs: env.clock.now() - DAY_MS });
    const dead = await deadByWebhook(reader, scope, MOST_DEAD);
    const healths: WebhookHealth[] = [];
    for (const webhook of items)
      healths.push({ ...(await healthOf(env, reader, webhook, afterSeq)), dead: dead.get(webhook.id) ?? 0 });
    return { items: healths, nextCursor };
  });

const oneOf = async (reader: Reader, scope: TenantScope, id: string): Promise<SubscriptionRow[]> => {
  for (const kind of ["shared", "phone", "account", "app"] as const) {
    const found = await findSubscription(reader, scope, { kind }, id);
    if (found) return [found];
  }
  return [];
};

const healthOf = async (
  env: EventsEnv,
  reader: Reader,
  webhook: SubscriptionRow,
  afterSeq: number,
): Promise<Omit<WebhookHealth, "dead">> => {
  const { id } = webhook;
  const recent = await recentAttempts(reader, id, { afterSeq, limit: RECENT });
  const all = await countOfWebhook(reader, "attempts", id, afterSeq);
  const failed = await countOfWebhook(reader, "failed", id, afterSeq);
  const times = recent.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  return {
    webhook,
    state: stateOf(env, webhook),
    delivered: all - failed,
    failed,
    medianMs: times[Math.floor(times.length / 2)] ?? null,
    slowestMs: times.at(-1) ?? null,
    waiting: await countOfWebhook(reader, "waiting", id, 0),
    paused: await countOfWebhook(reader, "paused", id, 0),
    recent,
  };
};

const stateOf = (
  { audiences, clock }: Pick<EventsEnv, "audiences" | "clock">,
  { audience, isActive, consecutiveFailures, breakerOpenUntil, breakerFailures }: SubscriptionRow,
): WebhookState => {
  const { disablesAfter = Number.POSITIVE_INFINITY } = audiences.of(audience).retry;
  if (!isActive) return consecutiveFailures >= disablesAfter ? "DISABLED" : "PAUSED";
  if (breakerOpenUntil > clock.now()) return "WAITING";
  return breakerFailures > 0 ? "FAILING" : "OK";
};
