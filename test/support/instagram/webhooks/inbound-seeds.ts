import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { Signature } from "../../graph/webhooks/webhooks.ts";
import { LAYOUTS } from "./events.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const Words = Text(0, 65_536);
const Name = Text(1, 1000);
const Flag = optional(Type.Boolean());

/** Every event: `to` is the account it came in on, `from` the user's IGSID. `at`: when it happened, in milliseconds. */
const common = { to: Text(1, 64), from: Text(1, 64), at: optional(Type.Number()) };
/**
 * Every message. `mid` is made up if it is missing; `replyTo` is the mid of the message it answers; `isSelf`: the
 * account wrote to itself.
 */
const message = { ...common, mid: optional(Name), replyTo: optional(Name), isSelf: Flag };

const ATTACHMENTS = [
  "image",
  "video",
  "audio",
  "file",
  "share",
  "ig_post",
  "ig_reel",
  "reel",
  "story_mention",
  "ig_story",
  "media",
  "template",
  "unsupported_type",
] as const;

/** The bytes behind an attachment's link; by default a small sample of its type. `url` instead is sent unchanged. */
const file = { bytesBase64: optional(Type.String()), mimeType: optional(Name), url: optional(Text(0, 2048)) };

/**
 * An attachment of any type. `hasUrl` false: its payload has no link, like those of files that Instagram does not hand
 * out.
 */
export const AttachmentSeed = Type.Object(
  {
    type: OneOf(ATTACHMENTS),
    ...file,
    hasUrl: Flag,
    title: optional(Words),
    igPostMediaId: optional(Name),
    reelVideoId: optional(Name),
  },
  strict,
);
export type AttachmentSeed = Static<typeof AttachmentSeed>;

const kind = <const Kind extends string, Fields>(name: Kind, fields: Fields) => ({
  kind: Type.Literal(name),
  ...fields,
});

/** An event of a conversation that a test sets up. */
export const InboundSeed = Type.Union([
  Type.Object({ ...kind("text", message), text: Words }, strict),
  Type.Object({ ...kind("image", message), ...file }, strict),
  Type.Object({ ...kind("video", message), ...file }, strict),
  Type.Object({ ...kind("audio", message), ...file }, strict),
  Type.Object({ ...kind("file", message), ...file }, strict),
  Type.Object(
    { ...kind("attachments", message), attachments: Type.Array(AttachmentSeed), text: optional(Words) },
    strict,
  ),
  /**
   * A shared post: as `share` and again as `ig_post` (the default, as it came from November 2025), or as one of the
   * two.
   */
  Type.Object(
    {
      ...kind("post", message),
      mediaId: optional(Name),
      title: optional(Words),
      as: optional(OneOf(["both", "share", "ig_post"])),
    },
    strict,
  ),
  Type.Object({ ...kind("storyMention", message), ...file }, strict),
  Type.Object({ ...kind("storyReply", message), text: Words, storyId: optional(Name) }, strict),
  /** A tap on one of the quick replies of a send. */
  Type.Object({ ...kind("quickReply", message), title: Words, payload: Words }, strict),
  /** A first message that came from an ad. */
  Type.Object(
    { ...kind("fromAd", message), text: Words, adId: Name, ref: optional(Words), title: optional(Words) },
    strict,
  ),
  Type.Object({ ...kind("unsupported", message) }, strict),
  /** The user took their message back. */
  Type.Object({ ...kind("deleted", common), messageId: Name }, strict),
  /** A tap on a button of a template, an ice breaker or the menu. */
  Type.Object({ ...kind("postback", common), mid: optional(Name), title: Words, payload: Words }, strict),
  /** Without an emoji it takes the reaction back. `reaction` is its name, default `love` for ❤ and `other`. */
  Type.Object(
    { ...kind("reaction", common), messageId: Name, emoji: optional(Words), reaction: optional(Name) },
    strict,
  ),
  /** The user saw a message. */
  Type.Object({ ...kind("read", common), messageId: Name }, strict),
  /** The same in Messenger's way: all messages until then (milliseconds, default now). */
  Type.Object({ ...kind("watermark", common), watermark: optional(Type.Number()) }, strict),
  /**
   * `numEdit` 0: Instagram's event for new messages, without text, and with `hasSender` false without sender and
   * recipient too.
   */
  Type.Object(
    {
      ...kind("edit", common),
      messageId: Name,
      text: optional(Words),
      numEdit: Type.Integer({ minimum: 0 }),
      hasSender: Flag,
    },
    strict,
  ),
  /** The user followed an ig.me link or an ad into a conversation they had before. */
  Type.Object(
    { ...kind("referral", common), ref: optional(Words), source: optional(Name), type: optional(Name) },
    strict,
  ),
  /** A message of the account itself, written elsewhere than through this API. */
  Type.Object(
    { ...kind("echo", message), text: optional(Words), attachments: optional(Type.Array(AttachmentSeed)) },
    strict,
  ),
  /** Any other event, such as `optin` or `pass_thread_control`: the fields beside sender, recipient and timestamp. */
  Type.Object(
    { ...kind("other", common), field: optional(Name), event: Type.Record(Type.String(), Type.Unknown()) },
    strict,
  ),
]);
export type InboundSeed = Static<typeof InboundSeed>;

/**
 * The form of a batch. `layout` default `messaging`; `isWrapped` puts the body into an array, as in some of Meta's
 * samples.
 */
export const InboundOptions = Type.Object(
  { layout: optional(OneOf(LAYOUTS)), isWrapped: Flag, signature: optional(Signature) },
  strict,
);
export type InboundOptions = Static<typeof InboundOptions>;
