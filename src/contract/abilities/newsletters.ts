import type { InboundContent } from "../content/inbound-content.ts";
import type { UpstreamResult } from "../upstream.ts";
import type { PictureSource } from "./groups.ts";

/** What the account is to a newsletter. `guest`: it does not follow it. */
export const NEWSLETTER_ROLES = ["owner", "admin", "subscriber", "guest"] as const;
export type NewsletterRole = (typeof NEWSLETTER_ROLES)[number];

/** The emojis with which people may react to posts: all, the app's first choice of them, or none. */
export const NEWSLETTER_REACTIONS = ["all", "basic", "none"] as const;
export type NewsletterReactions = (typeof NEWSLETTER_REACTIONS)[number];

/**
 * A newsletter, as its network describes it. `newsletterId` is the network's id, without its server. A field is null if
 * the network does not report it.
 */
export type Newsletter = {
  newsletterId: string;
  name: string;
  description: string;
  /** A link by which everybody can look at it and follow it. */
  inviteLink: string | null;
  role: NewsletterRole;
  isMuted: boolean;
  subscriberCount: number | null;
  isVerified: boolean;
  reactions: NewsletterReactions | null;
  hasPicture: boolean;
  createdAt: number | null;
};

export type NewsletterChanges = {
  name?: string;
  description?: string;
  picture?: PictureSource;
  reactions?: NewsletterReactions;
};

/** How often a post was seen, and how many people reacted with each emoji. Null: not reported. */
export type NewsletterCounts = { views: number | null; reactions: readonly { emoji: string; count: number }[] };

/**
 * A post of a newsletter. `serverId` numbers the posts of one newsletter; `key` is the id of the message, as in every
 * send. `content` is null for a post that was deleted. `votes`: the votes of a poll, by option.
 */
export type NewsletterPost = NewsletterCounts & {
  serverId: string;
  key: string | null;
  at: number;
  isOwn: boolean;
  content: InboundContent | null;
  votes?: readonly { option: string; votes: number }[];
};

/**
 * The newsletters of the account: messages that one side writes and everybody may read. Posts are sent as messages to
 * the canonical key `newsletter:<id>`. No function throws.
 */
export type NewslettersApi = {
  /** Those that the account follows or owns, at most 1000. */
  list(): Promise<UpstreamResult<readonly Newsletter[]>>;
  /** By the network's id, or by an invite link or its code. Any other text is refused. */
  read(by: { id: string } | { invite: string }): Promise<UpstreamResult<Newsletter>>;
  /** A `picture` that is none is refused before anything is made. A picture that the network refuses is left out. */
  create(newsletter: {
    name: string;
    description?: string;
    picture?: NonNullable<PictureSource>;
  }): Promise<UpstreamResult<Newsletter>>;
  update(id: string, changes: NewsletterChanges): Promise<UpstreamResult<true>>;
  /** Deletes the newsletter for everybody. */
  remove(id: string): Promise<UpstreamResult<true>>;
  follow(id: string): Promise<UpstreamResult<true>>;
  unfollow(id: string): Promise<UpstreamResult<true>>;
  setMuted(id: string, isMuted: boolean): Promise<UpstreamResult<true>>;
  /** Posts, newest first; `before`: those before this `serverId`. */
  posts(id: string, page: { limit: number; before?: string }): Promise<UpstreamResult<readonly NewsletterPost[]>>;
  /** Reacts to a post of anybody. An empty `emoji` removes the reaction. */
  react(id: string, serverId: string, emoji: string): Promise<UpstreamResult<true>>;
  /** Reports the counts of a newsletter's posts as they change (`newsletter-counts`), for so many milliseconds. */
  watch(id: string): Promise<UpstreamResult<{ forMs: number }>>;
};
