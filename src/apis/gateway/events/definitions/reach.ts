import { Type } from "@sinclair/typebox";
import { OPT_OUT_SOURCES } from "../../../../core/conversations/opt-outs.ts";
import type { EventOf } from "../../../../core/events/definitions/index.ts";
import type { ReachEvents } from "../../../../core/events/definitions/reach.ts";
import { iso } from "../../../../kernel/clock.ts";
import { described, OneOf } from "../../../../kernel/schema.ts";
import { Id, OPT_OUT_BY } from "../../../shared/fields.ts";
import { At, Peer, shape, TextOrNull, text } from "../event-schemas/parts.ts";
import type { Views } from "../event-views.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Whether, and where, a phone can write to a person or group. */

const PhoneDelegation = shape("PhoneDelegation", {
  from: described(Peer, "The person whose chats they are"),
  name: described(TextOrNull, "The person's name; null if none is known", "Maria Souza"),
  connectionId: described(text, "The connection, which ends the addresses of these chats", "Aq8x2Yt0fE"),
  isActive: Type.Boolean({ description: "Whether the phone reads these chats now", examples: [true] }),
  mayWrite: Type.Boolean({ description: "Whether it may answer in them", examples: [true] }),
  timestamp: At,
});
const ContactReach = shape("ContactReach", {
  chat: described(Peer, "The person or group"),
  reason: described(TextOrNull, "The network's word; null without one", "kicked"),
  timestamp: At,
});
const ContactOptOut = shape("ContactOptOut", {
  contactId: Id("The person's contact", "contact"),
  chat: described(Peer, "The person"),
  by: OneOf(OPT_OUT_SOURCES, { description: OPT_OUT_BY }),
  word: described(TextOrNull, "What the person wrote; null without a word", "PARAR"),
  timestamp: At,
});
const ChatRenamed = shape("ChatRenamed", {
  chat: described(Peer, "The group, with its new address"),
  before: described(Peer, "The same group, as it was called before"),
  timestamp: At,
});

const reachData = ({ chat, at, reason }: EventOf<"contact.blocked" | "contact.unblocked">, { person }: Views) => ({
  chat: person(chat),
  reason,
  timestamp: iso(at),
});

const optOutData = (
  { contactId, chat, by, word, at }: EventOf<"contact.opted_out" | "contact.opted_in">,
  { person }: Views,
) => ({
  contactId,
  chat: person(chat),
  by,
  word,
  timestamp: iso(at),
});

export const REACH = {
  "contact.opted_out": {
    "contact:opted-out": event({
      when: "A person wants no more messages: only answers are sent to them until `contact:opted-in`.",
      of: "any phone",
      data: ContactOptOut,
      mayBeCut: false,
      render: optOutData,
    }),
  },
  "contact.opted_in": {
    "contact:opted-in": event({
      when: "A person who wanted no more messages wants them again.",
      of: "any phone",
      data: ContactOptOut,
      mayBeCut: false,
      render: optOutData,
    }),
  },
  "channel.delegated": {
    "channel:delegated": event({
      when:
        "A person lets the phone read and answer the person's own chats, changed that, or ended it (Telegram " +
        "Business). These chats have addresses of their own, which end with `connectionId`.",
      of: "Telegram",
      data: PhoneDelegation,
      mayBeCut: false,
      render: ({ from, name, connectionId, isActive, mayWrite, at }, { person }) => ({
        from: person(from),
        name,
        connectionId,
        isActive,
        mayWrite,
        timestamp: iso(at),
      }),
    }),
  },
  "contact.blocked": {
    "contact:blocked": event({
      when: "A person blocked the phone, or a group removed it: messages to them fail until `contact:unblocked`.",
      of: "Telegram",
      data: ContactReach,
      mayBeCut: false,
      render: reachData,
    }),
  },
  "contact.unblocked": {
    "contact:unblocked": event({
      when: "A person lets the phone write again, or a group took it in.",
      of: "Telegram",
      data: ContactReach,
      mayBeCut: false,
      render: reachData,
    }),
  },
  "chat.renamed": {
    "chat:renamed": event({
      when: "A group has another address from now on. Messages to the former one arrive too.",
      of: "Telegram",
      data: ChatRenamed,
      mayBeCut: false,
      render: ({ chat, before, at }, { person }) => ({
        chat: person(chat),
        before: person(before),
        timestamp: iso(at),
      }),
    }),
  },
} satisfies GatewayEvents<ReachEvents>;
