import type { OAuth, OAuthConfig } from "../../../contract/abilities/oauth.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import { type ChannelRow, findChannel, listByState } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { Caller } from "../../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireValue } from "../links/upstream.ts";
import { checkedWebhook, type WebhookInput } from "../settings/webhooks.ts";
import { installChannel } from "./install.ts";

/** So many channels are read and enqueued by one write. */
const CHANNELS_PER_WRITE = 200;

/** The first adapter whose channels are created by consent; the routes of this API serve one such adapter. */
const oauthOf = (env: ChannelsEnv): { kind: ChannelKind; oauth: OAuth; config: OAuthConfig } => {
  const plugin = env.registry.adapters.find((adapter) => adapter.oauth);
  const oauth =
    plugin && env.registry.ofKind(plugin.kind)?.oauth?.({ http: env.http.to(plugin.name), clock: env.clock });
  if (!plugin || !oauth?.config)
    throw new AppError("SOCIAL_NOT_CONFIGURED", { message: "This server has no app for social accounts." });
  return { kind: plugin.kind, oauth, config: oauth.config };
};

/**
 * The settings that a client's page needs to ask for consent.
 * @throws AppError SOCIAL_NOT_CONFIGURED
 */
export const socialOAuthConfig = (env: ChannelsEnv): OAuthConfig => oauthOf(env).config;

export type Consent = { code: string; redirectUri: string; label: string; webhook?: WebhookInput | undefined };

/**
 * Creates a channel for an account whose owner has just consented, or reuses the tenant's channel of that account.
 * After an error nothing is created.
 * @throws AppError SOCIAL_NOT_CONFIGURED, CHANNEL_EXISTS when another tenant owns the account, VALIDATION, and what
 *   `requireValue` throws
 */
export const connectSocialAccount = async (
  env: ChannelsEnv,
  caller: Caller,
  { code, redirectUri, label, webhook }: Consent,
): Promise<{ channel: ChannelRow; isReconnected: boolean }> => {
  const { kind, oauth } = oauthOf(env);
  if (webhook) await checkedWebhook(env, webhook); // before the code is used up
  const account = requireValue(await oauth.exchange(code, redirectUri));
  return installChannel(env, caller, { kind, accountId: null, phoneNumber: null, ...account, label, webhook });
};

/** Enqueues one job for each connected channel whose credentials may expire. A repeat enqueues none twice. */
export const enqueueRefreshes = async (env: ChannelsEnv): Promise<JobOutcome> => {
  const kinds = env.registry.adapters.filter(({ network }) => network.renewsCredentials).map(({ kind }) => kind);
  for (const state of ["CONNECTED", "RESTRICTED"] as const)
    for (let afterId: string | undefined = ""; afterId !== undefined; ) {
      const from: string = afterId;
      afterId = await env.db.write(async (tx) => {
        const next = await listByState(tx, { kinds, state, afterId: from, limit: CHANNELS_PER_WRITE });
        for (const { id } of next) env.jobs.enqueue(tx, "channel.refresh", { channelId: id });
        return next.length === CHANNELS_PER_WRITE ? next.at(-1)?.id : undefined;
      });
    }
  return { is: "done" };
};

/** Renews a channel's credentials when it is time. A failure is retried the next day; ten days remain for it. */
export const refreshChannel = async (
  env: ChannelsEnv,
  { payload }: Job<{ channelId: ChannelId }>,
): Promise<JobOutcome> => {
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, payload.channelId));
  const refreshed =
    channel?.state === "CONNECTED" ? await env.supervisor.linkOf(channel, "live")?.refresh?.() : undefined;
  if (refreshed && !refreshed.ok)
    env.log.warn(
      { channelId: payload.channelId, kind: refreshed.kind },
      "the channel's credentials could not be renewed",
    );
  return { is: "done" };
};
