import type { TextMarks } from "../kernel/texts/markdown.ts";
import type { ContentType, MessageTag } from "./content/content.ts";
import type { FurtherField } from "./content/further-fields.ts";

export const OPERATIONS = [
  "react",
  "edit",
  "delete",
  "read",
  "typing",
  "pin",
  "keep",
  "played",
  "vote",
  "respond",
  "star",
  "label",
  "delete-for-me",
  "forward",
] as const;
export type OperationName = (typeof OPERATIONS)[number];

/**
 * A network's own limits of a type, which hold beside those of the content itself. Characters are Unicode code points,
 * bytes those of UTF-8. `mimeTypes`: the types of its file that the link does not convert, such as `image/png` or
 * `audio/*`; by default all.
 */
export type SendLimits = {
  textMaxChars?: number;
  textMaxBytes?: number;
  captionMaxChars?: number;
  captionMaxBytes?: number;
  maxFileBytes?: number;
  mimeTypes?: readonly string[];
};

/** What can be sent and requested, as data. The core checks it before anything is queued. */
export type Sends = {
  /** The supported content types. A missing type is refused. */
  send: Partial<Record<ContentType, SendLimits>>;
  /** The fields of each type that few networks have. A missing field is refused. */
  furtherFields?: Partial<Record<ContentType, readonly FurtherField[]>>;
  /** How many images one message may have; default 1. */
  imagesPerMessage?: number;
  /** How many quick replies a text may have; default none. */
  quickReplies?: number;
  /** The tags with which a message may be sent when its window is closed. */
  tags?: readonly MessageTag[];
  /** The settings of a phone (`channelSettings`) without which it sends no message with a tag. */
  tagSettings?: Partial<Record<MessageTag, string>>;
  /** True if a send may name a file by the handle of an earlier upload. */
  mediaHandles?: boolean;
  /** True if a send may name a file that the account keeps at Recado: the link opens it by `host.openFile`. */
  keptFiles?: boolean;
  /** What emphasises a text on the network; without marks, an agent's texts are plain. */
  marks?: TextMarks;
  /**
   * True if the network itself fetches a link's file. Links to private addresses cannot work there. Without `keptFiles`
   * and `mediaHandles`, `send` gets a link of Recado in the place of a kept file: see `linksKeptFiles`.
   */
  fetchesLinks?: boolean;
  /**
   * With `fetchesLinks`: true if the network is the operator's own, as a gateway on the same premises. Links to private
   * addresses that the operator allows then work.
   */
  fetchesFromHere?: boolean;
  /** True if the network can be asked whether it knows a number. */
  lookups?: boolean;
  /**
   * The types that each kind of recipient of many people takes: `newsletter:<id>`, and `broadcast:<name>` for the
   * statuses of the account. A kind that is missing takes no message.
   */
  broadcasts?: Partial<Record<BroadcastKind, readonly ContentType[]>>;
};

/** The kinds of canonical keys that name many people at once, besides groups. */
export const BROADCAST_KINDS = ["newsletter", "broadcast"] as const;
export type BroadcastKind = (typeof BROADCAST_KINDS)[number];

/** The kind of a recipient of many people; undefined for a person or a group. */
export const broadcastKindOf = (canonicalKey: string): BroadcastKind | undefined =>
  BROADCAST_KINDS.find((kind) => canonicalKey.startsWith(`${kind}:`));

/**
 * Whether a network gets files by links alone. The core then puts a link in the place of each kept file: public, signed
 * and good for an hour.
 */
export const linksKeptFiles = ({ fetchesLinks, keptFiles, mediaHandles }: Sends): boolean =>
  fetchesLinks === true && !keptFiles && !mediaHandles;

/** Whether a send may name a file that the account keeps at Recado. */
export const takesKeptFiles = (sends: Sends): boolean => sends.keptFiles === true || linksKeptFiles(sends);

/** The marks of WhatsApp's texts. */
export const WHATSAPP_MARKS: TextMarks = { bold: "*", italic: "_", strike: "~", code: "`", block: "```" };

/** These types, without limits. */
export const sendsAll = (types: readonly ContentType[]): Sends["send"] =>
  Object.fromEntries(types.map((type) => [type, {}]));

/**
 * The messages on which a network has an operation, by direction. `forward` is a send of its own, which names the
 * message (`SendOrder.forwards`); `link.operate` does all others. `types`: the types of sent messages that allow it; by
 * default all. `withinMs`: the age of a message after which the network ignores the operation; Recado then does not
 * send it.
 */
export type OperationLimits = {
  inbound?: boolean;
  outbound?: boolean;
  types?: readonly ContentType[];
  withinMs?: number;
  /** The same age for messages to many people, where it differs. */
  broadcastsWithinMs?: Partial<Record<BroadcastKind, number>>;
};

/** What a network can do. */
export type Capabilities = Sends & {
  /**
   * True if the network also reports the messages that Recado sent, in the form of messages written in the owner's
   * app.
   */
  echoesSends?: boolean;
  /** True if the sender may choose the provider message id, so that the network recognises a repeated send. */
  choosesMessageIds: boolean;
  /** The operations on existing messages. An operation that is missing is never possible. */
  operations: Partial<Record<OperationName, OperationLimits>>;
  /** True if messages that open a conversation need a template approved by the network. */
  templates: boolean;
};
