import { SECOND_MS } from "../../kernel/clock.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { hasStorage } from "../tenancy/accounts/collections.ts";
import type { MediaEnv } from "./env.ts";
import { type Fetched, fetchFile } from "./fetch.ts";
import {
  type FileOfMessage,
  fileOf,
  NO_STORAGE,
  type PendingMessage,
  publishBeforeFile,
  publishWithFile,
  publishWithoutFile,
} from "./received.ts";

/** How long a message waits for its file before it is published without it. */
const PATIENCE_MS = 30 * SECOND_MS;
/** The least time of an attempt, even if it starts late because the process was down or many files wait. */
const SHORTEST_TRY_MS = 10 * SECOND_MS;
/** Waits between the attempts. */
const RETRY_WAITS_MS = [2 * SECOND_MS, 10 * SECOND_MS] as const;

/**
 * Fetches the file of a message, then publishes both. When the file cannot be fetched, the message is published alone,
 * at most 30 s after it came. If the network refuses the channel's credentials, the message is published at once, and
 * the file follows when the channel has others. The job ends with the publication: after an earlier crash the file is fetched again, and
 * no message is published twice or never.
 */
export const downloadMedia = async (env: MediaEnv, job: Job<PendingMessage>): Promise<JobOutcome> => {
  const withinMs = Math.max(job.createdAt + PATIENCE_MS - env.clock.now(), SHORTEST_TRY_MS);
  const fetched = await tryToFetch(env, fileOf(job.payload), withinMs);
  await env.db.write((tx) => settle(env, tx, job, fetched));
  return { is: "settled" };
};

/** One counted try to fetch a file. Fetches nothing for an account whose storage is full. */
export const tryToFetch = async (env: MediaEnv, pending: FileOfMessage, withinMs: number): Promise<Fetched> => {
  const { tenantId, channelKind: kind, environment } = pending;
  const hasRoom = await env.db.read((reader) => hasStorage(env, reader, tenantId, 1));
  const fetched: Fetched = hasRoom
    ? await env.downloads.run(kind, () => fetchFile(env, pending, withinMs))
    : { ok: false, ...NO_STORAGE, isFinal: true };
  if (environment === "live")
    env.metrics.count("recado_media_downloads_total", {
      kind,
      outcome: fetched.ok ? "fetched" : fetched.isFinal ? "given_up" : "failed",
    });
  return fetched;
};

const settle = async (env: MediaEnv, tx: Tx, job: Job<PendingMessage>, fetched: Fetched): Promise<void> => {
  const { payload } = job;
  if (fetched.ok) {
    await publishWithFile(env, tx, payload, fetched.metadata);
    return job.end(tx);
  }
  if (fetched.awaitsCredentials) {
    await publishBeforeFile(env, tx, payload);
    return job.end(tx);
  }
  const retryAt = retryAtOf(env, job, fetched);
  if (retryAt !== undefined) return job.retry(tx, retryAt, { error: fetched.reason });
  env.log.warn(
    {
      channelId: payload.channelId,
      messageId: payload.domainEvent.messageId,
      attempt: job.attempt,
      reason: fetched.reason,
    },
    "the file of a message could not be had",
  );
  await publishWithoutFile(env, tx, payload, fetched);
  job.end(tx);
};

const retryAtOf = (
  env: MediaEnv,
  { attempt, createdAt }: Job<unknown>,
  { isFinal }: Extract<Fetched, { ok: false }>,
): number | undefined => {
  const wait = RETRY_WAITS_MS[attempt - 1];
  const at = env.clock.now() + (wait ?? 0);
  return isFinal || wait === undefined || at >= createdAt + PATIENCE_MS ? undefined : at;
};
