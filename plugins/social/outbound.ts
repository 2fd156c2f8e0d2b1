import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { SendFailure } from "../meta/fault.ts";
import type { GraphResult } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { quickRepliesOf } from "../meta/quick-replies.ts";
import { scopedIdOf } from "./address.ts";
import { failureOf } from "./errors.ts";
import { COMMENT } from "./inbound.ts";

type Sendable = Extract<SendOrder, { type: "text" | "image" | "video" | "audio" | "document" }>;

/**
 * The messages of the network that make up one of ours, in their order. `singly`: the messages in place of one with
 * several images, if the network does not take that yet.
 */
export type Parts = { messages: Json[]; singly?: Json[] };

const PDF = "application/pdf";

/** Why the network cannot take this message at all; undefined if it can. */
export const refusalOf = (order: SendOrder): SendFailure | undefined => {
  const { type, content, quotedProviderMessageId: quoted } = order as Sendable;
  if (quoted?.startsWith(COMMENT) && type !== "text") return unsupported("a comment is answered by a text only");
  if (quoted?.startsWith(COMMENT) && type === "text" && content.quickReplies)
    return unsupported("a comment is answered without quick replies");
  if (type === "document" && content.mimeType !== undefined && content.mimeType !== PDF)
    return unsupported("the network takes PDF documents only");
  return undefined;
};

const unsupported = (reason: string): SendFailure => ({
  ok: false,
  kind: "refused",
  code: "UPSTREAM_UNSUPPORTED",
  reason,
});

/** A file has no caption on this network, so the caption follows as a separate text. */
export const partsOf = (order: SendOrder): Parts => {
  const { type, content } = order as Sendable; // the core has checked the type against our capabilities
  if (type === "text") return { messages: [{ text: content.text, ...quickRepliesOf(content.quickReplies) }] };
  const caption = "caption" in content && content.caption ? [{ text: content.caption }] : [];
  if (type === "image" && content.images) {
    const files = content.images.map(({ mediaUrl: url }) => ({ type, payload: { url } }));
    return {
      messages: [{ attachments: files }, ...caption],
      singly: [...files.map((attachment) => ({ attachment })), ...caption],
    };
  }
  const file = { attachment: { type: type === "document" ? "file" : type, payload: { url: content.mediaUrl } } };
  return { messages: [file, ...caption] };
};

/**
 * The body of `POST /{account}/messages`. A quoted comment is answered in private; a quoted message is replied to, by
 * the first part.
 */
export const bodyOf = (order: SendOrder, message: Json, isFirst: boolean): Json => {
  const { to, content, quotedProviderMessageId: quoted } = order;
  if (quoted?.startsWith(COMMENT)) return { recipient: { comment_id: quoted.slice(COMMENT.length) }, message };
  return {
    recipient: { id: scopedIdOf(to) },
    message,
    ...(quoted !== undefined && isFirst ? { reply_to: { mid: quoted } } : {}),
    ...("tag" in content && content.tag ? { messaging_type: "MESSAGE_TAG", tag: content.tag } : {}),
  };
};

/** The network does not take several images in one message yet. */
const NO_SEVERAL_IMAGES = 2534068;

/** Whether the network refused a message only because it has several images. */
export const isSeveralRefused = (result: GraphResult): boolean =>
  !result.ok &&
  result.fault.kind === "error" &&
  [result.fault.said.code, result.fault.said.error_subcode].includes(NO_SEVERAL_IMAGES);

/**
 * The meaning of the answer to a send. A success without an id is final: the network accepted the message, so a repeat
 * could double it.
 */
export const outcomeOf = (result: GraphResult): SendOutcome => {
  if (!result.ok) return failureOf(result.fault);
  const key = textOf(result.json["message_id"]);
  if (key === undefined)
    return {
      ok: false,
      kind: "refused",
      code: "UPSTREAM_NO_ID",
      reason: "the network accepted the message without an id",
    };
  return { ok: true, key: key as ProviderMessageId };
};
