import type { InboundContent } from "../../../src/contract/content/inbound-content.ts";
import type { ChannelEvent, FurtherPart, ProviderMessageId, Receipt } from "../../../src/contract/events.ts";
import type { WebhookRequest } from "../../../src/contract/webhooks.ts";
import { identityOf } from "../senders.ts";
import { idOf, messageIdIn, numberOf, partsIn, priceIn, textOf } from "../values.ts";
import { MESSAGE_PARAMETER } from "./calls.ts";
import { failureOfCode } from "./errors.ts";
import { fieldsOf } from "./fields.ts";

/** More than any message has: Twilio takes ten, and the contract a hundred further ones. */
const MAX_FILES = 100;
const MAX_URL_LENGTH = 8192;
const MAX_TYPE_LENGTH = 200;
const MAX_REASON_LENGTH = 500;
const MAX_WORD_LENGTH = 60;

/** TABLE: the states of a message that a customer sees: https://www.twilio.com/docs/messaging/api/message-resource. */
const STATUSES: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["undelivered", "failed"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);
/** The states before the provider has sent a message. */
const EARLIER: ReadonlySet<string> = new Set(["accepted", "scheduled", "queued", "sending"]);

/**
 * The events of a request; undefined if it is not of this provider. A callback has `MessageStatus`; a message that came
 * in has none: https://www.twilio.com/docs/messaging/guides/webhook-request. The provider names no time.
 */
export const twilioEvents = (request: WebhookRequest): ChannelEvent[] | undefined => {
  const fields = fieldsOf(request);
  const key = idOf(fields.get("MessageSid") ?? fields.get("SmsSid"));
  if (key === undefined) return undefined;
  const status = fields.get("MessageStatus");
  return status === undefined || status === "received" || status === "receiving"
    ? receivedOf(key, fields)
    : receiptOf(key as ProviderMessageId, { fields, status, query: request.query });
};

type Fields = ReadonlyMap<string, string>;
type Callback = { fields: Fields; status: string; query: URLSearchParams };

const receiptOf = (key: ProviderMessageId, { fields, status: name, query }: Callback): ChannelEvent[] => {
  const status = STATUSES.get(name);
  if (status === undefined)
    return EARLIER.has(name) ? [] : [{ kind: "unknown", at: 0, what: `state ${name}`.slice(0, 100) }];
  return [
    {
      kind: "receipt",
      key,
      at: 0,
      status,
      ...messageIdIn(query.get(MESSAGE_PARAMETER)),
      ...(status === "failed" ? { error: errorOf(fields, name) } : {}),
      ...partsIn(fields.get("NumSegments")),
      ...priceIn(fields.get("Price"), fields.get("PriceUnit")),
    },
  ];
};

const errorOf = (fields: Fields, status: string): NonNullable<Receipt["error"]> => {
  const code = numberOf(fields.get("ErrorCode")) ?? 0;
  const failure = failureOfCode(code);
  const reason = textOf(fields.get("ErrorMessage")) ?? `the provider reports the message as ${status}`;
  return { code, reason: reason.slice(0, MAX_REASON_LENGTH), ...(failure === undefined ? {} : { failure }) };
};

/** A message with its words and files; the words are with the first file, if that can have some. */
const receivedOf = (sid: string, fields: Fields): ChannelEvent[] => {
  const from = identityOf(fields.get("From") ?? "");
  const [first, ...furtherParts] = contentsOf(fields);
  const message: ChannelEvent = {
    kind: "received",
    key: sid as ProviderMessageId,
    at: 0,
    from,
    chat: from,
    pushName: null,
    ...first,
    ...(furtherParts.length > 0 ? { furtherParts } : {}),
  };
  return [message, ...consentOf(sid, fields)];
};

/** The provider's own word for an opt-out, of the service Advanced Opt-Out. Other words are read by Recado. */
const consentOf = (sid: string, fields: Fields): ChannelEvent[] => {
  const type = fields.get("OptOutType");
  if (type !== "STOP" && type !== "START") return [];
  const word = textOf(fields.get("Body"))?.slice(0, MAX_WORD_LENGTH);
  return [
    {
      kind: "consent",
      at: 0,
      nativeId: sid,
      from: identityOf(fields.get("From") ?? ""),
      state: type === "STOP" ? "opted_out" : "opted_in",
      ...(word === undefined ? {} : { word }),
    },
  ];
};

/** TABLE: the content of a file, by the first part of its media type; all others are documents. */
const FILES = { image: "image", video: "video", audio: "audio" } as const;

const contentsOf = (fields: Fields): [FurtherPart, ...FurtherPart[]] => {
  const text = textOf(fields.get("Body"));
  const files: FurtherPart[] = [];
  const named = numberOf(fields.get("NumMedia")) ?? 0; // a file that is there counts, whatever the number says
  for (let place = 0; place < MAX_FILES && (place < named || fields.has(`MediaUrl${place}`)); place++)
    files.push(fileOf(fields.get(`MediaUrl${place}`), fields.get(`MediaContentType${place}`)));
  const [first, ...others] = files;
  if (text === undefined) return first ? [first, ...others] : [unsupported("message")];
  const captioned = first && withCaption(first, text);
  return captioned ? [captioned, ...others] : [{ content: { type: "text", content: { text } } }, ...files];
};

const withCaption = ({ content, media }: FurtherPart, caption: string): FurtherPart | undefined => {
  if (content.type !== "image" && content.type !== "video" && content.type !== "document") return undefined;
  const captioned = { type: content.type, content: { ...content.content, caption } } as InboundContent;
  return { content: captioned, ...(media ? { media } : {}) };
};

const fileOf = (address: string | undefined, type: string | undefined): FurtherPart => {
  const nativeId = textOf(address);
  if (nativeId === undefined || nativeId.length > MAX_URL_LENGTH) return unsupported("media");
  const contentType = (textOf(type) ?? "application/octet-stream").slice(0, MAX_TYPE_LENGTH);
  const [group = ""] = contentType.toLowerCase().split("/", 1);
  const kind = Object.hasOwn(FILES, group) ? FILES[group as keyof typeof FILES] : "document";
  return { content: { type: kind, content: { mimeType: contentType } }, media: { nativeId, contentType } };
};

const unsupported = (originalType: string): FurtherPart => ({
  content: { type: "unsupported", content: { originalType } },
});
