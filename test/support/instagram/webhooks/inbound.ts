import type { Fields } from "../../graph/shape.ts";
import type { Delivery, SendOptions, Signature, Webhooks } from "../../graph/webhooks/webhooks.ts";
import { addMessage, openWindow, type State, userOf } from "../state.ts";
import { bodyOf, type Event } from "./events.ts";
import { messageOf, type WrittenSeed } from "./inbound-messages.ts";
import type { InboundOptions, InboundSeed } from "./inbound-seeds.ts";

type Of<Kind extends InboundSeed["kind"]> = Omit<Extract<InboundSeed, { kind: Kind }>, "kind">;
type Post<Kind extends InboundSeed["kind"]> = (event: Of<Kind>, options?: InboundOptions) => Promise<Posted>;

/**
 * The posted webhook: the mids of its messages (another event has the mid of its message), and the delivery with all
 * its answers.
 */
export type Posted = { mid: string; mids: string[]; delivery: Delivery };

/**
 * Events of conversations, one POST each; `batch` puts several into one. Each resolves when the webhook was answered
 * with 2xx or given up.
 */
export type InboundApi = { [Kind in InboundSeed["kind"]]: Post<Kind> } & {
  batch(events: readonly InboundSeed[], options?: InboundOptions): Promise<Posted>;
  /** A change without messaging, such as `comments`. */
  field(
    change: { igUserId: string; field: string; value: Fields },
    options?: { signature?: Signature },
  ): Promise<Delivery>;
  /** Any body: an object in Meta's escaped form, or an unchanged string. */
  raw(body: unknown, options?: SendOptions): Promise<Delivery>;
};

export const createInbound = (state: State, webhooks: Webhooks): InboundApi => {
  const batch: InboundApi["batch"] = async (
    seeds,
    { layout = "messaging", isWrapped = false, signature = "valid" } = {},
  ) => {
    const pieces = seeds.map((seed) => pieceOf(state, seed));
    const body = bodyOf(pieces, layout, state.clock.now());
    const mids = pieces.map(({ mid }) => mid);
    const delivery = await webhooks.send(isWrapped ? [body] : body, {
      signature,
      businessAccountId: seeds[0]?.to ?? "",
    });
    return { mid: mids[0] ?? "", mids, delivery };
  };
  return {
    batch,
    text: (event, options) => batch([{ kind: "text", ...event }], options),
    image: (event, options) => batch([{ kind: "image", ...event }], options),
    video: (event, options) => batch([{ kind: "video", ...event }], options),
    audio: (event, options) => batch([{ kind: "audio", ...event }], options),
    file: (event, options) => batch([{ kind: "file", ...event }], options),
    attachments: (event, options) => batch([{ kind: "attachments", ...event }], options),
    post: (event, options) => batch([{ kind: "post", ...event }], options),
    storyMention: (event, options) => batch([{ kind: "storyMention", ...event }], options),
    storyReply: (event, options) => batch([{ kind: "storyReply", ...event }], options),
    quickReply: (event, options) => batch([{ kind: "quickReply", ...event }], options),
    fromAd: (event, options) => batch([{ kind: "fromAd", ...event }], options),
    unsupported: (event, options) => batch([{ kind: "unsupported", ...event }], options),
    deleted: (event, options) => batch([{ kind: "deleted", ...event }], options),
    postback: (event, options) => batch([{ kind: "postback", ...event }], options),
    reaction: (event, options) => batch([{ kind: "reaction", ...event }], options),
    read: (event, options) => batch([{ kind: "read", ...event }], options),
    watermark: (event, options) => batch([{ kind: "watermark", ...event }], options),
    edit: (event, options) => batch([{ kind: "edit", ...event }], options),
    referral: (event, options) => batch([{ kind: "referral", ...event }], options),
    echo: (event, options) => batch([{ kind: "echo", ...event }], options),
    other: (event, options) => batch([{ kind: "other", ...event }], options),
    field: ({ igUserId, field, value }, options = {}) =>
      webhooks.send(
        { object: "instagram", entry: [{ id: igUserId, time: state.clock.now(), changes: [{ field, value }] }] },
        { businessAccountId: igUserId, ...options },
      ),
    raw: (body, options) => webhooks.send(body, options),
  };
};

type Piece = Event & { mid: string };

const pieceOf = (state: State, seed: InboundSeed): Piece => {
  userOf(state, seed.from);
  const at = seed.at ?? state.clock.now();
  const { mid, field, content } = sentItemOf(state, seed, at);
  const [user, business] = [{ id: seed.from }, { id: seed.to }];
  const isEcho = seed.kind === "echo";
  const parties = isEcho ? { sender: business, recipient: user } : { sender: user, recipient: business };
  const isNameless = seed.kind === "edit" && seed.hasSender === false;
  return { igUserId: seed.to, mid, field, item: { ...(isNameless ? {} : parties), timestamp: at, ...content } };
};

type SentItem = { mid: string; field: string; content: Fields };

const sentItemOf = (state: State, seed: InboundSeed, at: number): SentItem => {
  switch (seed.kind) {
    case "deleted":
      state.messages.delete(seed.messageId);
      return {
        mid: seed.messageId,
        field: "messages",
        content: { message: { mid: seed.messageId, is_deleted: true } },
      };
    case "postback":
      return postbackOf(state, seed, at);
    case "reaction":
      return { mid: seed.messageId, field: "message_reactions", content: { reaction: reactionOf(seed) } };
    case "read":
      return { mid: seed.messageId, field: "messaging_seen", content: { read: { mid: seed.messageId } } };
    case "watermark":
      return { mid: "", field: "messaging_seen", content: { read: { watermark: seed.watermark ?? at } } };
    case "edit":
      return editOf(state, seed);
    case "referral":
      return {
        mid: "",
        field: "messaging_referral",
        content: {
          referral: {
            ref: seed.ref ?? "",
            source: seed.source ?? "IGME-SOURCE-LINK",
            type: seed.type ?? "OPEN_THREAD",
          },
        },
      };
    case "other":
      return { mid: "", field: seed.field ?? "messages", content: seed.event };
    default:
      return writtenOf(state, seed, at);
  }
};

/** A message, which is kept. A user's message opens the 24 hours. */
const writtenOf = (state: State, seed: WrittenSeed, at: number): SentItem => {
  const isFromBusiness = seed.kind === "echo";
  const message = messageOf(state, seed);
  const { text } = message;
  const { mid } = addMessage(state, {
    mid: seed.mid,
    at,
    igUserId: seed.to,
    igsid: seed.from,
    isFromBusiness,
    isUnsupported: seed.kind === "unsupported",
    ...(typeof text === "string" ? { text } : {}),
  });
  if (!isFromBusiness) openWindow(state, seed.to, seed.from, at);
  return { mid, field: "messages", content: { message: { mid, ...message } } };
};

const postbackOf = (
  state: State,
  { mid: given, to, from, title, payload }: Extract<InboundSeed, { kind: "postback" }>,
  at: number,
): SentItem => {
  const { mid } = addMessage(state, { mid: given, at, igUserId: to, igsid: from, isFromBusiness: false, text: title });
  openWindow(state, to, from, at);
  return { mid, field: "messaging_postbacks", content: { postback: { mid, title, payload } } };
};

const reactionOf = ({ messageId, emoji, reaction }: Extract<InboundSeed, { kind: "reaction" }>): Fields => {
  if (emoji === undefined) return { mid: messageId, action: "unreact" };
  return { mid: messageId, action: "react", reaction: reaction ?? (emoji.startsWith("❤") ? "love" : "other"), emoji };
};

/** The edit of a new message has no text; any later one changes what `GET /{mid}` shows. */
const editOf = (state: State, { messageId: mid, text, numEdit }: Extract<InboundSeed, { kind: "edit" }>): SentItem => {
  const message = state.messages.get(mid);
  if (message && text !== undefined) message.text = text;
  return {
    mid,
    field: "message_edit",
    content: { message_edit: { mid, ...(text === undefined ? {} : { text }), num_edit: numEdit } },
  };
};
