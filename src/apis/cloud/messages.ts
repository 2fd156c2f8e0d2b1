import { Elysia } from "elysia";
import { keyOfNetworkId } from "../../core/channels/identity.ts";
import { acceptMessage } from "../../core/messaging/sending/accept.ts";
import { acceptOperation } from "../../core/messaging/sending/operations.ts";
import type { Envelope } from "../../core/messaging/sending/sendable.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { digitsOf } from "../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../kernel/schema.ts";
import type { Json } from "../../kernel/texts/json.ts";
import { askedBy } from "../shared/http/request.ts";
import { objectIn, optionalField, requiredObject, requiredText, textIn } from "../shared/loose-fields.ts";
import { type CloudAuth, type Principal, requireNumber } from "./auth.ts";
import { paramsOf } from "./bodies.ts";
import { contentIn, contextIn } from "./contents.ts";
import type { CloudEnv } from "./env.ts";
import { messageIdOf, wamidOf } from "./ids.ts";
import { withFileOf } from "./media.ts";
import { routeOptions } from "./route-options.ts";
import { asTemplateRefusal } from "./template-refusals.ts";
import { textInPlaceOfTemplate } from "./template-texts.ts";

const MAX_CALLBACK_DATA = 512;

/** Sending, reactions, and marks that a message was read. */
export const messages = (env: CloudEnv, auth: CloudAuth) => {
  const answer = async ({
    request,
    params,
    principal,
  }: {
    request: Request;
    params: { id: string };
    principal: Principal;
  }) => {
    requireNumber(principal, params.id);
    return answerTo(env, principal, { body: await paramsOf(env, request), asked: askedBy(principal, request) });
  };
  const options = { detail: routeOptions({ countsAsSend: true }) };
  return new Elysia()
    .use(auth)
    .post("/:version/:id/messages", answer, options)
    .post("/:version/:id/marketing_messages", answer, options);
};

type Asked = { body: Json; asked: ReturnType<typeof askedBy> };

/** The body of the answer to anything that a client posts as a message. */
const answerTo = async (env: CloudEnv, principal: Principal, { body, asked }: Asked): Promise<object> => {
  if (textIn(body, "status") !== undefined) return markRead(env, principal, body);
  const { to, input } = recipientIn(body);
  if (textIn(body, "type") === "reaction") return react(env, principal, { body, to, input });
  const quoted = contextIn(body);
  const callbackData = textIn(body, "biz_opaque_callback_data");
  if (callbackData !== undefined && callbackData.length > MAX_CALLBACK_DATA)
    throw invalid(issue("biz_opaque_callback_data", "maxLength", `must have at most ${MAX_CALLBACK_DATA} characters`));
  const content = await withFileOf(env, principal, contentIn(body));
  const envelope: Envelope = {
    channelId: principal.channelId,
    to: (await keyOfNetworkId(env, principal.channelId, to)) ?? to,
    ...(await textInPlaceOfTemplate(env, principal, content)),
    ...(quoted === undefined ? {} : { quotedMessageId: knownId(quoted, "context.message_id") }),
    ...(callbackData === undefined ? {} : { callbackData }),
  };
  const accepted = await acceptMessage(env, principal, envelope, {
    environment: "live",
    mustBeConnected: true,
    infersAnswers: content.type !== "template",
    ...asked,
  }).catch((refusal: unknown) => {
    throw content.type === "template" ? asTemplateRefusal(refusal) : refusal;
  });
  return answerOf({
    input,
    recipient: accepted.recipient,
    message: {
      id: wamidOf(accepted.messageId),
      ...(content.type === "template" ? { message_status: "accepted" } : {}),
    },
  });
};

/** `input` is the recipient as the client wrote it, `to` as the core takes it. A number wins over a user id. */
const recipientIn = (body: Json): { to: string; input: string } => {
  const to = textIn(body, "to")?.trim();
  if (to) return { to: digitsOf(to) ?? to, input: to };
  const userId = textIn(body, "recipient")?.trim();
  if (userId) return { to: `bsuid:${userId}`, input: userId };
  throw invalid(issue("to", "required", "is required"));
};

type Answered = { input: string; recipient: string; message: object };

const answerOf = ({ input, recipient, message }: Answered): object => {
  const [kind, ...rest] = recipient.split(":");
  const id = rest.join(":");
  const who = { pn: { wa_id: id }, bsuid: { user_id: id } }[kind ?? ""] ?? {
    wa_id: input.replaceAll(/\D/g, "") || input,
  };
  return { messaging_product: "whatsapp", contacts: [{ input, ...who }], messages: [message] };
};

const knownId = (wamid: string, path: string): string => {
  const messageId = messageIdOf(wamid);
  if (messageId === undefined) throw invalid(issue(path, "format", "is not the id of a message of this phone"));
  return messageId;
};

/** A reaction has an id in the answer like any message, but gets no statuses. */
const react = async (
  env: CloudEnv,
  { tenantId, channelId }: Principal,
  { body, to, input }: { body: Json; to: string; input: string },
): Promise<object> => {
  const reaction = requiredObject(body, "reaction");
  const messageId = knownId(requiredText(reaction, "message_id", "reaction.message_id"), "reaction.message_id");
  const emoji = textIn(reaction, "emoji", "reaction.emoji") ?? "";
  await acceptOperation(env, { tenantId }, { channelId, messageId, action: { name: "react", emoji } });
  return answerOf({ input, recipient: `pn:${to}`, message: { id: wamidOf(newId(env)) } });
};

/** Why a network does not mark a message. The client gets a success all the same. */
const UNMARKED: ReadonlySet<string> = new Set(["OPERATION_UNSUPPORTED", "THREAD_HELD"]);

/** A network that shows that somebody writes also marks the message as read. */
const markRead = async (env: CloudEnv, { tenantId, channelId }: Principal, body: Json): Promise<object> => {
  if (textIn(body, "status") !== "read") throw invalid(issue("status", "enum", "must be read"));
  const messageId = knownId(requiredText(body, "message_id"), "message_id");
  const acts =
    objectIn(body, "typing_indicator") || optionalField(body, "typing_indicator") ? ["typing", "read"] : ["read"];
  for (const name of acts as ("typing" | "read")[]) {
    try {
      await acceptOperation(env, { tenantId }, { channelId, messageId, action: { name } });
      break;
    } catch (refusal) {
      if (!(refusal instanceof AppError && UNMARKED.has(refusal.code))) throw refusal;
    }
  }
  return { success: true };
};
