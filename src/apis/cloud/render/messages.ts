import { type Circumstances, REFERRAL_NAMES } from "../../../contract/content/inbound-content.ts";
import type { Contact, DomainEvent, MessageReceived, PublishedEvent } from "../../../core/domain-event.ts";
import type { EventContext } from "../../../core/messaging/receiving/event-context.ts";
import { wamidOf } from "../ids.ts";
import { type Said, saidIn } from "./content.ts";
import { aboutNumber, type Change, secondsOf } from "./envelope.ts";
import { contactEntry, userIdOf, waIdOf } from "./people.ts";

/** A message of a person, alone in the body. */
const messageChange = (context: EventContext, from: Contact, name: string | null, message: object): Change => ({
  field: "messages",
  value: { ...aboutNumber(context), contacts: [contactEntry(from, name)], messages: [message] },
});

const referralOf = (referral: Circumstances["referral"]): { referral?: object } =>
  referral === undefined
    ? {}
    : {
        referral: {
          ...Object.fromEntries(REFERRAL_NAMES.map(([theirs, ours]) => [theirs, referral[ours]])),
          ...(referral.welcomeText === undefined ? {} : { welcome_message: { text: referral.welcomeText } }),
        },
      };

/** The message that it answers, or its origin. `from` is the author of the quoted message. */
const contextOf = (received: MessageReceived, { phoneNumber, quotedType }: EventContext): { context?: object } => {
  const { quotedMessageId, from } = received;
  const { forwarded, frequentlyForwarded, referredProduct } = received.content.content;
  const quoted =
    quotedMessageId === null
      ? {}
      : { from: quotedType === null ? waIdOf(from) : (phoneNumber ?? ""), id: wamidOf(quotedMessageId) };
  const context = {
    ...quoted,
    ...(forwarded ? { forwarded } : {}),
    ...(frequentlyForwarded ? { frequently_forwarded: true } : {}),
    ...(referredProduct
      ? {
          referred_product: {
            catalog_id: referredProduct.catalogId ?? "",
            product_retailer_id: referredProduct.productId,
          },
        }
      : {}),
  };
  return Object.keys(context).length > 0 ? { context } : {};
};

export const receivedChange = (received: MessageReceived, context: EventContext): Change =>
  messageChange(context, received.from, received.pushName, {
    ...contextOf(received, context),
    ...referralOf(received.content.content.referral),
    from: waIdOf(received.from),
    ...userIdOf(received.from, "from_user_id"),
    id: wamidOf(received.messageId),
    timestamp: secondsOf(received.at),
    ...saidIn(received, context),
  });

/** A message that the owner wrote in the network's own app. */
export const echoChange = (received: MessageReceived, context: EventContext): Change => ({
  field: "smb_message_echoes",
  value: {
    ...aboutNumber(context),
    message_echoes: [
      {
        from: context.phoneNumber ?? "",
        to: waIdOf(received.chat),
        ...userIdOf(received.chat, "to_user_id"),
        id: wamidOf(received.messageId),
        timestamp: secondsOf(received.at),
        ...saidIn(received, context),
      },
    ],
  },
});

type Act = Extract<DomainEvent, { type: "message.reacted" | "message.edited" | "message.deleted" }>;

const actIn = (act: Act): Said => {
  const id = wamidOf(act.messageId);
  switch (act.type) {
    case "message.reacted":
      return { type: "reaction", reaction: { message_id: id, ...(act.emoji === "" ? {} : { emoji: act.emoji }) } };
    case "message.edited":
      return {
        type: "edit",
        edit: { original_message_id: id, message: { type: "text", text: { body: act.text } } },
      };
    case "message.deleted":
      return { type: "revoke", revoke: { original_message_id: id } };
  }
};

/** An act of a person on a message. The network shows it as a message with an id of its own: here the event's id. */
export const actChange = ({ id }: PublishedEvent, act: Act, context: EventContext): Change => {
  const from = "chat" in act ? act.chat : act.to;
  return messageChange(context, from, null, {
    from: waIdOf(from),
    ...userIdOf(from, "from_user_id"),
    id: wamidOf(id),
    timestamp: secondsOf(act.at),
    ...actIn(act),
  });
};
