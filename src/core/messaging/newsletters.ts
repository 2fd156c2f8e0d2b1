import type {
  Newsletter,
  NewsletterChanges,
  NewsletterPost,
  NewslettersApi,
} from "../../contract/abilities/newsletters.ts";
import { isOpenState, type ProviderMessageId } from "../../contract/events.ts";
import type { UpstreamResult } from "../../contract/upstream.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import type { MessageId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import { findMessageByProviderId } from "../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notConnected, notOffered } from "../channels/refusals.ts";
import type { MessagingEnv } from "./env.ts";

type Newsletters = { channel: ChannelRow; api: NewslettersApi };

/**
 * A connected channel with the newsletters of its account.
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM for a kind without newsletters, CHANNEL_NOT_CONNECTED
 */
const requireNewsletters = async (env: MessagingEnv, scope: TenantScope, channelId: string): Promise<Newsletters> => {
  const channel = await getChannel(env, scope, channelId);
  const api = env.supervisor.linkOf(channel, "live")?.newsletters;
  if (!api) throw notOffered("follow and write newsletters");
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return { channel, api };
};

/** A newsletter of a channel; `id` is the network's, with or without its server. */
export type NewsletterOn = { channelId: string; id: string };

const ID = /^(?:newsletter:)?(\d{5,30})(?:@newsletter)?$/;

/** @throws AppError VALIDATION for an id that no newsletter can have */
const idIn = (given: string): string => {
  const [, id] = ID.exec(given) ?? [];
  if (id === undefined) throw invalid(issue("newsletterId", "format", "must be the id of a newsletter"));
  return id;
};

/** The newsletters that the account follows or owns. Throws as `requireNewsletters`, and what `requireValue` throws. */
export const listNewsletters = async (
  env: MessagingEnv,
  scope: TenantScope,
  channelId: string,
): Promise<readonly Newsletter[]> => requireValue(await (await requireNewsletters(env, scope, channelId)).api.list());

/** A newsletter by its id, its invite link, or the code of that link. Throws as `listNewsletters`. */
export const readNewsletter = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, id }: NewsletterOn,
): Promise<Newsletter> => {
  const { api } = await requireNewsletters(env, scope, channelId);
  const [, known] = ID.exec(id) ?? [];
  if (known !== undefined) return requireValue(await api.read({ id: known }));
  return requireValue(await api.read({ invite: id }));
};

/** Makes a newsletter, which belongs to the account. Throws as `listNewsletters`. */
export const createNewsletter = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, ...newsletter }: { channelId: string } & Parameters<NewslettersApi["create"]>[0],
): Promise<Newsletter> => requireValue(await (await requireNewsletters(env, scope, channelId)).api.create(newsletter));

/** Runs one act on a newsletter. Throws as `readNewsletter`. */
const act = async <Value>(
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, id }: NewsletterOn,
  run: (api: NewslettersApi, id: string) => Promise<UpstreamResult<Value>>,
): Promise<Value> => {
  const newsletterId = idIn(id);
  const { api } = await requireNewsletters(env, scope, channelId);
  return requireValue(await run(api, newsletterId));
};

/** Changes a newsletter of the account. Throws as `readNewsletter`. */
export const changeNewsletter = (
  env: MessagingEnv,
  scope: TenantScope,
  of: NewsletterOn,
  changes: NewsletterChanges,
): Promise<true> => {
  if (Object.keys(changes).length === 0) throw invalid(issue("name", "required", "at least one change is required"));
  return act(env, scope, of, (api, id) => api.update(id, changes));
};

export const removeNewsletter = (env: MessagingEnv, scope: TenantScope, of: NewsletterOn): Promise<true> =>
  act(env, scope, of, (api, id) => api.remove(id));

export const setFollowed = (
  env: MessagingEnv,
  scope: TenantScope,
  of: NewsletterOn,
  isFollowed: boolean,
): Promise<true> => act(env, scope, of, (api, id) => (isFollowed ? api.follow(id) : api.unfollow(id)));

export const setNewsletterMuted = (
  env: MessagingEnv,
  scope: TenantScope,
  of: NewsletterOn,
  isMuted: boolean,
): Promise<true> => act(env, scope, of, (api, id) => api.setMuted(id, isMuted));

/** Publishes the counts of a newsletter's posts for some minutes. Throws as `readNewsletter`. */
export const watchNewsletter = (env: MessagingEnv, scope: TenantScope, of: NewsletterOn): Promise<{ forMs: number }> =>
  act(env, scope, of, (api, id) => api.watch(id));

/** Reacts to a post of anybody; an empty emoji removes the reaction. Throws as `readNewsletter`. */
export const reactToPost = (
  env: MessagingEnv,
  scope: TenantScope,
  { serverId, emoji, ...of }: NewsletterOn & { serverId: string; emoji: string },
): Promise<true> => {
  if (!isServerId(serverId)) throw new AppError("MESSAGE_KEY_UNKNOWN", { message: "There is no such post." });
  return act(env, scope, of, (api, id) => api.react(id, serverId, emoji));
};

const isServerId = (text: string): boolean => /^\d{1,12}$/.test(text);

/** A post, and the message that it is, if it was sent from here. */
export type ListedPost = NewsletterPost & { messageId: MessageId | null };

/** The posts of a newsletter, newest first, with their counts. Throws as `readNewsletter`. */
export const newsletterPosts = async (
  env: MessagingEnv,
  scope: TenantScope,
  { limit, before, ...of }: NewsletterOn & { limit: number; before: string | undefined },
): Promise<ListedPost[]> => {
  if (before !== undefined && !isServerId(before))
    throw invalid(issue("before", "format", "must be the serverId of a post"));
  const newsletterId = idIn(of.id);
  const { channel, api } = await requireNewsletters(env, scope, of.channelId);
  const posts = requireValue(await api.posts(newsletterId, { limit, ...(before === undefined ? {} : { before }) }));
  return env.db.read((reader) =>
    Promise.all(
      posts.map(async (post) => {
        const sent = post.key && (await findMessageByProviderId(reader, channel.id, post.key as ProviderMessageId));
        return { ...post, messageId: sent ? sent.id : null };
      }),
    ),
  );
};
