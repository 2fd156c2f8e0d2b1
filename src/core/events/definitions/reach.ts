import type { ContactId } from "../../../kernel/ids.ts";
import type { OptOutSource } from "../../../store/tables/conversations/contacts.ts";
import { type Contact, contactOf } from "../../domain-event.ts";
import { BY_CHAT, BY_SENDER, type Definitions, TO_ACCOUNTS_AND_INSTITUTIONS } from "./definition.ts";
import { ANA, AT, idOf } from "./samples.ts";

/** Whether, and where, a channel can write to a person or group. */

/** `by`: what recorded it. `word`: what the person wrote, or what the network reports of it. */
type OptOut = { chat: Contact; contactId: ContactId; by: OptOutSource; word: string | null; at: number };
type Reach = { chat: Contact; at: number; reason: string | null };

export type ReachEvents = {
  /** The person or group takes no messages of the channel any more. `reason`: the network's word. */
  "contact.blocked": Reach;
  "contact.unblocked": Reach;
  /** The person wants no messages but answers. */
  "contact.opted_out": OptOut;
  "contact.opted_in": OptOut;
  /** A group has another address from now on: the former one leads to it. */
  "chat.renamed": { chat: Contact; before: Contact; at: number };
  /** `connectionId`: the end of the addresses of the person's chats. `mayWrite`: whether the channel may answer there. */
  "channel.delegated": {
    from: Contact;
    name: string | null;
    connectionId: string;
    isActive: boolean;
    mayWrite: boolean;
    at: number;
  };
};

const OF_CHAT = { ordering: BY_CHAT, direction: null, publishedTo: TO_ACCOUNTS_AND_INSTITUTIONS } as const;

export const REACH_EVENTS = {
  "contact.blocked": { ...OF_CHAT, samples: [{ chat: ANA, at: AT, reason: "kicked" }] },
  "contact.unblocked": { ...OF_CHAT, samples: [{ chat: ANA, at: AT, reason: "member" }] },
  "contact.opted_out": {
    ...OF_CHAT,
    samples: [{ chat: ANA, contactId: idOf<ContactId>(7), by: "word", word: "PARAR", at: AT }],
  },
  "contact.opted_in": {
    ...OF_CHAT,
    samples: [{ chat: ANA, contactId: idOf<ContactId>(7), by: "request", word: null, at: AT }],
  },
  "chat.renamed": {
    ...OF_CHAT,
    samples: [{ chat: contactOf({ group: "-1001234567890" }), before: contactOf({ group: "-4012345678" }), at: AT }],
  },
  "channel.delegated": {
    ordering: BY_SENDER,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_INSTITUTIONS,
    samples: [{ from: ANA, name: "Ana", connectionId: "Aq8x2Yt0fE", isActive: true, mayWrite: true, at: AT }],
  },
} satisfies Definitions<ReachEvents>;
