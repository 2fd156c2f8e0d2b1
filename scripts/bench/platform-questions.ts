import type { BatchId, ConversationId, SubscriptionId, TenantId } from "../../src/kernel/ids.ts";
import { type Part, placeByNumber } from "../../src/store/engine/counting.ts";
import type { Db, Reader } from "../../src/store/engine/db.ts";
import { countCollection } from "../../src/store/laws/collections.ts";
import { listChannels } from "../../src/store/tables/channels/channels.ts";
import {
  findContact,
  listContacts,
  passContacts,
  searchContacts,
} from "../../src/store/tables/conversations/contacts.ts";
import {
  type ConversationFilter,
  findConversation,
  listConversations,
  passConversations,
} from "../../src/store/tables/conversations/conversations.ts";
import { idsOfConversation, listReceived, passMessages } from "../../src/store/tables/conversations/received.ts";
import { listAttempts, passAttempts } from "../../src/store/tables/events/attempts.ts";
import { listSubscriptions } from "../../src/store/tables/events/subscriptions.ts";
import { countRecipients, countRecipientsOf, listErrors } from "../../src/store/tables/messaging/batch-recipients.ts";
import { type BatchFilter, findBatch, listBatches, passBatches } from "../../src/store/tables/messaging/batches.ts";
import { findMessage, listMessages } from "../../src/store/tables/messaging/messages.ts";
import type { Viewer } from "../../src/store/tables/scope.ts";
import type { Data, Owner, Size } from "./platform-data.ts";

/** The n-th request, and the same query to the store. */
export type Asked = { what: string; path(n: number): string; read(reader: Reader, n: number): Promise<unknown> };

const LIMIT = 20;

/** A database that needs only one connection. */
const over = (reader: Reader): Pick<Db, "read" | "isShared"> => ({ read: (body) => body(reader), isShared: false });

/** The query of a list's page that begins at `offset`. */
const queryOf = (offset: number, more: Record<string, string | undefined> = {}): string => {
  const given = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `?${new URLSearchParams([["page", String(offset / LIMIT + 1)], ...given]).toString()}`;
};
/** A whole page not far from the end of so many rows. */
const deepIn = (rows: number): number => Math.floor((rows * 0.95) / LIMIT) * LIMIT;

const contactsAsked = (
  scope: Viewer,
  what: string,
  offset: number,
  searchOf: (n: number) => string | undefined,
): Asked => ({
  what: `GET contacts, ${what}`,
  path: (n) => `/v1/contacts${queryOf(offset, { search: searchOf(n) })}`,
  read: async (reader, n) => {
    const search = searchOf(n);
    if (search !== undefined)
      return searchContacts({ read: (body) => body(reader) }, scope, { search, limit: LIMIT, offset });
    const known = await countCollection(reader, "contacts", scope.tenantId, 0);
    const pass = (r: Reader, part: Part<number>) => passContacts(r, scope, part);
    const place = await placeByNumber(over(reader), pass, offset, known);
    return listContacts(reader, scope, { limit: LIMIT, ...place });
  },
});

const contactQuestions = (scope: Viewer, { contactId }: Data, { contacts }: Size): Asked[] => [
  contactsAsked(scope, "first page", 0, () => undefined),
  contactsAsked(scope, `page at ${deepIn(contacts)}`, deepIn(contacts), () => undefined),
  contactsAsked(
    scope,
    "search by two names",
    0,
    (n) => ["maria silva", "joao souza", "Antônio Pereira", "lucas gomes"][n % 4],
  ),
  contactsAsked(scope, "search by 8 digits", 0, (n) => String(60_000_000 + ((n * 2 * 7919) % 40_000_000))),
  contactsAsked(scope, "search by 4 digits", 0, (n) => String(4000 + n)),
  contactsAsked(scope, "search that finds a fifth of them (ma)", 0, () => "ma"),
  contactsAsked(scope, "search that finds all (55119)", 0, () => "55119"),
  contactsAsked(scope, `the same, page at ${deepIn(contacts)}`, deepIn(contacts), () => "55119"),
  {
    what: "GET contact",
    path: (n) => `/v1/contacts/${contactId(n * 7)}`,
    read: (reader, n) => findContact(reader, scope, contactId(n * 7)),
  },
];

const conversationsAsked = (
  scope: Viewer,
  what: string,
  offset: number,
  filterOf: (n: number) => Partial<ConversationFilter>,
): Asked => ({
  what: `GET conversations, ${what}`,
  path: (n) => `/v1/conversations${queryOf(offset, filterOf(n))}`,
  read: async (reader, n) => {
    const filter = { status: undefined, channelId: undefined, contactId: undefined, ...filterOf(n) };
    const pass = (r: Reader, part: Part<string>) => passConversations(r, scope, filter, part);
    const place = await placeByNumber(over(reader), pass, offset);
    await listConversations(reader, scope, { ...filter, limit: LIMIT, ...place });
  },
});

const conversationQuestions = (
  scope: Viewer,
  owner: Owner,
  { contactId, conversationId }: Data,
  { contacts }: Size,
): Asked[] => {
  const [channelId] = owner.channels;
  return [
    conversationsAsked(scope, "first page", 0, () => ({})),
    conversationsAsked(scope, `page at ${deepIn(contacts)}`, deepIn(contacts), () => ({})),
    conversationsAsked(scope, "open", 0, () => ({ status: "OPEN" })),
    conversationsAsked(scope, "closed", 0, () => ({ status: "CLOSED" })),
    conversationsAsked(scope, "of a channel", 0, () => ({ channelId })),
    conversationsAsked(scope, "open of a channel", 0, () => ({ status: "OPEN", channelId })),
    conversationsAsked(scope, "of a contact", 0, (n) => ({ contactId: contactId(n * 7) })),
    {
      what: "GET conversation",
      path: (n) => `/v1/conversations/${conversationId(n * 7)}`,
      read: (reader, n) => findConversation(reader, scope, conversationId(n * 7)),
    },
  ];
};

const messagesAsked = (scope: Viewer, what: string, offset: number, idOf: (n: number) => string): Asked => ({
  what: `GET messages of a conversation${what}`,
  path: (n) => `/v1/conversations/${idOf(n)}/messages${queryOf(offset)}`,
  read: async (reader, n) => {
    await findConversation(reader, scope, idOf(n));
    const id = idOf(n) as ConversationId;
    const place = await placeByNumber(over(reader), (r, part: Part<string>) => passMessages(r, id, part), offset);
    const ids = await idsOfConversation(reader, id, { limit: LIMIT, ...place });
    await listMessages(reader, scope, ids);
    await listReceived(reader, scope, ids);
  },
});

const messageQuestions = (
  scope: Viewer,
  { conversationId, sentId, receivedId }: Data,
  { perContact, long }: Size,
): Asked[] => [
  messagesAsked(scope, ` of ${perContact}`, 0, (n) => conversationId(n * 7 + 1)),
  messagesAsked(scope, ` of ${long}`, 0, () => conversationId(0)),
  messagesAsked(scope, ` of ${long}, page at ${deepIn(long)}`, deepIn(long), () => conversationId(0)),
  {
    what: "GET message, sent",
    path: (n) => `/v1/messages/${sentId(n * 7)}`,
    read: (reader, n) => findMessage(reader, scope, sentId(n * 7)),
  },
  {
    what: "GET message, received",
    path: (n) => `/v1/messages/${receivedId(n * 7)}`,
    read: (reader, n) => listReceived(reader, scope, [receivedId(n * 7)]),
  },
];

const batchesAsked = (
  scope: Viewer,
  what: string,
  { limit, offset }: { limit: number; offset: number },
  given: Partial<BatchFilter> = {},
): Asked => ({
  what: `GET bulk, ${what}`,
  path: () => `/v1/bulk${queryOf(offset, { limit: String(limit), ...given })}`,
  read: async (reader) => {
    const filter = { status: undefined, channelId: undefined, ...given };
    const pass = (r: Reader, part: Part<string>) => passBatches(r, scope, filter, part);
    const place = await placeByNumber(over(reader), pass, offset);
    const rows = await listBatches(reader, scope, { ...filter, limit, ...place });
    await countRecipients(
      reader,
      rows.map(({ id }) => id),
    );
  },
});

const bulkQuestions = (scope: Viewer, { batchId }: Data, { batches, recipients, errors }: Size): Asked[] => [
  batchesAsked(scope, "first page", { limit: LIMIT, offset: 0 }),
  batchesAsked(scope, "100 a page", { limit: 100, offset: 0 }),
  batchesAsked(scope, "failed", { limit: LIMIT, offset: 0 }, { status: "FAILED" }),
  batchesAsked(scope, `page at ${deepIn(batches)}`, { limit: LIMIT, offset: deepIn(batches) }),
  {
    what: `GET a batch of ${recipients} with ${errors} errors`,
    path: (n) => `/v1/bulk/${batchId(n % batches)}`,
    read: async (reader, n) => {
      const id = batchId(n % batches) as BatchId;
      await findBatch(reader, scope, id);
      await countRecipientsOf(reader, id);
      await listErrors(reader, id, 1000);
    },
  },
];

const webhookQuestions = (scope: Viewer, { webhookId }: Owner, { attempts }: Size): Asked[] => {
  const logs = (what: string, offset: number, isDelivered?: boolean): Asked => ({
    what: `GET webhook logs, ${what}`,
    path: () => `/v1/webhooks/${webhookId}/logs${queryOf(offset, isDelivered === false ? { status: "FAILED" } : {})}`,
    read: async (reader) => {
      const id = webhookId as SubscriptionId;
      const pass = (r: Reader, part: Part<number>) => passAttempts(r, id, { isDelivered }, part);
      const { before: beforeSeq, offset: rest } = await placeByNumber(over(reader), pass, offset);
      await listAttempts(reader, id, { isDelivered, limit: LIMIT, offset: rest, beforeSeq });
    },
  });
  return [
    {
      what: "GET channels",
      path: () => "/v1/channels",
      read: (reader) => listChannels(reader, scope, ["SESSION", "WABA"]),
    },
    {
      what: "GET webhooks",
      path: () => "/v1/webhooks",
      read: (reader) => listSubscriptions(reader, scope, { audience: "platform", kind: "account" }),
    },
    logs("first page", 0),
    logs("failed", 0, false),
    logs(`page at ${deepIn(attempts)}`, deepIn(attempts)),
  ];
};

/** Every list of the platform, and each listed thing by its id. */
export const questionsOf = (owner: Owner, data: Data, size: Size): Asked[] => {
  const scope: Viewer = { tenantId: owner.tenantId as TenantId, environment: "live" };
  return [
    ...contactQuestions(scope, data, size),
    ...conversationQuestions(scope, owner, data, size),
    ...messageQuestions(scope, data, size),
    ...bulkQuestions(scope, data, size),
    ...webhookQuestions(scope, owner, size),
  ];
};
