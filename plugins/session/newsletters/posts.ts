import { proto } from "@whiskeysockets/baileys";
import type { NewsletterCounts, NewsletterPost } from "../../../src/contract/abilities/newsletters.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { contentOf, partOf } from "../inbound/content/content.ts";
import { unknownPartIn } from "../inbound/content/unknown.ts";
import { openedIn } from "../inbound/content/wrappers.ts";
import { millisecondsOf } from "../inbound/origin.ts";
import { providerMessageIdOf } from "../message-cache.ts";

/** The stanzas of posts, in an answer or a report. */
export const postsIn = (holder: Stanza | undefined): Stanza[] =>
  childrenOf(childOf(holder, "messages") ?? holder).filter(
    ({ tag, attrs }) => tag === "message" && SERVER_ID.test(attrs["server_id"] ?? ""),
  );

const SERVER_ID = /^\d{1,12}$/;
const LONGEST_EMOJI = 64;
const MOST_EMOJIS = 500;
/** An app's poll has 12 options. Each is hashed, and a post may name any number. */
const MOST_OPTIONS = 100;

const countOf = (stanza: Stanza | undefined): number | undefined => {
  const count = Number(stanza?.attrs["count"]);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};

/** The counts of a post; each emoji once. */
export const countsIn = (post: Stanza): NewsletterCounts => ({
  views: countOf(childOf(post, "views_count")) ?? null,
  reactions: childrenOf(childOf(post, "reactions"))
    .slice(0, MOST_EMOJIS)
    .flatMap((one) => {
      const emoji = one.attrs["code"] ?? "";
      const count = countOf(one);
      return emoji === "" || emoji.length > LONGEST_EMOJI || count === undefined ? [] : [{ emoji, count }];
    }),
});

/** A post of a list. */
export const postIn = (post: Stanza): NewsletterPost => {
  const { server_id: serverId = "", id, t, is_sender: isSender } = post.attrs;
  const bytes = childOf(post, "plaintext")?.content;
  const message = bytes instanceof Uint8Array ? decoded(bytes) : undefined;
  const content = message && openedIn(message);
  const part = content && (partOf(content) ?? unknownPartIn(bytes as Uint8Array));
  const votes = content && votesIn(post, content);
  return {
    serverId,
    key: providerMessageIdOf(id) ?? null,
    at: millisecondsOf(t),
    isOwn: isSender === "true",
    content: content && part !== undefined ? contentOf(content, part) : null,
    ...countsIn(post),
    ...(votes ? { votes } : {}),
  };
};

const decoded = (bytes: Uint8Array): proto.IMessage | undefined => {
  try {
    return proto.Message.decode(bytes);
  } catch {
    return undefined; // a post in an unknown form
  }
};

/** The votes of a poll: the network names an option by the hash of its text. */
const votesIn = (post: Stanza, content: proto.IMessage): NewsletterPost["votes"] => {
  const poll = content.pollCreationMessageV3 ?? content.pollCreationMessageV2 ?? content.pollCreationMessage;
  if (!poll?.options) return undefined;
  const votes = childrenOf(childOf(post, "votes")).slice(0, MOST_OPTIONS);
  const counts = new Map(
    votes.flatMap((vote) => {
      const count = countOf(vote);
      return vote.content instanceof Uint8Array && count !== undefined
        ? [[Buffer.from(vote.content).toString("hex"), count] as const]
        : [];
    }),
  );
  return poll.options.slice(0, MOST_OPTIONS).map(({ optionName }) => ({
    option: optionName ?? "",
    votes: counts.get(sha256(optionName ?? "")) ?? 0,
  }));
};
