import { EXPIRED } from "../../../src/contract/asking.ts";
import type { LinkReport, ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { type Api, type ApiResult, apiOf, type Call } from "../api.ts";
import { failureOf, isFinal, isTokenRefused, never, textOfFault, without } from "../failures.ts";
import { type Account, connectedAs, partsOf, type Sendable } from "../provider.ts";
import { GSM_SPLITTING, measured } from "../segments.ts";
import { recipientOf, type Sender, senderOf } from "../senders.ts";
import { idOf, numberOf, partsIn, priceIn, textOf } from "../values.ts";
import { CALLBACK_REFUSED, TWILIO_ERRORS } from "./errors.ts";

const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;
/** The most files of a message: https://www.twilio.com/docs/messaging/api/media-resource. */
const MAX_FILES = 10;
/** The parameter of a callback's address that repeats our id of the message. */
export const MESSAGE_PARAMETER = "message";

/** Who calls, as the API and its files want it: https://www.twilio.com/docs/iam/api/authentication. */
export const basicOf = ({ account, token }: Account["credentials"]): string =>
  `Basic ${Buffer.from(`${account}:${token}`).toString("base64")}`;

const clientOf = ({ host, base, credentials }: Account): Api =>
  apiOf(host, {
    base: `${base}/2010-04-01/Accounts/${encodeURIComponent(credentials.account)}`,
    headersOf: () => ({ authorization: basicOf(credentials) }),
    errorIn,
    secrets: [credentials.token],
  });

/** https://www.twilio.com/docs/usage/twilios-response: `{ code, message, more_info, status }`. */
const errorIn = (json: unknown): { code?: number; text: string } => {
  const { code: given, message } = recordOf(json);
  const [code, text = ""] = [numberOf(given), textOf(message)];
  return code === undefined ? { text } : { code, text: `(#${code}) ${text}`.trim() };
};

type Field = [name: string, value: string];

const formBody = (fields: Field[]): NonNullable<Call["body"]> => ({
  content: new URLSearchParams(fields).toString(),
  contentType: "application/x-www-form-urlencoded",
});

const fieldsOf = (name: string, value: string | undefined): Field[] => (value ? [[name, value]] : []);

/** A sender as a field of a message: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message. */
const fromField = ({ kind, value }: Sender): Field =>
  kind === "service" ? ["MessagingServiceSid", value] : ["From", kind === "number" ? `+${value}` : value];

export const send = async (account: Account, order: Sendable): Promise<SendOutcome> => {
  const { text, links } = partsOf(order);
  if (links.length > MAX_FILES) return never(`a message has at most ${MAX_FILES} files at this provider`);
  const { sender, validity } = order.options ?? {};
  const fields: Field[] = [
    ["To", recipientOf(order.to, "+")],
    fromField(sender ? senderOf(sender) : account.credentials.sender),
    ...fieldsOf("Body", text),
    ...links.flatMap((link) => fieldsOf("MediaUrl", link)),
    ...fieldsOf("ValidityPeriod", validity),
  ];
  const result = await create(account, order.messageId, fields);
  return result.ok
    ? outcomeOf(recordOf(result.json), links.length > 0 ? "" : text)
    : failureOf(result.fault, TWILIO_ERRORS);
};

/**
 * Creates a message whose states come to this server. A server that the internet cannot reach has no address that the
 * provider takes; its messages go out without states.
 */
const create = async (account: Account, messageId: string, fields: Field[]): Promise<ApiResult> => {
  const { host } = account;
  const post = (all: Field[]) => clientOf(account)({ method: "POST", path: "/Messages.json", body: formBody(all) });
  const callback = `${host.webhookUrl}?${MESSAGE_PARAMETER}=${encodeURIComponent(messageId)}`;
  const result = await post([...fields, ["StatusCallback", callback]]);
  if (result.ok || result.fault.kind !== "error" || result.fault.code !== CALLBACK_REFUSED) return result;
  host.log.warn({ channelId: host.channelId, reason: result.fault.text }, "messages of this channel have no states");
  return post(fields);
};

/**
 * A success without an id is final: the provider took the message, so a repeat could double it. A Messaging Service
 * counts no parts before it has chosen a number; then they are counted here.
 */
const outcomeOf = (message: Json, text: string): SendOutcome => {
  const key = idOf(message["sid"]);
  if (key === undefined) return without("refused", "UPSTREAM_NO_ID", "the provider accepted the message without an id");
  const counted = text === "" ? {} : partsIn(measured(text, GSM_SPLITTING).parts);
  return {
    ok: true,
    key: key as ProviderMessageId,
    ...counted,
    ...partsIn(message["num_segments"]),
    ...priceIn(message["price"], message["price_unit"]),
  };
};

/** Asks for the account, and names this server to its number: https://www.twilio.com/docs/iam/api/account. */
export const check = async (account: Account): Promise<LinkReport | undefined> => {
  const { host, credentials } = account;
  const answer = await clientOf(account)({ method: "GET", path: ".json" });
  if (!answer.ok) {
    const { fault } = answer;
    if (isTokenRefused(fault, TWILIO_ERRORS)) return EXPIRED;
    if (isFinal(fault)) return { state: "FAILED", reason: textOfFault(fault) };
    host.log.warn({ channelId: host.channelId, reason: textOfFault(fault) }, "the account could not be checked yet");
    return undefined;
  }
  const status = textOf(recordOf(answer.json)["status"]) ?? "active";
  if (status !== "active") return { state: "FAILED", reason: `the account is ${status}`.slice(0, 200) };
  const isTwoWay = await register(account);
  return isTwoWay === undefined ? undefined : connectedAs(credentials, isTwoWay);
};

/** A resource of the account that receives messages. */
type Receiver = { path: string; smsUrl: string; hasApplication: boolean };

/** TABLE: where senders that receive messages are: the list, its filter, and the field with the found ones. */
const RECEIVERS: Partial<Record<Sender["kind"], { path: string; filter: string; field: string }>> = {
  number: { path: "/IncomingPhoneNumbers", filter: "PhoneNumber", field: "incoming_phone_numbers" },
  "short-code": { path: "/SMS/ShortCodes", filter: "ShortCode", field: "short_codes" },
};

/**
 * The number or short code of the channel; `none` for names, for a Messaging Service, and for a sender of another
 * account. Undefined without a clear answer.
 */
const receiverOf = async (account: Account, timeoutMs?: number): Promise<Receiver | "none" | undefined> => {
  const { kind, value } = account.credentials.sender;
  const place = RECEIVERS[kind];
  if (!place) return "none";
  const asked = new URLSearchParams({ [place.filter]: kind === "number" ? `+${value}` : value });
  const answer = await clientOf(account)({
    method: "GET",
    path: `${place.path}.json?${asked.toString()}`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (!answer.ok) return isFinal(answer.fault) ? "none" : undefined;
  const found = recordOf(listOf(recordOf(answer.json)[place.field])[0]);
  const sid = idOf(found["sid"]);
  if (sid === undefined) return "none";
  return {
    path: `${place.path}/${sid}.json`,
    smsUrl: textOf(found["sms_url"]) ?? "",
    hasApplication: textOf(found["sms_application_sid"]) !== undefined,
  };
};

/**
 * Whether the provider calls this server for the number; undefined without a clear answer. An application of the owner
 * at the number stands before our address, and stays there.
 */
const register = async (account: Account): Promise<boolean | undefined> => {
  const { host } = account;
  const receiver = await receiverOf(account);
  if (receiver === undefined) return undefined;
  if (receiver === "none" || receiver.hasApplication) return false;
  const answer = await clientOf(account)({
    method: "POST",
    path: receiver.path,
    body: formBody([
      ["SmsUrl", host.webhookUrl],
      ["SmsMethod", "POST"],
    ]),
  });
  if (answer.ok) return true;
  const { fault } = answer;
  host.log.warn({ channelId: host.channelId, reason: textOfFault(fault) }, "the number has no address of this server");
  return isFinal(fault) ? false : undefined;
};

/** Takes our address away from the number, unless another one has its place. */
export const forget = async (account: Account): Promise<void> => {
  const { host } = account;
  const receiver = await receiverOf(account, COURTESY_TIMEOUT_MS);
  if (receiver === undefined || receiver === "none" || receiver.smsUrl !== host.webhookUrl) return;
  const answer = await clientOf(account)({
    method: "POST",
    path: receiver.path,
    body: formBody([["SmsUrl", ""]]),
    timeoutMs: COURTESY_TIMEOUT_MS,
  });
  if (!answer.ok)
    host.log.warn({ channelId: host.channelId, reason: textOfFault(answer.fault) }, "the number keeps our address");
};
