import { createHash } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import type { Member } from "../answers/groups.ts";
import type { Network } from "../model.ts";
import { stanza } from "../wire/stanza.ts";
import { addNewsletter, type Newsletter, notifyCounts, type Post, publish } from "./model.ts";
import { newPost } from "./posts.ts";

export type NewsletterOptions = { name: string; owner: Member; description?: string; followers?: Member[] };

/** A newsletter, and what its owner and its readers do. */
export type NewsletterChat = {
  readonly jid: string;
  /** The id without its server. */
  readonly id: string;
  readonly newsletter: Newsletter;
  /** Posts as they are now, with their message; a deleted one has none. */
  readonly posts: readonly (Post & { message: proto.IMessage | undefined })[];
  /** Its owner posts something in the app; the number of the post. */
  post(message: proto.IMessage, id?: string): number;
  /** A reader sees a post, reacts to it, or votes in it. */
  see(serverId: number): void;
  react(by: Member, serverId: number, emoji: string): void;
  vote(serverId: number, option: string): void;
};

export const makeNewsletter = (
  network: Network,
  { owner, followers = [], ...about }: NewsletterOptions,
): NewsletterChat => {
  const newsletter = addNewsletter(network, { owner: owner.account, ...about });
  for (const { account } of followers) newsletter.followers.add(account);
  return newsletterChat(network, newsletter);
};

export const newsletterChat = (network: Network, newsletter: Newsletter): NewsletterChat => {
  const found = (serverId: number): Post => {
    const post = newsletter.posts.find((one) => one.serverId === serverId);
    if (!post) throw new Error(`there is no post ${serverId}`);
    return post;
  };
  const counted = (post: Post) => notifyCounts(network, newsletter, post);
  return {
    jid: newsletter.jid,
    id: newsletter.jid.split("@", 1)[0] ?? "",
    newsletter,
    get posts() {
      return newsletter.posts.map((post) => ({
        ...post,
        message: post.plaintext && proto.Message.decode(post.plaintext),
      }));
    },
    post: (content, id = network.newId()) => {
      const plaintext = proto.Message.encode(content).finish();
      const message = stanza("message", { type: content.pollCreationMessageV3 ? "poll" : "text" });
      const post = newPost(network, newsletter, { by: newsletter.owner, id, plaintext, message });
      publish(newsletter, post);
      return post.serverId;
    },
    see: (serverId) => {
      const post = found(serverId);
      post.views += 1;
      counted(post);
    },
    react: ({ account }, serverId, emoji) => {
      const post = found(serverId);
      post.reactions.set(account, emoji);
      counted(post);
    },
    vote: (serverId, option) => {
      const hash = createHash("sha256").update(option).digest("hex");
      const { votes } = found(serverId);
      votes.set(hash, (votes.get(hash) ?? 0) + 1);
    },
  };
};
