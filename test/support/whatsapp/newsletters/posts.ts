import { proto } from "@whiskeysockets/baileys";
import type { Account, Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { child, firstChild, type Stanza, stanza } from "../wire/stanza.ts";
import { mayWrite, type Newsletter, notifyCounts, type Post, postNode, publish } from "./model.ts";

const [BAD_REQUEST, FORBIDDEN, NOT_FOUND, NOT_ACCEPTABLE] = [400, 403, 404, 406] as const;
const EDIT = "3";
const DELETION = "8";

type Taken = { code?: number; serverId?: number };

/** Takes a message from a linked device to a newsletter: a post, its edit, its deletion, or a reaction. */
export const takePost = (network: Network, device: Linked, message: Stanza): Taken => {
  const newsletter = network.newsletters.get(message.attrs["to"] ?? "");
  if (!newsletter) return { code: NOT_FOUND };
  if (message.attrs["type"] === "reaction") return takeReaction(network, device.account, newsletter, message);
  return mayWrite(newsletter, device.account) ? takeContent(network, device, newsletter, message) : { code: FORBIDDEN };
};

const takeContent = (network: Network, device: Linked, newsletter: Newsletter, message: Stanza): Taken => {
  const plaintext = child(message, "plaintext")?.content;
  if (!(plaintext instanceof Uint8Array) || child(message, "enc")) return { code: BAD_REQUEST };
  const { edit, id = "" } = message.attrs;
  const known = newsletter.posts.find((post) => post.id === id);
  if (edit === DELETION) return known ? changed(known, undefined) : { code: NOT_FOUND };
  const fault = faultOf(network, message, plaintext);
  if (fault !== undefined) return { code: fault };
  if (edit === EDIT) return known?.plaintext ? changed(known, plaintext) : { code: NOT_FOUND };
  if (known) return { serverId: known.serverId }; // a repeat
  const post = newPost(network, newsletter, { by: device.account, id, plaintext, message });
  publish(newsletter, post, device);
  network.changed();
  return { serverId: post.serverId };
};

const changed = (post: Post, plaintext: Uint8Array | undefined): Taken => {
  post.plaintext = plaintext;
  post.isEdited = plaintext !== undefined;
  return { serverId: post.serverId };
};

type PublicFile = { mediaKey?: Uint8Array | null; fileEncSha256?: Uint8Array | null };

const fileIn = (content: proto.IMessage): PublicFile | undefined =>
  Object.entries(content).find(([name]) => FILES.has(name))?.[1] as PublicFile | undefined;
const FILES: ReadonlySet<string> = new Set([
  "imageMessage",
  "videoMessage",
  "ptvMessage",
  "audioMessage",
  "documentMessage",
  "stickerMessage",
]);

/** Why the network would not take a post: everybody reads it, so neither it nor its file is encrypted. */
const faultOf = (network: Network, message: Stanza, plaintext: Uint8Array): number | undefined => {
  const content = proto.Message.decode(plaintext);
  if (content.messageContextInfo?.messageSecret) return BAD_REQUEST;
  const file = fileIn(content);
  const { type, media_id: mediaId } = message.attrs;
  if (!file) return type === "media" || Object.keys(content).length === 0 ? NOT_ACCEPTABLE : undefined;
  if (file.mediaKey?.length || file.fileEncSha256?.length) return BAD_REQUEST;
  const isWhole = type === "media" && child(message, "plaintext")?.attrs["mediatype"] !== undefined;
  return isWhole && network.media.isHandle(mediaId ?? "") ? undefined : NOT_ACCEPTABLE;
};

type Given = { by: Account | undefined; id: string; plaintext: Uint8Array; message: Stanza };

export const newPost = (network: Network, newsletter: Newsletter, { by, id, plaintext, message }: Given): Post => {
  const post: Post = {
    serverId: 100 + newsletter.posts.length,
    id,
    by,
    type: message.attrs["type"] ?? "text",
    at: network.now(),
    plaintext,
    isEdited: false,
    mediaId: message.attrs["media_id"],
    views: 0,
    reactions: new Map(),
    votes: new Map(),
  };
  newsletter.posts.push(post);
  return post;
};

const BASIC = new Set(["👍", "❤️", "😂", "😮", "😢", "🙏"]);

const takeReaction = (network: Network, by: Account, newsletter: Newsletter, { attrs, ...rest }: Stanza): Taken => {
  const post = newsletter.posts.find(({ serverId }) => String(serverId) === attrs["server_id"]);
  if (!post?.plaintext) return { code: NOT_FOUND };
  const code = child({ attrs, ...rest }, "reaction")?.attrs["code"];
  if ((code === undefined) !== (attrs["edit"] === "7")) return { code: BAD_REQUEST };
  if (newsletter.reactions === "NONE" || (code !== undefined && newsletter.reactions === "BASIC" && !BASIC.has(code)))
    return { code: FORBIDDEN };
  if (code === undefined) post.reactions.delete(by);
  else post.reactions.set(by, code);
  notifyCounts(network, newsletter, post);
  network.changed();
  return { serverId: post.serverId };
};

const UNKNOWN = { code: NOT_FOUND, text: "item-not-found" };

/** Answers questions for posts. One that is addressed to the newsletter instead of the server gets no answer. */
export const answerPosts = (
  network: Network,
  { account }: Linked,
  iq: Stanza,
): Stanza[] | typeof UNKNOWN | "silence" => {
  const asked = firstChild(iq);
  const newsletter = network.newsletters.get(asked?.attrs["jid"] ?? iq.attrs["to"] ?? "");
  if (asked?.tag === "messages") {
    if (iq.attrs["to"] !== "s.whatsapp.net") return "silence";
    if (!newsletter) return UNKNOWN;
    const { count, before } = asked.attrs;
    const posts = newsletter.posts.filter(({ serverId }) => before === undefined || serverId < Number(before));
    return [
      stanza(
        "messages",
        { t: String(network.now()), jid: newsletter.jid },
        posts.slice(-Number(count ?? "25")).map((post) => postNode(post, account)),
      ),
    ];
  }
  if (!newsletter) return UNKNOWN;
  newsletter.watchers.add(account);
  return [stanza("live_updates", { duration: "300" })];
};
