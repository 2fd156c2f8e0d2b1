import type { ContentType } from "../../src/contract/content/content.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { SendFailure } from "../meta/fault.ts";
import { quickRepliesOf } from "../meta/quick-replies.ts";
import { psidOf } from "./address.ts";

export const SENT_TYPES = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "button",
  "list",
  "cta_url",
] as const satisfies readonly ContentType[];

type Sendable = Extract<SendOrder, { type: (typeof SENT_TYPES)[number] }>;
type Of<Type extends Sendable["type"]> = Extract<Sendable, { type: Type }>["content"];

// Limits in characters: https://developers.facebook.com/docs/messenger-platform/reference/send-api and its pages about
// templates and quick replies.
export const MAX_TEXT_CHARS = 2000;
const MAX_TEMPLATE_CHARS = 640;
export const MAX_QUICK_REPLIES = 13;
const MAX_TITLE_CHARS = 20;

/** https://developers.facebook.com/docs/messenger-platform/send-messages/saving-assets */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
export const FILE_TYPES = ["image", "video", "audio", "document"] as const;

const TYPES = { image: "image", video: "video", audio: "audio", document: "file" } as const;
type FileType = keyof typeof TYPES;

/** A message of the network. `kept`: the file that it names is kept at Recado, and not at the network yet. */
export type Message = { message: Json; kept?: KeptFile };
export type KeptFile = { type: string; handle: string; mimeType: string | undefined; filename: string | undefined };

export const refused = (reason: string): SendFailure => ({
  ok: false,
  kind: "refused",
  code: "UPSTREAM_BAD_REQUEST",
  reason,
});

/** The messages of the network that make up one of ours, in their order. */
export const messagesOf = (order: SendOrder): [Message, ...Message[]] | SendFailure => {
  const sendable = order as Sendable; // the core has checked the type against our capabilities
  if (titlesOf(sendable).some((title) => lengthOf(title) > MAX_TITLE_CHARS))
    return refused(
      `a button, a quick reply or a row of a list has at most ${MAX_TITLE_CHARS} characters on this network`,
    );
  const messages = madeOf(sendable);
  if ("ok" in messages) return messages;
  return messages.some(({ message }) => lengthOf(message["text"]) > MAX_TEXT_CHARS)
    ? refused(`a text has at most ${MAX_TEXT_CHARS} characters on this network`)
    : messages;
};

/** The network cuts a longer title, and two rows that differ at their ends would look the same. */
const titlesOf = ({ type, content }: Sendable): string[] => {
  switch (type) {
    case "text":
      return (content.quickReplies ?? []).map(({ text }) => text);
    case "button":
      return content.buttons.map(({ text }) => text);
    case "list":
      return rowsOf(content).map(({ title }) => title);
    case "cta_url":
      return [content.buttonText];
    default:
      return [];
  }
};

const rowsOf = ({ sections }: Of<"list">) => sections.flatMap(({ rows }) => rows);

const madeOf = ({ type, content }: Sendable): [Message, ...Message[]] | SendFailure => {
  switch (type) {
    case "text":
      return [{ message: { text: content.text, ...quickRepliesOf(content.quickReplies) } }];
    case "button":
      return buttonsOf(content);
    case "list":
      return listOf(content);
    case "cta_url":
      return withHeader(
        content,
        template(wordsOf(content), [{ type: "web_url", url: content.url, title: content.buttonText }]),
      );
    default:
      return fileOf(type, content);
  }
};

const lengthOf = (text: unknown): number => (typeof text === "string" ? [...text].length : 0);

/** A file has no caption on this network, so the caption follows as a separate text. */
const fileOf = (type: FileType, content: Of<FileType>): [Message, ...Message[]] => {
  const caption = "caption" in content && content.caption ? [{ message: { text: content.caption } }] : [];
  const { mediaUrl, mediaHandle: handle, mimeType } = content;
  if (handle === undefined) return [{ message: attachment(TYPES[type], { url: mediaUrl }) }, ...caption];
  const filename = "filename" in content ? content.filename : undefined;
  return [{ message: {}, kept: { type: TYPES[type], handle, mimeType, filename } }, ...caption];
};

export const attachment = (type: string, payload: Json): Json => ({ attachment: { type, payload } });

type Worded = { text: string; footer?: string; header?: { type: string; text?: string } };

/** The network has neither headers nor footers: their words stand above and below the text. */
const wordsOf = ({ header, text, footer }: Worded): string =>
  [header?.type === "text" ? header.text : undefined, text, footer].filter(Boolean).join("\n\n");

/** The file of a header goes first, as a message of its own. */
const withHeader = (
  { header }: { header?: Of<"button">["header"] },
  message: Json | SendFailure,
): [Message, ...Message[]] | SendFailure => {
  if ("ok" in message) return message as SendFailure;
  if (!header || header.type === "text" || header.mediaUrl === undefined) return [{ message }];
  return [{ message: attachment(TYPES[header.type], { url: header.mediaUrl }) }, { message }];
};

const template = (text: string, buttons: Json[]): Json | SendFailure =>
  lengthOf(text) > MAX_TEMPLATE_CHARS
    ? refused(`a text above a button has at most ${MAX_TEMPLATE_CHARS} characters on this network`)
    : attachment("template", { template_type: "button", text, buttons });

/** Buttons stay in the chat; above a longer text there are quick replies, which disappear after a tap. */
const buttonsOf = (content: Of<"button">): [Message, ...Message[]] | SendFailure => {
  const text = wordsOf(content);
  const message =
    lengthOf(text) > MAX_TEMPLATE_CHARS
      ? { text, ...quickRepliesOf(content.buttons) }
      : template(
          text,
          content.buttons.map(({ id, text: title }) => ({ type: "postback", title, payload: id })),
        );
  return withHeader(content, message);
};

/** The network has no lists: the rows are quick replies, and their second lines stand in the text. */
const listOf = (content: Of<"list">): [Message] | SendFailure => {
  const rows = rowsOf(content);
  if (rows.length > MAX_QUICK_REPLIES) return refused(`a list has at most ${MAX_QUICK_REPLIES} rows on this network`);
  const described = rows.flatMap(({ title, description }) => (description ? [`${title}: ${description}`] : []));
  const text = wordsOf({ ...content, text: [content.text, ...described].join("\n") });
  return [{ message: { text, ...quickRepliesOf(rows.map(({ id, title }) => ({ id, text: title }))) } }];
};

/** The body of `POST /{page}/messages`. The first part replies to the quoted message. */
export const bodyOf = (
  { to, content, quotedProviderMessageId: quoted }: SendOrder,
  message: Json,
  isFirst: boolean,
) => ({
  recipient: { id: psidOf(to) },
  message,
  ...("tag" in content && content.tag
    ? { messaging_type: "MESSAGE_TAG", tag: content.tag }
    : { messaging_type: "RESPONSE" }),
  ...(quoted !== undefined && isFirst ? { reply_to: { mid: quoted } } : {}),
});
