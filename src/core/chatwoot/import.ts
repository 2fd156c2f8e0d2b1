import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import { DAY_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { SubscriptionId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { loadSubscription, type SubscriptionRow, updateSubscription } from "../../store/tables/events/subscriptions.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { messageLog } from "../conversations/message-log.ts";
import { resumeEndpoint } from "../events/queues.ts";
import { type Carrying, carryChange, isCarried } from "./carry.ts";
import { changeOfOld, timeIn } from "./earlier.ts";
import type { ChatwootEnv } from "./env.ts";
import { type Connection, connectionIn, type Import, importIn, keptIn, profileFor } from "./inbox.ts";
import { clientFor } from "./send-reply.ts";

/** How many messages an import takes: the newest of its days. */
export const MOST_IMPORTED = 20_000;
const PAGE = 100;
/** How often the state of an import is stored, in messages. */
const STEP = 25;
/** The wait for a Chatwoot that does not answer, or asks for a pause. */
const WAIT_MS = 30 * SECOND_MS;

type ImportJob = Job<{ subscriptionId: SubscriptionId }>;

/**
 * Imports the messages of the last days into Chatwoot, oldest first. Each message is bound to Chatwoot's as it is made,
 * so that an import that begins again makes none twice. What happens meanwhile waits, and comes after.
 */
export const importHistory = async (env: ChatwootEnv, job: ImportJob): Promise<JobOutcome> => {
  const row = await env.db.read((reader) => loadSubscription(reader, job.payload.subscriptionId));
  const connection = row && connectionIn(row);
  if (!row || !connection || !importIn(row).isRunning) return { is: "done" };
  const state = importIn(row);
  const sinceMs = state.sinceMs ?? job.createdAt - state.days * DAY_MS;
  const ids = await idsSince(env, connection, sinceMs);
  const carrying = { connection, client: clientFor(env, row, connection), isHistory: true };
  const now: Import = { ...state, of: ids.length, leftOut: 0 };
  for (const [done, id] of ids.entries()) {
    now.done = done;
    if (done % STEP === 0 && !(await saveState(env, row, now))) return { is: "done" };
    if (!job.mayAct()) return { is: "snooze", atMs: env.clock.now() };
    const outcome = await importOne(env, carrying, id);
    if (outcome === "left out") now.leftOut += 1;
    if (typeof outcome !== "object") continue;
    const error = outcome.error ?? "";
    await saveState(env, row, { ...now, error });
    return { is: "snooze", atMs: env.clock.now() + Math.max(WAIT_MS, outcome.retryAfterMs), error };
  }
  const endedAt = env.clock.now();
  await endImport(env, job, { ...now, done: ids.length, error: null, isRunning: false, endedAt });
  return { is: "settled" };
};

/** The outcome if Chatwoot could not take a message now. A message that it refuses for good is left out. */
const importOne = async (
  env: ChatwootEnv,
  carrying: Carrying,
  id: string,
): Promise<DeliveryOutcome | "left out" | undefined> => {
  if (await isCarried(env, carrying, id)) return undefined;
  const change = await changeOfOld(env, carrying.connection, id);
  if (!change) return undefined;
  const outcome = await carryChange(env, carrying, change);
  if (outcome.error === null) return undefined;
  if (!isRefusal(outcome)) return outcome;
  env.log.warn({ messageId: id, error: outcome.error }, "Chatwoot refuses an earlier message");
  return "left out";
};

/** A wrong token and a limit are not the fault of the message. */
const isRefusal = ({ statusCode }: DeliveryOutcome): boolean =>
  statusCode >= 400 && statusCode < 500 && ![401, 403, 408, 429].includes(statusCode);

/** The messages of a channel since a time, oldest first: ids follow when a message came here, not when it was written. */
const idsSince = async (env: ChatwootEnv, { tenantId, channelId }: Connection, sinceMs: number): Promise<string[]> => {
  const found: { id: string; at: number }[] = [];
  for (let cursor: string | undefined; found.length < MOST_IMPORTED; ) {
    const page = { channelId, sinceMs, cursor, limit: PAGE };
    const { items, nextCursor } = await messageLog(env, { tenantId }, page);
    for (const item of items) if (timeIn(item) >= sinceMs) found.push({ id: item.id, at: timeIn(item) });
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
};

/** False once the connection has ended. */
const saveState = (env: ChatwootEnv, { id }: SubscriptionRow, state: Import): Promise<boolean> =>
  env.db.write(async (tx) => {
    const row = await loadSubscription(tx, id);
    if (!row) return false;
    // the settings may have changed meanwhile
    return (await updateSubscription(tx, EVERY_TENANT, id, { profile: profileFor(state, keptIn(row)) })) !== undefined;
  });

/** Ends the import, and lets go what happened meanwhile, in one write with the job. */
const endImport = (env: ChatwootEnv, job: ImportJob, state: Import): Promise<void> =>
  env.db.write(async (tx) => {
    const { subscriptionId } = job.payload;
    const row = await loadSubscription(tx, subscriptionId);
    // `disabledAt` stays until all paused deliveries are enqueued
    const changes = row && { isActive: true, profile: profileFor(state, keptIn(row)), updatedAt: env.clock.now() };
    if (changes && (await updateSubscription(tx, EVERY_TENANT, subscriptionId, changes))) {
      resumeEndpoint(env, tx, subscriptionId);
      env.jobs.enqueue(tx, "subscription.resume", { subscriptionId });
    }
    job.end(tx);
  });
