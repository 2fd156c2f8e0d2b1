import type { ChannelKind } from "../../../contract/kind.ts";
import { MINUTE_MS } from "../../../kernel/clock.ts";
import { AppError, type CoreCode, reasonOf } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel, listByState } from "../../../store/tables/channels/channels.ts";
import { findTemplateByName, type TemplateRow } from "../../../store/tables/messaging/templates.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { PublishedEvent } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";
import { syncTemplates } from "./template-updates.ts";

// A channel's templates are synced when it connects, once a day, when a send names an unknown template, when the network
// refuses values because of their template, and on request.

/**
 * Sends with unknown templates ask the network at most once in this time, so that wrong names do not load the network.
 */
const ASKED_AGAIN_AFTER_MS = MINUTE_MS;
/** How often a sync that cannot reach the network is repeated before the next day's, and after what wait. */
const MAX_TRIES = 5;
const FIRST_WAIT_MS = MINUTE_MS;
const CHANNELS_PER_WRITE = 200;

const hasTemplates = ({ registry }: Pick<MessagingEnv, "registry">, kind: ChannelKind): boolean =>
  registry.ofKind(kind)?.capabilities.templates === true;

/** Starts a sync of a channel's templates, in the write that connects the channel. */
export const syncOnConnect = async (
  env: MessagingEnv,
  tx: Tx,
  { channelId }: Pick<PublishedEvent, "channelId">,
): Promise<void> => {
  const channel = channelId === null ? undefined : await findChannel(tx, EVERY_TENANT, channelId);
  if (channel && hasTemplates(env, channel.kind)) env.jobs.enqueue(tx, "templates.sync", { channelId: channel.id });
};

/**
 * Starts a sync in the write that ends a message as a misfit: the network refused values because it has another
 * template. So the next sends are compared with that. At most one sync a minute begins so.
 */
export const syncAfterMisfit = async (env: MessagingEnv, tx: Tx, channelId: ChannelId): Promise<void> => {
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (!channel || !hasTemplates(env, channel.kind)) return;
  const runAt = Math.max(env.clock.now(), (channel.templatesAskedAt ?? 0) + ASKED_AGAIN_AFTER_MS);
  env.jobs.enqueue(tx, "templates.sync", { channelId }, { runAt });
};

/** Enqueues a sync for every connected channel, one job each. */
export const enqueueSyncs = async (env: MessagingEnv, job: Job<{ afterId?: string }>): Promise<JobOutcome> => {
  const kinds = env.registry.kinds.filter((kind) => hasTemplates(env, kind));
  await env.db.write(async (tx) => {
    const next = await listByState(tx, {
      kinds,
      state: "CONNECTED",
      afterId: job.payload.afterId ?? "",
      limit: CHANNELS_PER_WRITE,
    });
    for (const { id } of next) env.jobs.enqueue(tx, "templates.sync", { channelId: id });
    job.end(tx);
    const last = next.at(-1);
    if (last && next.length === CHANNELS_PER_WRITE) env.jobs.enqueue(tx, "templates.sync-all", { afterId: last.id });
  });
  return { is: "settled" };
};

/** Syncs a connected channel's templates. An unreachable network is asked again a few times. */
export const syncChannelTemplates = async (
  env: MessagingEnv,
  { payload, attempt }: Job<{ channelId: ChannelId }>,
): Promise<JobOutcome> => {
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, payload.channelId));
  if (channel?.state !== "CONNECTED") return { is: "done" };
  const refusal = await env.templateSyncs.run(channel.id, () => sync(env, channel));
  if (refusal?.code !== "UPSTREAM_UNAVAILABLE" || attempt >= MAX_TRIES) return { is: "done" };
  const waitMs = Math.max(FIRST_WAIT_MS * 2 ** (attempt - 1), (refusal.retryAfterSeconds ?? 0) * 1000);
  return { is: "retry", atMs: env.clock.now() + waitMs, error: reasonOf(refusal) };
};

/** The refusals that say nothing of a channel's templates, because the network did not list them. */
const NO_ANSWER: ReadonlySet<CoreCode> = new Set([
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_PACE_REACHED",
  "UPSTREAM_TOKEN_REFUSED",
]);

/** Why the sync failed; undefined if it succeeded. What becomes of the list is remembered for the sends that wait. */
const sync = async (env: MessagingEnv, { tenantId, id: channelId }: ChannelRow): Promise<AppError | undefined> => {
  const askedAt = env.clock.now();
  try {
    await syncTemplates(env, { tenantId }, channelId);
    env.templateLists.set(channelId, { askedAt, missing: null });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    env.log.warn({ channelId, code: error.code }, "the templates of a channel could not be taken in");
    env.templateLists.set(channelId, { askedAt, missing: NO_ANSWER.has(error.code) ? error.message : null });
    return error;
  }
};

type Named = { name: string; language: string };

const findNamed = (env: MessagingEnv, { id }: ChannelRow, named: Named): Promise<TemplateRow | undefined> =>
  env.db.read((reader) => findTemplateByName(reader, id, named));

/**
 * A channel's template by its name. The network is asked first if the template is unknown and the channel is connected.
 */
export const ensureTemplate = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { mayAsk = true, ...named }: Named & { mayAsk?: boolean },
): Promise<TemplateRow | undefined> => {
  const known = await findNamed(env, channel, named);
  return known || !mayAsk ? known : (await askedTemplate(env, channel, named)).template;
};

/**
 * A channel's template after the network was asked for it, at most once a minute, or as often as `againAfterMs` says.
 * `isCurrent`: the network listed its parts within that time, and it has reported no change of the template since.
 */
export const askedTemplate = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { againAfterMs = ASKED_AGAIN_AFTER_MS, ...named }: Named & { againAfterMs?: number },
): Promise<{ template: TemplateRow | undefined; isCurrent: boolean }> => {
  const template =
    channel.state === "CONNECTED"
      ? await env.templateSyncs.run(channel.id, async () => {
          if ((await lastAsked(env, channel)) + againAfterMs <= env.clock.now()) await sync(env, channel);
          return findNamed(env, channel, named);
        })
      : await findNamed(env, channel, named);
  const listedAt = template?.componentsListedAt ?? null;
  return { template, isCurrent: listedAt !== null && listedAt + againAfterMs > env.clock.now() };
};

/** A channel that is gone counts as one that was asked just now. */
const lastAsked = async (env: MessagingEnv, channel: ChannelRow): Promise<number> => {
  const now = await env.db.read((reader) => findChannel(reader, channel, channel.id));
  return now ? (now.templatesAskedAt ?? 0) : env.clock.now();
};

/**
 * - `listed`: the template as the network has listed it since that time.
 * - `unlisted`: the network was asked since, and its answer did not have the template.
 * - `later`: the network may be asked from `atMs` on. `missing`: why its last list did not come, if that is known.
 */
export type ListedSince =
  | { is: "listed"; template: TemplateRow }
  | { is: "unlisted" }
  | { is: "later"; atMs: number; missing: string | null };

/**
 * A channel's template as the network has listed it since a time. It is asked for that list at most once a minute: one
 * list serves every message that waits for it. Only an answer of the network ends the wait: after a list that did not
 * come, or after a restart, the network is asked again.
 */
export const templateListedSince = (
  env: MessagingEnv,
  channel: ChannelRow,
  { sinceMs, ...named }: Named & { sinceMs: number },
): Promise<ListedSince> =>
  env.templateSyncs.run(channel.id, async () => {
    const known = await answeredSince(env, channel, { sinceMs, ...named });
    if (known.is !== "later" || known.atMs > env.clock.now()) return known;
    await sync(env, channel);
    return answeredSince(env, channel, { sinceMs, ...named });
  });

/** What the network has answered since a time, as far as this process knows. */
const answeredSince = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { sinceMs, ...named }: Named & { sinceMs: number },
): Promise<ListedSince> => {
  const template = await findNamed(env, channel, named);
  if (template && (template.componentsListedAt ?? 0) >= sinceMs) return { is: "listed", template };
  const last = env.templateLists.get(channel.id);
  if (last && last.askedAt >= sinceMs && last.missing === null) return { is: "unlisted" };
  const askedAt = await lastAsked(env, channel);
  return { is: "later", atMs: askedAt + ASKED_AGAIN_AFTER_MS, missing: last?.missing ?? null };
};
