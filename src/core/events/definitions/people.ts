import type { Presence } from "../../../contract/abilities/people.ts";
import type { ContactsSynced } from "../../../contract/events.ts";
import type { ContactId, MessageId } from "../../../kernel/ids.ts";
import type { ContactRow } from "../../../store/tables/conversations/contacts.ts";
import type { ConversationRow } from "../../../store/tables/conversations/conversations.ts";
import type { Contact, HolderCause } from "../../domain-event.ts";
import {
  BY_CHANNEL,
  BY_CHAT,
  BY_CHAT_KEY,
  BY_SENDER,
  type Definitions,
  TO_ACCOUNTS,
  TO_ACCOUNTS_AND_APPS,
  TO_INSTITUTIONS,
  TO_INSTITUTIONS_AND_APPS,
} from "./definition.ts";
import { ANA, AT, BIA, CHANNEL_ID, CONVERSATION_ID, idOf, MESSAGE_ID, TENANT_ID } from "./samples.ts";

/** People, and the conversations with them. */

type OfContact = { contact: ContactRow; chat: string };
type OfConversation = { conversation: ConversationRow; chat: string };

export type PeopleEvents = {
  "contacts.synced": { contacts: ContactsSynced["contacts"] };
  "comment.received": {
    commentId: MessageId;
    at: number;
    from: Contact;
    text: string;
    /** The network's id of the post. */
    postId: string | null;
    parentCommentId: string | null;
  };
  "conversation.held": { chat: Contact; role: string | null; since: number; cause: HolderCause };
  "conversation.released": { chat: Contact; since: number; cause: HolderCause };
  "contact.presence": {
    contact: Contact;
    chat: Contact;
    state: Presence;
    at: number;
    lastSeenAt: number | null;
  };
  "contact.created": OfContact;
  /** `formerTags`: the tags before, if they changed. */
  "contact.updated": OfContact & { formerTags?: readonly string[] };
  "conversation.created": OfConversation;
  "conversation.closed": OfConversation;
};

const CONTACT: ContactRow = {
  seq: 1,
  id: idOf<ContactId>(7),
  tenantId: TENANT_ID,
  environment: "live",
  phoneNumber: "5511999999999",
  numberKey: "5511999999999",
  alias: null,
  name: "Ana",
  email: null,
  tags: ["vip"],
  metadata: {},
  optedOutAt: null,
  optedOutBy: null,
  createdAt: AT,
  updatedAt: AT,
};

const CONVERSATION: ConversationRow = {
  id: CONVERSATION_ID,
  tenantId: TENANT_ID,
  channelId: CHANNEL_ID,
  contactId: CONTACT.id,
  environment: "live",
  status: "OPEN",
  assignedUserId: null,
  transferNote: null,
  lastMessageAt: AT,
  unreadCount: 0,
  createdAt: AT,
  closedAt: null,
  waitingSince: null,
  snoozedUntil: null,
};

/** The events of an institution's inbox. */
const OF_INBOX = { ordering: BY_CHAT_KEY, direction: null, publishedTo: TO_INSTITUTIONS } as const;
const CHAT = { chat: ANA.canonicalKey };

export const PEOPLE_EVENTS = {
  "contacts.synced": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      { contacts: [{ identity: { pn: "5511999999999" }, name: "Ana Souza", firstName: "Ana", action: "add" }] },
    ],
  },
  "comment.received": {
    ordering: BY_SENDER,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        commentId: MESSAGE_ID,
        at: AT,
        from: BIA,
        text: "Quanto custa?",
        postId: "18000000000000001",
        parentCommentId: null,
      },
    ],
  },
  "conversation.held": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ chat: ANA, role: "ai_agent", since: AT, cause: "standby" }],
  },
  "conversation.released": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ chat: ANA, since: AT, cause: "handover" }],
  },
  "contact.presence": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ contact: ANA, chat: ANA, state: "composing", at: AT, lastSeenAt: null }],
  },
  "contact.created": { ...OF_INBOX, samples: [{ contact: CONTACT, ...CHAT }] },
  "contact.updated": {
    ...OF_INBOX,
    publishedTo: TO_INSTITUTIONS_AND_APPS,
    samples: [{ contact: { ...CONTACT, email: "ana@example.com" }, ...CHAT }],
  },
  "conversation.created": {
    ...OF_INBOX,
    publishedTo: TO_INSTITUTIONS_AND_APPS,
    samples: [{ conversation: CONVERSATION, ...CHAT }],
  },
  "conversation.closed": {
    ...OF_INBOX,
    samples: [{ conversation: { ...CONVERSATION, status: "CLOSED", closedAt: AT }, ...CHAT }],
  },
} satisfies Definitions<PeopleEvents>;
