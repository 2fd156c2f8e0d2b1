import type { Operation, OperationOutcome } from "../../src/contract/abilities/operations.ts";
import type { Capabilities } from "../../src/contract/capabilities.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { ephemeralFieldsOf, messageOf, type NamedMessage, placeOf, targetOf } from "./address.ts";
import type { Api, ApiResult, Fault } from "./api.ts";
import { failureOf, never } from "./errors.ts";

/**
 * A bot cannot mark a message as read. It edits and deletes only its own messages: a text or a caption at any time, and
 * deletes for 48 hours (https://core.telegram.org/bots/api#deletemessage).
 */
export const OPERATIONS: Capabilities["operations"] = {
  react: { inbound: true, outbound: true },
  edit: { outbound: true, types: ["text", "image", "video", "audio", "document"] },
  delete: { outbound: true, withinMs: 2 * DAY_MS },
  typing: { inbound: true },
};

const UNSUPPORTED: OperationOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_UNSUPPORTED",
  reason: "the network offers no such call for this message",
};

/** Texts for an operation that is already done: it may be requested twice. The API has no codes for them. */
const DONE: Partial<Record<Operation["name"], RegExp>> = {
  edit: /message is not modified/i,
  delete: /message to delete not found/i,
};
/** The error for a message with a file: its text is a caption, changed by another method. */
const HAS_CAPTION = /no text in the message/i;

/** The network's call for an operation: https://core.telegram.org/bots/api#updating-messages. */
export const operateOn = async (api: Api, operation: Operation): Promise<OperationOutcome> => {
  if (operation.name === "typing") return typing(api, operation.chat);
  const ephemeral = ephemeralFieldsOf(operation.key);
  if (ephemeral) return operateOnEphemeral(api, operation, ephemeral);
  const message = messageOf(operation.key);
  if (!message) return UNSUPPORTED;
  switch (operation.name) {
    case "react": {
      if (message.business_connection_id !== undefined) return UNSUPPORTED;
      const reaction = operation.emoji === "" ? [] : [{ type: "emoji", emoji: operation.emoji }];
      return outcomeOf(operation, await api({ method: "setMessageReaction", fields: { ...message, reaction } }));
    }
    case "edit":
      return outcomeOf(operation, await editing(api, EDITS, { ...message, text: operation.text }));
    case "delete":
      return outcomeOf(operation, await deleting(api, message));
    case "read":
    case "played":
    case "pin":
    case "keep":
    case "vote":
    case "respond":
    case "star":
    case "label":
    case "delete-for-me":
      return UNSUPPORTED;
  }
};

const typing = async (api: Api, chat: string): Promise<OperationOutcome> => {
  const place = placeOf(chat);
  if (!place) return never("the chat is not of this network");
  const result = await api({ method: "sendChatAction", fields: { ...targetOf(place), action: "typing" } });
  return result.ok ? { ok: true } : failureOf(result.fault);
};

/** What one member of a group sees has methods of its own, and no reactions (Bot API 10.2). */
const operateOnEphemeral = async (api: Api, operation: Operation, message: Json): Promise<OperationOutcome> => {
  switch (operation.name) {
    case "edit":
      return outcomeOf(operation, await editing(api, EPHEMERAL_EDITS, { ...message, text: operation.text }));
    case "delete":
      return outcomeOf(operation, await api({ method: "deleteEphemeralMessage", fields: message }));
    default:
      return UNSUPPORTED;
  }
};

/** The methods for a text and for a caption. */
const EDITS = ["editMessageText", "editMessageCaption"] as const;
const EPHEMERAL_EDITS = ["editEphemeralMessageText", "editEphemeralMessageCaption"] as const;

const editing = async (
  api: Api,
  [ofText, ofCaption]: readonly [string, string],
  { text, ...message }: Json,
): Promise<ApiResult> => {
  const edited = await api({ method: ofText, fields: { ...message, text } });
  if (edited.ok || !says(edited.fault, HAS_CAPTION)) return edited;
  return api({ method: ofCaption, fields: { ...message, caption: text } });
};

/** Messages of a business account have a method of their own: https://core.telegram.org/bots/api#deletebusinessmessages. */
const deleting = (api: Api, message: NamedMessage): Promise<ApiResult> => {
  const { business_connection_id, message_id } = message;
  return business_connection_id === undefined
    ? api({ method: "deleteMessage", fields: message })
    : api({ method: "deleteBusinessMessages", fields: { business_connection_id, message_ids: [message_id] } });
};

const says = (fault: Fault, text: RegExp): boolean =>
  fault.kind === "error" && fault.code === 400 && text.test(fault.text);

const outcomeOf = ({ name }: Operation, result: ApiResult): OperationOutcome => {
  if (result.ok) return { ok: true };
  const done = DONE[name];
  return done && says(result.fault, done) ? { ok: true } : failureOf(result.fault);
};
