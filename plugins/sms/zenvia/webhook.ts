import type { InboundContent } from "../../../src/contract/content/inbound-content.ts";
import type { ChannelEvent, ProviderMessageId, Receipt } from "../../../src/contract/events.ts";
import type { ForNumber, WebhookRequest } from "../../../src/contract/webhooks.ts";
import { isSameSecret } from "../../../src/kernel/crypto.ts";
import { type Json, listOf, parsedJson, recordOf } from "../../../src/kernel/texts/json.ts";
import { numberIdAt } from "../credentials.ts";
import { identityOf, senderOf } from "../senders.ts";
import { idOf, messageIdIn, numberOf, textOf, timeOf } from "../values.ts";

/** The header with our secret, which the provider repeats. */
export const TOKEN_HEADER = "x-recado-token";
/** The parameter of our address that names the account. */
export const ACCOUNT_PARAMETER = "account";

const TOKEN = /^[0-9a-f]{64}$/;
const MAX_TYPE_LENGTH = 200;
const MAX_REASON_LENGTH = 500;
const MAX_FURTHER_PARTS = 100;

export const isSigned = (headers: Headers): boolean => TOKEN.test(headers.get(TOKEN_HEADER) ?? "");

export const verify = ({ headers }: WebhookRequest, { webhookToken = "" }: Readonly<Record<string, string>>): boolean =>
  TOKEN.test(webhookToken) && isSameSecret(headers.get(TOKEN_HEADER) ?? "", webhookToken);

/** TABLE: the states of a message: https://zenvia.github.io/zenvia-openapi-spec/v2/#section/MESSAGE_STATUS. */
const STATUSES: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["SENT", "sent"],
  ["DELIVERED", "delivered"],
  ["VERIFIED", "delivered"],
  ["READ", "read"],
  ["REJECTED", "failed"],
  ["NOT_DELIVERED", "failed"],
]);

/** The event of a request; undefined if it is not of this provider. */
export const zenviaEvents = ({ rawBody, query }: WebhookRequest): (ChannelEvent | ForNumber)[] | undefined => {
  const envelope = recordOf(parsedJson(new TextDecoder().decode(rawBody)));
  const message = recordOf(envelope["message"]);
  const account = query.get(ACCOUNT_PARAMETER) ?? "";
  switch (envelope["type"]) {
    case "MESSAGE": {
      if ((message["direction"] ?? envelope["direction"]) === "OUT") return [];
      return receivedOf(message, timeOf(message["timestamp"]) || timeOf(envelope["timestamp"])).map(
        forNumber(account, message["to"]),
      );
    }
    case "MESSAGE_STATUS":
      return receiptOf(envelope, message).map(forNumber(account, message["from"]));
    default:
      return undefined;
  }
};

/** An event for the alias that the provider names: one address serves all aliases of an account. */
const forNumber =
  (account: string, alias: unknown) =>
  (event: ChannelEvent): ChannelEvent | ForNumber => {
    const sender = textOf(alias);
    return sender === undefined || account === "" ? event : { numberId: numberIdAt(account, senderOf(sender)), event };
  };

const receivedOf = (message: Json, at: number): ChannelEvent[] => {
  const key = idOf(message["id"]);
  if (key === undefined) return [{ kind: "unknown", at, what: "message without an id" }];
  const from = identityOf(textOf(message["from"]) ?? "");
  const [first = {}, ...others] = listOf(message["contents"]).map(recordOf);
  const furtherParts = others.slice(0, MAX_FURTHER_PARTS).map((content) => ({ content: contentOf(content) }));
  return [
    {
      kind: "received",
      key: key as ProviderMessageId,
      at,
      from,
      chat: from,
      pushName: null,
      content: contentOf(first),
      ...(furtherParts.length > 0 ? { furtherParts } : {}),
    },
  ];
};

const contentOf = ({ type: given, text: words }: Json): InboundContent => {
  const [type = "message", text] = [textOf(given), textOf(words)];
  return type === "text" && text !== undefined
    ? { type: "text", content: { text } }
    : { type: "unsupported", content: { originalType: type.slice(0, MAX_TYPE_LENGTH) } };
};

const receiptOf = (envelope: Json, message: Json): ChannelEvent[] => {
  const { code: name, timestamp, causes } = recordOf(envelope["messageStatus"]);
  const at = timeOf(timestamp) || timeOf(envelope["timestamp"]);
  const key = idOf(message["id"]) ?? idOf(envelope["messageId"]);
  if (key === undefined) return [{ kind: "unknown", at, what: "state of a message without an id" }];
  const status = STATUSES.get(textOf(name) ?? "");
  if (status === undefined)
    return [{ kind: "unknown", at, what: `state ${textOf(name) ?? ""}`.toWellFormed().slice(0, 100) }];
  return [
    {
      kind: "receipt",
      key: key as ProviderMessageId,
      at,
      status,
      ...messageIdIn(message["externalId"]),
      ...(status === "failed" ? { error: errorOf(causes) } : {}),
    },
  ];
};

const errorOf = (causes: unknown): NonNullable<Receipt["error"]> => {
  const { channelErrorCode, reason, details } = recordOf(listOf(causes)[0]);
  const words = [textOf(reason), textOf(details)].filter(Boolean).join(": ");
  return {
    code: numberOf(channelErrorCode) ?? 0,
    reason: (words || "the provider could not deliver the message").slice(0, MAX_REASON_LENGTH),
  };
};
