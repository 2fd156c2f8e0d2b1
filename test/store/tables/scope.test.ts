import { describe, expect, test } from "bun:test";
import type { Tx } from "../../../src/store/engine/db.ts";
import { countCollection } from "../../../src/store/laws/collections.ts";
import * as agents from "../../../src/store/tables/ai/agents.ts";
import * as ai from "../../../src/store/tables/ai/ai-conversations.ts";
import * as knowledge from "../../../src/store/tables/ai/knowledge.ts";
import * as invoices from "../../../src/store/tables/billing/invoices.ts";
import * as usage from "../../../src/store/tables/billing/usage.ts";
import * as calls from "../../../src/store/tables/calls.ts";
import * as channels from "../../../src/store/tables/channels/channels.ts";
import * as contacts from "../../../src/store/tables/conversations/contacts.ts";
import * as conversations from "../../../src/store/tables/conversations/conversations.ts";
import * as received from "../../../src/store/tables/conversations/received.ts";
import * as pages from "../../../src/store/tables/events/delivery-pages.ts";
import * as eventPages from "../../../src/store/tables/events/event-pages.ts";
import * as events from "../../../src/store/tables/events/events.ts";
import * as subscriptions from "../../../src/store/tables/events/subscriptions.ts";
import * as health from "../../../src/store/tables/events/webhook-health.ts";
import * as media from "../../../src/store/tables/media.ts";
import * as batches from "../../../src/store/tables/messaging/batches.ts";
import * as lookups from "../../../src/store/tables/messaging/lookups.ts";
import * as messages from "../../../src/store/tables/messaging/messages.ts";
import * as scheduled from "../../../src/store/tables/messaging/scheduled.ts";
import * as templates from "../../../src/store/tables/messaging/templates.ts";
import type { Viewer } from "../../../src/store/tables/scope.ts";
import * as keys from "../../../src/store/tables/tenancy/keys.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { type Everything, insertEverythingOf } from "../../support/tenants/rows.ts";

const temp = tempDatabases();
const everyEvent = { audience: "gateway", status: undefined, types: undefined, channelId: undefined };
const someEvents = { before: Number.MAX_SAFE_INTEGER, after: 0, limit: 50 };
const allEvents = {
  audience: "gateway",
  type: undefined,
  channelId: undefined,
  beforeSeq: undefined,
  limit: 50,
};

const allConversations = { status: undefined, channelId: undefined, contactId: undefined, limit: 50, offset: 0 };
const allScheduled = {
  status: undefined,
  channelId: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
  limit: 50,
};

/** Every function of the store that takes a scope, asked in a scope for what `of` has. */
const ASKED: Record<string, (tx: Tx, scope: Viewer, of: Everything) => unknown> = {
  findAgent: (tx, scope, of) => agents.findAgent(tx, scope, of.channelId),
  findAiConversation: (tx, scope, of) =>
    ai.findAiConversation(tx, scope, { channelId: of.channelId, contactKey: "pn:1" }),
  findAiConversationById: (tx, scope, of) => ai.findAiConversationById(tx, scope, of.aiConversationId),
  listAiConversations: (tx, scope, of) =>
    ai.listAiConversations(tx, scope, { channelId: of.channelId, status: "AI", beforeId: undefined, limit: 50 }),
  findCall: (tx, scope, of) => calls.findCall(tx, scope, of.callId),
  findCallByUpstreamId: (tx, scope, of) => calls.findCallByUpstreamId(tx, scope, of.upstreamCallId),
  listCalls: (tx, scope) => calls.listCalls(tx, scope, { limit: 50 }),
  "listCalls of a channel and a status": (tx, scope, of) =>
    calls.listCalls(tx, scope, { channelId: of.channelId, status: "MISSED", limit: 50 }),
  findBatch: (tx, scope, of) => batches.findBatch(tx, scope, of.batchId),
  namesOfBatches: async (tx, scope, of) => [...(await batches.namesOfBatches(tx, scope, [of.batchId]))],
  listBatches: (tx, scope) =>
    batches.listBatches(tx, scope, { status: undefined, channelId: undefined, limit: 50, offset: 0 }),
  "listBatches of a status and a channel": (tx, scope, of) =>
    batches.listBatches(tx, scope, { status: "QUEUED", channelId: of.channelId, limit: 50, offset: 0 }),
  findChannel: (tx, scope, of) => channels.findChannel(tx, scope, of.channelId),
  listChannels: (tx, scope) => channels.listChannels(tx, scope),
  "listChannels without a kind": (tx, scope) => channels.listChannels(tx, scope, ["WABA"]),
  updateChannel: (tx, scope, of) => channels.updateChannel(tx, scope, of.channelId, { label: "changed" }),
  deleteChannel: (tx, scope, of) => channels.deleteChannel(tx, scope, of.channelId),
  findInvoice: (tx, scope, of) => invoices.findInvoice(tx, scope, of.invoiceId),
  listInvoices: (tx, scope) => invoices.listInvoices(tx, scope, 9),
  listUnpaid: (tx, scope) => invoices.listUnpaid(tx, scope, 9),
  listInvoicesOf: (tx, scope) => invoices.listInvoicesOf(tx, scope, { from: 0, to: Number.MAX_SAFE_INTEGER }),
  findInvoiceByCharge: (tx, scope, of) => invoices.findInvoiceByCharge(tx, scope, `pay_${of.invoiceId}`),
  listCharged: (tx, scope) => invoices.listCharged(tx, scope, { after: "", limit: 9 }),
  findContact: (tx, scope, of) => contacts.findContact(tx, scope, of.contactId),
  findContactByNumber: (tx, scope, of) => contacts.findContactByNumber(tx, scope, of.number),
  findContactByAlias: (tx, scope, of) => contacts.findContactByAlias(tx, scope, of.alias),
  listContacts: (tx, scope) => contacts.listContacts(tx, scope, { limit: 9, offset: 0 }),
  updateContact: (tx, scope, of) => contacts.updateContact(tx, scope, of.contactId, { name: "changed" }),
  deleteContact: (tx, scope, of) => contacts.deleteContact(tx, scope, of.contactId),
  findDocument: (tx, scope, of) => knowledge.findDocument(tx, scope, of.channelId, of.documentId),
  listDocuments: (tx, scope, of) => knowledge.listDocuments(tx, scope, of.channelId),
  loadDocument: (tx, scope, of) => knowledge.loadDocument(tx, scope, of.documentId),
  deleteDocument: (tx, scope, of) => knowledge.deleteDocument(tx, scope, of.channelId, of.documentId),
  findLookup: (tx, scope, of) => lookups.findLookup(tx, scope, of.taskId),
  findMedia: (tx, scope, of) => media.findMedia(tx, scope, of.mediaId),
  ackMedia: (tx, scope, of) => media.ackMedia(tx, scope, { id: of.mediaId, atMs: 1 }),
  listMediaOf: (tx, scope, of) => media.listMediaOf(tx, scope, [of.messageId]),
  findConversation: (tx, scope, of) => conversations.findConversation(tx, scope, of.conversationId),
  listConversations: (tx, scope) => conversations.listConversations(tx, scope, allConversations),
  "listConversations of a channel": (tx, scope, of) =>
    conversations.listConversations(tx, scope, { ...allConversations, channelId: of.channelId }),
  "listConversations of a contact": (tx, scope, of) =>
    conversations.listConversations(tx, scope, { ...allConversations, contactId: of.contactId }),
  listOpenConversationsOf: (tx, scope, of) => conversations.listOpenConversationsOf(tx, scope, of.contactId),
  updateOpen: (tx, scope, of) => conversations.updateOpen(tx, scope, of.conversationId, { transferNote: "changed" }),
  listMessages: (tx, scope, of) => messages.listMessages(tx, scope, [of.messageId]),
  listReceived: (tx, scope, of) => received.listReceived(tx, scope, [of.receivedId]),
  findMessage: (tx, scope, of) => messages.findMessage(tx, scope, of.messageId),
  findScheduled: (tx, scope, of) => scheduled.findScheduled(tx, scope, of.scheduledId),
  listScheduled: async (tx, scope) => (await scheduled.listScheduled(tx, scope, allScheduled)).items,
  "listScheduled of a status and a channel": async (tx, scope, of) =>
    (await scheduled.listScheduled(tx, scope, { ...allScheduled, status: "PENDING", channelId: of.channelId })).items,
  listEvents: (tx, scope) => events.listEvents(tx, scope, allEvents),
  "listing events in a status": async (tx, scope) =>
    (await eventPages.sliceOfEvents(tx, scope, { ...everyEvent, status: "DEAD" }, someEvents)).rows,
  "listing events of a channel": async (tx, scope, of) =>
    (await eventPages.sliceOfEvents(tx, scope, { ...everyEvent, channelId: of.channelId }, someEvents)).rows,
  "listEvents of a channel": (tx, scope, of) => events.listEvents(tx, scope, { ...allEvents, channelId: of.channelId }),
  listEventsAfter: (tx, scope) => events.listEventsAfter(tx, scope, { seq: 0, limit: 50 }),
  findEvent: (tx, scope, of) => events.findEvent(tx, scope, { audience: "gateway", id: of.eventId }),
  findEventBySeq: (tx, scope, of) => events.findEventBySeq(tx, scope, of.eventSeq),
  findDelivery: (tx, scope, of) => events.findDelivery(tx, scope, of.deliveryId),
  listDeliveries: (tx, scope, of) => events.listDeliveries(tx, scope, [of.eventSeq]),
  "listing in a status": (tx, scope) =>
    pages.sliceInStatus(tx, scope, "DEAD", { after: { eventSeq: Number.MAX_SAFE_INTEGER, id: "~" }, limit: 50 }),
  listEventsOfMessage: (tx, scope, of) => pages.listEventsOfMessage(tx, scope, of.messageId, 50),
  deliveriesOfEvents: (tx, scope, of) => pages.deliveriesOfEvents(tx, scope, [of.eventSeq]),
  listWebhooks: (tx, scope) => health.listWebhooks(tx, scope, { before: "~", limit: 50 }),
  listKeys: (tx, scope) => keys.listKeys(tx, scope, "gateway"),
  findKey: (tx, scope, of) => keys.findKey(tx, scope, "gateway", of.keyId),
  revokeKey: (tx, scope, of) => keys.revokeKey(tx, scope, { api: "gateway", id: of.keyId, atMs: 1 }),
  listSubscriptions: (tx, scope) => subscriptions.listSubscriptions(tx, scope, { audience: "gateway", kind: "shared" }),
  findSubscription: (tx, scope, of) =>
    subscriptions.findSubscription(tx, scope, { audience: "gateway", kind: "shared" }, of.subscriptionId),
  findPhoneSubscription: (tx, scope, of) => subscriptions.findPhoneSubscription(tx, scope, of.channelId),
  updateSubscription: (tx, scope, of) =>
    subscriptions.updateSubscription(tx, scope, of.subscriptionId, { name: "changed" }),
  findTemplate: (tx, scope, of) => templates.findTemplate(tx, scope, of.templateId),
  listTemplates: (tx, scope) => templates.listTemplates(tx, scope),
  "listTemplates of a channel": (tx, scope, of) => templates.listTemplates(tx, scope, { channelId: of.channelId }),
  deleteTemplate: (tx, scope, of) => templates.deleteTemplate(tx, scope, of.templateId),
  deleteSubscription: (tx, scope, of) =>
    subscriptions.deleteSubscription(tx, scope, { audience: "gateway", kind: "shared" }, of.subscriptionId),
};

const twoTenants = async () => {
  const db = temp.database();
  const rows = await db.write(async (tx) => ({
    mine: await insertEverythingOf(tx, "mine"),
    foreign: await insertEverythingOf(tx, "foreign"),
  }));
  const dump = (of: Everything) =>
    db.read(async (reader) =>
      [
        "batches",
        "channels",
        "subscriptions",
        "messages",
        "scheduled",
        "contacts",
        "conversations",
        "received_messages",
        "media",
        "events",
        "deliveries",
        "api_keys",
        "templates",
      ].map((table) => reader.rows(`SELECT * FROM ${table} WHERE tenant_id = ?1`, [of.tenantId])),
    );
  return { db, ...rows, dump };
};

const isNothing = (found: unknown): boolean =>
  found === undefined || found === false || (Array.isArray(found) && found.length === 0);

describe("in the scope of a tenant", () => {
  for (const [name, ask] of Object.entries(ASKED)) {
    test(`${name} finds what is the tenant's own, nothing of another one, and changes nothing there`, async () => {
      const { db, mine, foreign, dump } = await twoTenants();
      const before = await dump(foreign);
      const own = await db.write(async (tx) => ask(tx, { tenantId: mine.tenantId, environment: "live" }, mine));
      expect(isNothing(own)).toBe(false);
      expect(JSON.stringify(own)).not.toContain("foreign");
      const ofOther = await db.write(async (tx) => ask(tx, { tenantId: mine.tenantId, environment: "live" }, foreign));
      expect(JSON.stringify(ofOther ?? null)).not.toContain("foreign");
      if (!name.startsWith("list")) expect(isNothing(ofOther)).toBe(true);
      expect(await dump(foreign)).toEqual(before);
    });

    test(`${name} finds nothing for a tenant that has nothing`, async () => {
      const { db, foreign } = await twoTenants();
      const nobody = { ...foreign, tenantId: "nobody" as typeof foreign.tenantId };
      expect(
        isNothing(await db.write(async (tx) => ask(tx, { tenantId: nobody.tenantId, environment: "live" }, nobody))),
      ).toBe(true);
    });
  }

  const END = { atMs: 1, keysUntil: 2 };
  test("cancelScheduledOf cancels the tenant's own alone, and countCollection counts them", async () => {
    const { db, mine, foreign, dump } = await twoTenants();
    const before = await dump(foreign);
    await db.write(async (tx) =>
      scheduled.cancelScheduledOf(tx, { tenantId: mine.tenantId, id: foreign.channelId }, END),
    );
    expect(
      await db.read((r) =>
        Promise.all([mine, foreign].map(({ tenantId }) => countCollection(r, "scheduled", tenantId, 9))),
      ),
    ).toEqual([1, 1]);
    await db.write(async (tx) => scheduled.cancelScheduledOf(tx, { tenantId: mine.tenantId, id: mine.channelId }, END));
    expect(
      await db.read((r) =>
        Promise.all([mine, foreign].map(({ tenantId }) => countCollection(r, "scheduled", tenantId, 9))),
      ),
    ).toEqual([0, 1]);
    expect(await dump(foreign)).toEqual(before);
  });

  test("passBatches counts the tenant's own alone", async () => {
    const { db, mine, foreign } = await twoTenants();
    const count = (of: Everything, channelId?: string) =>
      db.read(async (reader) => {
        const viewer = { tenantId: of.tenantId, environment: "live" } as const;
        const part = { before: undefined, limit: 9 };
        return (await batches.passBatches(reader, viewer, { status: undefined, channelId }, part)).n;
      });
    expect([await count(mine), await count(mine, foreign.channelId)]).toEqual([1, 0]);
  });

  test("countOf counts the tenant's own channels alone", async () => {
    const { db, mine } = await twoTenants();
    expect(
      await db.read((reader) =>
        Promise.all([mine.tenantId, "nobody"].map((owner) => countCollection(reader, "channels", owner, 9))),
      ),
    ).toEqual([1, 0]);
  });

  test("sumMessages and sumConversations count the tenant's own alone", async () => {
    const { db, mine, foreign } = await twoTenants();
    const { tenantId } = mine;
    await db.write(async (tx) => {
      usage.countMessage(tx, "sent", { tenantId, day: 1, channelId: mine.channelId });
      for (const who of [mine, foreign])
        usage.countMessage(tx, "received", { tenantId: who.tenantId, day: 1, channelId: who.channelId });
      usage.countConversation(tx, { tenantId: foreign.tenantId, day: 1, category: "UTILITY" });
    });
    const days = { from: 1, to: 2 };
    expect(await db.read((reader) => usage.sumMessages(reader, { tenantId }, days))).toEqual([
      { channelId: mine.channelId, kind: "SESSION", sent: 1, received: 1 },
    ]);
    expect(await db.read((reader) => usage.sumConversations(reader, { tenantId }, days))).toEqual([]);
    expect(await db.read((reader) => usage.sumConversations(reader, foreign, days))).toEqual([
      { category: "UTILITY", count: 1 },
    ]);
  });

  test("deleteChannel of another tenant leaves its secrets", async () => {
    const { db, mine, foreign } = await twoTenants();
    await db.write((tx) => channels.deleteChannel(tx, { tenantId: mine.tenantId }, foreign.channelId));
    expect(await db.read((reader) => channels.readVault(reader, foreign.channelId))).toHaveLength(1);
  });
});
