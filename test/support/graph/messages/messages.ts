import { sha256 } from "../../../../src/kernel/crypto.ts";
import { codePoints } from "../../../../src/kernel/schema.ts";
import { type Call, type Effect, ok, type Rejection, required, requireProduct, senderOf } from "../call.ts";
import { checkRequest, noteRequest } from "../calls/model.ts";
import { badParameter, badValue, GraphError } from "../errors.ts";
import { sentFlowOf } from "../flows/sends.ts";
import { addressedGroup } from "../groups/model.ts";
import { BSUID, newWamid } from "../ids.ts";
import { checkReferences } from "../media/references.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { isWindowOpen, type PhoneNumber, type Recipient, recipientOf, type Sent, type State } from "../state.ts";
import type { Template } from "../templates/model.ts";
import { templateOf } from "../templates/send.ts";
import type { Statuses } from "../webhooks/statuses.ts";
import { contentOf } from "./content.ts";
import { checkOrderStatus } from "./order-status.ts";
import { reactionRejection, recordReaction } from "./reactions.ts";
import { readMessage } from "./reads.ts";
import { requireThread } from "./threads.ts";

/**
 * `POST /{number}/messages`: a send, or a read call with or without typing. Everything is checked before anything is
 * done.
 */
export const messagesHandler = (statuses: Statuses, { isMarketing = false }: { isMarketing?: boolean } = {}) => {
  return (call: Call): Effect => {
    const number = senderOf(call);
    requireProduct(call);
    return call.body["status"] === undefined
      ? send(call, number, { statuses, isMarketing })
      : readMessage(call, number);
  };
};

/** `isFree`: the 24 hours do not matter. */
const rejectionOf = (
  state: State,
  chat: { phoneNumberId: string; recipient: Recipient },
  { type, content, isFree }: { type: string; content: unknown; isFree: boolean },
): Rejection | undefined => {
  if (type === "reaction") return reactionRejection(state, fieldsOf(content), chat);
  return isFree ? undefined : windowRejection(state, chat, type);
};

/** Throws for an order's state or a request that cannot be. Whether the message requests a permission to call. */
const checkAct = (
  state: State,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: Recipient },
  content: Fields,
): boolean => {
  checkOrderStatus(state, recipient, content);
  if (content["type"] !== "call_permission_request") return false;
  checkRequest(state, phoneNumberId, recipient);
  return true;
};

const namedTemplate = (
  state: State,
  { seed }: PhoneNumber,
  { content, isMarketing }: { content: unknown; isMarketing: boolean },
): Template | undefined => {
  const template = templateOf(state, seed.businessAccountId, content);
  if (template?.bidAmount !== undefined && !isMarketing) throw new GraphError(131061);
  return template;
};

type Sending = { statuses: Statuses; isMarketing: boolean };

const send = (call: Call, number: PhoneNumber, { statuses, isMarketing }: Sending): Effect => {
  const { state, body } = call;
  if (number.platformType !== "CLOUD_API") throw new GraphError(133010, { details: "Account not registered" });
  const group = body["recipient_type"] === "group" ? addressedGroup(state, number, body["to"]) : undefined;
  const address = group ? { input: group.id, key: group.id, isBsuid: false, groupId: group.id } : addressOf(body);
  const { type, content } = contentOf(body, state.settings);
  checkExtras(body);
  const isDirect = isDirectSend(state, body, type);
  const template = type === "template" ? namedTemplate(state, number, { content, isMarketing }) : undefined;
  const flow = type === "interactive" ? sentFlowOf(state, number.seed.businessAccountId, content) : undefined;
  const misfit = checkReferences(state, number, { type, content });
  if (group) checkForGroup(type, template);
  const recipient = group
    ? { waId: group.id, userId: group.id, name: group.subject }
    : receiverOf(state, number, address, template);
  const { phoneNumberId } = number.seed;
  if (!group && !isDirect) requireThread(state, phoneNumberId, recipient, type);
  const chat = { phoneNumberId, recipient };
  const isCallRequest = type === "interactive" && checkAct(state, chat, fieldsOf(content));
  const found = rejectionOf(state, chat, { type, content, isFree: group !== undefined || isDirect }) ?? misfit;
  const run = (rejection: Rejection | undefined = found) => {
    flow?.sentTimes.push(state.clock.now());
    if (isCallRequest) noteRequest(state, phoneNumberId, recipient);
    const sent = accept(state, number, recipient, { address, type, content, body, template, isDirect });
    if (type === "reaction" && !rejection) recordReaction(state, sent);
    return { ...ok(receiptOf(sent, address, type)), after: () => statuses.begin(sent, rejection) };
  };
  return { operation: "message.send", ...chat, run };
};

const LATE = {
  code: 131047,
  details:
    "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
};

/**
 * Outside of the 24 hours only templates pass: other messages are refused at once (throws) or later, as the settings
 * say.
 */
const windowRejection = (
  state: State,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: Recipient },
  type: string,
): Rejection | undefined => {
  const { window } = state.settings;
  if (window === "off" || type === "template" || isWindowOpen(state, phoneNumberId, recipient)) return undefined;
  if (window === "sync") throw new GraphError(LATE.code, LATE);
  return LATE;
};

/** `to` as the network reads it: digits, or the BSUID of `recipient`. `to` wins where both are given. */
type Address = { input: string; key: string; isBsuid: boolean; groupId?: string };

const addressOf = (body: Fields): Address => {
  const { to, recipient, recipient_type: recipientType = "individual" } = body;
  if (recipientType !== "individual" && recipientType !== "group")
    throw badParameter("Param recipient_type must be one of {INDIVIDUAL, GROUP}.");
  if (to === undefined && recipient === undefined) throw required("to");
  return to === undefined ? bsuidAddress(recipient) : numberAddress(to);
};

const GROUP_TYPES = ["text", "image", "video", "audio", "document", "sticker", "template"];

/** The types of messages that groups accept, fewer than people do. */
const checkForGroup = (type: string, template: Template | undefined): void => {
  if (!GROUP_TYPES.includes(type) || template?.category === "AUTHENTICATION")
    throw new GraphError(131051, { details: "This message type is not supported in groups." });
};

const numberAddress = (to: unknown): Address => {
  const digits = typeof to === "string" ? to.replace(/[+\-() ]/g, "") : "";
  if (!/^\d{5,20}$/.test(digits)) throw badValue("Param to is not a valid phone number.");
  return { input: String(to), key: digits, isBsuid: false };
};

const bsuidAddress = (recipient: unknown): Address => {
  if (typeof recipient !== "string" || !BSUID.test(recipient))
    throw badValue("Param recipient is not a valid business-scoped user ID.");
  return { input: recipient, key: recipient, isBsuid: true };
};

const receiverOf = (
  state: State,
  number: PhoneNumber,
  { key, isBsuid }: Address,
  template: Template | undefined,
): Recipient => {
  const { displayPhoneNumber, allowedRecipients } = number.seed;
  if (isBsuid && template?.category === "AUTHENTICATION")
    throw new GraphError(131062, { details: "Authentication templates cannot be sent to a business-scoped user ID." });
  if (key === displayPhoneNumber.replace(/\D/g, ""))
    throw new GraphError(131021, { details: "Recipient phone number can not be the same as the sender phone number." });
  const recipient = recipientOf(state, key);
  if (!recipient) throw badValue(`Param recipient ${key} is not known to this business.`);
  const isAllowed = allowedRecipients?.some((one) => one.replace(/\D/g, "") === recipient.waId) ?? true;
  if (!isAllowed)
    throw new GraphError(131030, {
      details:
        "Recipient phone number not in allowed list: Add recipient phone number to recipient list and try again.",
    });
  return recipient;
};

/**
 * Whether the message goes out as a utility message without a template (Direct Send). Throws 100 for an account that
 * may not, or for a wrong form.
 */
const isDirectSend = ({ settings }: State, body: Fields, type: string): boolean => {
  const { category, direct_send_config: config } = body;
  if (category === undefined && config === undefined) return false;
  if (!settings.hasDirectSend) throw badParameter("Direct Send is not available for this business.");
  if (category !== "utility" || type === "template") throw badParameter("Param category is not valid.");
  if (!/^[a-z0-9_]{1,512}$/.test(textOf(fieldsOf(config)["template_name"])))
    throw badParameter("Param direct_send_config['template_name'] is not valid.");
  return true;
};

const checkExtras = (body: Fields): void => {
  const { context, biz_opaque_callback_data: opaque, messaging_account_id: account } = body;
  if (body["paid_messaging_account_id"] !== undefined)
    throw badParameter("Param paid_messaging_account_id is deprecated; use messaging_account_id.");
  if (body["product_policy"] !== undefined) throw badParameter("Param product_policy is not supported here.");
  if (account !== undefined && !/^\d{1,32}$/.test(textOf(account)))
    throw badParameter("Param messaging_account_id must be the id of an account.");
  if (opaque !== undefined && (typeof opaque !== "string" || codePoints(opaque) > 512))
    throw badParameter("Param biz_opaque_callback_data must be at most 512 characters long.");
  if (context === undefined) return;
  if (!textOf(fieldsOf(context)["message_id"]).startsWith("wamid."))
    throw badValue("Param context['message_id'] is not a valid message id.");
};

type Accepted = {
  address: Address;
  type: string;
  content: unknown;
  body: Fields;
  template: Template | undefined;
  isDirect: boolean;
};

const CATEGORIES = { MARKETING: "marketing", UTILITY: "utility", AUTHENTICATION: "authentication" } as const;

const accept = (
  state: State,
  number: PhoneNumber,
  recipient: Recipient,
  { address, type, content, body, template, isDirect }: Accepted,
): Sent => {
  const opaque = body["biz_opaque_callback_data"];
  const sent: Sent = {
    wamid: newWamid(state.random, recipient.waId, "outbound"),
    at: state.clock.now(),
    phoneNumberId: number.seed.phoneNumberId,
    recipient,
    ...(address.groupId === undefined ? {} : { groupId: address.groupId }),
    isByBsuid: address.isBsuid,
    type,
    bodyDigest: sha256(JSON.stringify([recipient.waId, type, content])),
    body,
    category: isDirect ? "utility" : type === "template" ? CATEGORIES[template?.category ?? "UTILITY"] : "service",
    ...(typeof opaque === "string" ? { bizOpaque: opaque } : {}),
    statuses: [],
  };
  state.sent.set(sent.wamid, sent);
  state.sentTimes.set(sameKey(sent), timesSent(state, sent) + 1);
  return sent;
};

const sameKey = ({ bizOpaque, bodyDigest, phoneNumberId }: Sent): string =>
  `${phoneNumberId}:${bizOpaque ?? bodyDigest}`;

/** How often the same message was accepted: with the same `biz_opaque_callback_data`, or equal bodies without one. */
export const timesSent = (state: State, sent: Sent): number => state.sentTimes.get(sameKey(sent)) ?? 0;

const receiptOf = ({ wamid, recipient, groupId }: Sent, { input, isBsuid }: Address, type: string): Fields => ({
  messaging_product: "whatsapp",
  contacts: [isBsuid ? { input, user_id: recipient.userId } : { input, wa_id: recipient.waId }],
  messages: [
    {
      id: wamid,
      ...(groupId === undefined ? {} : { group_id: groupId }),
      ...(type === "template" ? { message_status: "accepted" } : {}),
    },
  ],
});
