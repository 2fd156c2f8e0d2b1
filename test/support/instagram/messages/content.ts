import { type Static, Type } from "@sinclair/typebox";
import { AnyText, OneOf, Text } from "../../../../src/kernel/schema.ts";
import { type Fields, fieldsOf } from "../../graph/shape.ts";
import { invalid } from "../errors.ts";
import { checked } from "../shape.ts";
import type { State } from "../state.ts";
import { requirePublicUrl } from "./media.ts";
import { checkTemplate } from "./template.ts";

const MAX_TEXT_BYTES = 1000;
const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const QuickReply = Type.Object({ content_type: OneOf(["text"]), title: Text(1, 20), payload: Text(1, 1000) }, strict);
const TextMessage = Type.Object(
  { text: AnyText(1), quick_replies: optional(Type.Array(QuickReply, { minItems: 1, maxItems: 13 })) },
  strict,
);
const Attachment = Type.Object(
  {
    type: OneOf(["image", "video", "audio", "file", "like_heart", "MEDIA_SHARE", "template"]),
    payload: optional(Type.Object({})),
  },
  strict,
);
const Images = Type.Object(
  {
    attachments: Type.Array(
      Type.Object({ type: OneOf(["image"]), payload: Type.Object({ url: Text(1, 2048) }, strict) }, strict),
      { minItems: 1, maxItems: 10 },
    ),
  },
  strict,
);
const FilePayload = Type.Object(
  { url: optional(Text(1, 2048)), attachment_id: optional(Text(1, 64)), is_reusable: optional(Type.Boolean()) },
  strict,
);
const SharePayload = Type.Object({ id: Text(1, 64) }, strict);
const NoPayload = Type.Object({}, strict);

/** The type of a message, and its attached files. */
export type Content = { type: string; files: readonly File[] };
type File = { type: string; url: string } | { type: string; id: string };

/** The content of a message. Throws Instagram's error for a wrong message. */
export const contentOf = (state: State, message: Fields): Content => {
  const kinds = ["text", "attachment", "attachments"].filter((key) => key in message);
  if (kinds.length !== 1) throw invalid("Param message must have exactly one of text, attachment and attachments.");
  if ("text" in message) return textOf(message);
  return "attachments" in message ? imagesOf(message) : attachmentOf(state, message);
};

const textOf = (message: Fields): Content => {
  const { text } = checked(TextMessage, message, "message");
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    throw invalid(`Length of param message[text] must be less than or equal to ${MAX_TEXT_BYTES}`);
  return { type: "text", files: [] };
};

const imagesOf = (message: Fields): Content => {
  const { attachments } = checked(Images, message, "message");
  attachments.forEach(({ payload }, index) =>
    requirePublicUrl(payload.url, `message[attachments][${index}][payload][url]`),
  );
  return { type: "images", files: attachments.map(({ payload }) => ({ type: "image", url: payload.url })) };
};

/** One attachment, of a message or to be kept for later. */
export const attachmentOf = (state: State, message: Fields): Content => {
  const { attachment } = checked(Type.Object({ attachment: Attachment }, strict), message, "message");
  const { type, payload } = attachment;
  const param = "message[attachment][payload]";
  switch (type) {
    case "image":
    case "video":
    case "audio":
    case "file":
      return fileOf(state, type, checked(FilePayload, payload, param));
    case "MEDIA_SHARE":
      checked(SharePayload, payload, param);
      return { type, files: [] };
    case "like_heart":
      checked(NoPayload, payload ?? {}, param);
      return { type, files: [] };
    case "template":
      checkTemplate(fieldsOf(payload), param);
      return { type, files: [] };
  }
};

const fileOf = (
  { attachments }: State,
  type: string,
  { url, attachment_id: id }: Static<typeof FilePayload>,
): Content => {
  if ((url === undefined) === (id === undefined))
    throw invalid("Param message[attachment][payload] must have exactly one of url and attachment_id.");
  if (url !== undefined) requirePublicUrl(url, "message[attachment][payload][url]");
  if (id !== undefined && attachments.get(id)?.type !== type)
    throw invalid(`Param message[attachment][payload][attachment_id] is not the id of an uploaded ${type}.`);
  return { type, files: [url === undefined ? { type, id: id ?? "" } : { type, url }] };
};
