import type { Found, LookupApi } from "../../contract/abilities/lookup.ts";
import { isOpenState } from "../../contract/events.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import {
  answerLookup,
  findLookup,
  insertLookup,
  type LookupResult,
  type LookupRow,
} from "../../store/tables/messaging/lookups.ts";
import { pauseQueue } from "../../store/tables/queues.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { notConnected, requireChannel } from "../channels/refusals.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import type { MessagingEnv } from "./env.ts";
import { waitForChannel, waitForHold } from "./sending/queue.ts";
import { findHold } from "./sending/send-waits.ts";

export type { LookupRow as Lookup } from "../../store/tables/messaging/lookups.ts";

type LookupPayload = { taskId: string; channelId: ChannelId };

/** How long a task is stored, and how long its network is asked. */
const TASK_TTL_MS = DAY_MS;
/** The wait before asking again a network that gave no answer, unless it names a wait. */
const ASK_AGAIN_MS = 30 * SECOND_MS;

type Started = { taskId: string; isDone: boolean };

/**
 * Asks a network which of these numbers (as people write them) it knows. Done at once if all of them were asked about
 * before. Checks in this order: channel, kind, connection, waiting tasks.
 * @throws AppError CHANNEL_NOT_FOUND, LOOKUP_UNSUPPORTED, CHANNEL_NOT_CONNECTED, or LOOKUP_LIMIT_REACHED
 */
export const startLookup = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, numbers }: { channelId: string; numbers: readonly string[] },
): Promise<Started> => {
  const lookup = await lookupOf(env, scope, channelId);
  const asked = numbers.map(asDigits);
  const results = resultsOf(asked, await lookup.known(distinct(asked)));
  const task: LookupRow = {
    id: newId(env),
    tenantId: scope.tenantId,
    channelId: channelId as ChannelId, // found above
    numbers: asked,
    results: results ?? null,
    expiresAt: env.clock.now() + TASK_TTL_MS,
  };
  await env.db.write(async (tx) => {
    await requireChannel(tx, scope, channelId);
    if (!results)
      await requireRoom(env, tx, {
        collection: "lookups",
        owner: task.channelId,
        retryAfterSeconds: MINUTE_MS / SECOND_MS,
      });
    await insertLookup(tx, task);
    if (!results) env.jobs.enqueue(tx, "lookup.run", { taskId: task.id, channelId: task.channelId });
  });
  return { taskId: task.id, isDone: results !== undefined };
};

/**
 * The same, answered within the request: it asks the network itself, and stores nothing.
 * @throws AppError CHANNEL_NOT_FOUND, LOOKUP_UNSUPPORTED, CHANNEL_NOT_CONNECTED, or LOOKUP_LIMIT_REACHED if the network
 *   does not answer for all numbers now
 */
export const lookUpNow = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, numbers }: { channelId: string; numbers: readonly string[] },
): Promise<LookupResult[]> => {
  const lookup = await lookupOf(env, scope, channelId);
  const asked = await ask(lookup, numbers.map(asDigits));
  if (asked.is === "answered") return asked.results;
  throw new AppError("LOOKUP_LIMIT_REACHED", {
    message: "The network does not answer for all numbers now.",
    retryAfterSeconds: Math.max(1, Math.ceil(asked.waitMs / SECOND_MS)),
  });
};

/** @throws AppError CHANNEL_NOT_FOUND, LOOKUP_UNSUPPORTED, or CHANNEL_NOT_CONNECTED */
const lookupOf = async (env: MessagingEnv, scope: TenantScope, channelId: string): Promise<LookupApi> => {
  const channel = await getChannel(env, scope, channelId);
  if (!env.registry.declared(channel.kind)?.capabilities.lookups)
    throw new AppError("LOOKUP_UNSUPPORTED", { message: "A channel of this kind cannot look up numbers." });
  const lookup = isOpenState(channel.state) ? env.supervisor.linkOf(channel, "live")?.lookup : undefined;
  if (!lookup) throw notConnected(channel);
  return lookup;
};

const distinct = (numbers: readonly string[]): string[] => [...new Set(numbers)];

/** One result for each requested number, in that order; undefined while one of them is unknown. */
const resultsOf = (numbers: readonly string[], known: ReadonlyMap<string, Found>): LookupResult[] | undefined => {
  const results = numbers.flatMap((phoneNumber) => {
    const found = known.get(phoneNumber);
    return found ? [{ phoneNumber, exists: found.exists, jid: found.jid }] : [];
  });
  return results.length === numbers.length ? results : undefined;
};

/**
 * A task of the last 24 hours. `results` are null while its network is asked.
 * @throws AppError LOOKUP_NOT_FOUND
 */
export const getLookup = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<LookupRow> => {
  const task = await env.db.read((reader) => findLookup(reader, scope, id));
  if (!task || task.expiresAt <= env.clock.now())
    throw new AppError("LOOKUP_NOT_FOUND", { message: "There is no such task, or it is over." });
  return task;
};

/**
 * Asks the network about the unknown numbers, as often as needed. After a crash before the answer is on disk the
 * network is asked again, which costs nothing, because the link has cached the answer. While the network allows no
 * more, all lookups of the channel wait.
 */
export const runLookup = async (env: MessagingEnv, job: Job<LookupPayload>): Promise<JobOutcome> => {
  const { taskId, channelId } = job.payload;
  const [task, channel] = await env.db.read(async (reader) => [
    await findLookup(reader, EVERY_TENANT, taskId),
    await findChannel(reader, EVERY_TENANT, channelId),
  ]);
  if (!task || !channel || task.expiresAt <= env.clock.now()) return { is: "done" };
  const sender = { tenantId: channel.tenantId, channelId };
  const hold = await env.db.read((reader) => findHold(env, reader, sender));
  if (hold) {
    await env.db.write((tx) => waitForHold({ env, tx, job }, sender, { place: job.createdAt, hold }));
    return { is: "settled" };
  }
  const link = isOpenState(channel.state) ? env.supervisor.linkOf(channel, "live") : undefined;
  const asked = link && (await ask(link.lookup, task.numbers));
  await env.db.write(async (tx) => {
    if (!asked)
      return waitForChannel({ env, tx, job }, channelId, {
        place: job.createdAt,
        until: task.expiresAt,
        environment: "live",
      });
    if (asked.is === "answered") {
      await answerLookup(tx, taskId, asked.results);
      return job.end(tx);
    }
    const nextAt = env.clock.now() + asked.waitMs;
    job.snooze(tx, asked.isNext ? job.createdAt : nextAt, { error: asked.reason });
    pauseQueue(tx, job.queue, nextAt, "rate-limit");
  });
  return { is: "settled" };
};

/**
 * `isNext`: the task keeps its place in the queue. A task without an answer goes behind the others, because they may
 * get answers.
 */
type Asked =
  | { is: "answered"; results: LookupResult[] }
  | { is: "unanswered"; waitMs: number; isNext: boolean; reason: string };

const ask = async (lookup: LookupApi | undefined, numbers: readonly string[]): Promise<Asked> => {
  if (!lookup)
    return {
      is: "unanswered",
      waitMs: ASK_AGAIN_MS,
      isNext: false,
      reason: "the channel's adapter does not look up numbers",
    };
  const known = await lookup.known(distinct(numbers));
  const unknown = distinct(numbers).filter((number) => !known.has(number));
  const found: Awaited<ReturnType<LookupApi["find"]>> =
    unknown.length > 0 ? await lookup.find(unknown) : { ok: true, value: new Map() };
  if (!found.ok) {
    const waitMs = (found.kind === "unavailable" && found.retryAfterMs) || undefined;
    return { is: "unanswered", waitMs: waitMs ?? ASK_AGAIN_MS, isNext: waitMs !== undefined, reason: found.kind };
  }
  const results = resultsOf(numbers, new Map([...known, ...found.value]));
  if (results) return { is: "answered", results };
  const isMore = found.value.size > 0;
  return { is: "unanswered", waitMs: isMore ? 0 : ASK_AGAIN_MS, isNext: isMore, reason: "not all of them yet" };
};
