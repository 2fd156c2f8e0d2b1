import { describe, expect, test } from "bun:test";
import type { ChannelId, ContactId, ConversationId, MessageId, TenantId } from "../../../src/kernel/ids.ts";
import * as contactPages from "../../../src/store/tables/conversations/contact-pages.ts";
import * as pages from "../../../src/store/tables/conversations/conversation-pages.ts";
import * as conversations from "../../../src/store/tables/conversations/conversations.ts";
import * as labelled from "../../../src/store/tables/conversations/message-labels.ts";
import * as log from "../../../src/store/tables/conversations/message-log.ts";
import * as received from "../../../src/store/tables/conversations/received.ts";
import * as media from "../../../src/store/tables/media.ts";
import * as acts from "../../../src/store/tables/messaging/message-acts.ts";
import * as messages from "../../../src/store/tables/messaging/messages.ts";
import { type Plans, planOf, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const tenant = { tenantId: "t" as TenantId, environment: "live" } as const;
const ofTestKey = { ...tenant, environment: "test" } as const;
const channel = "c" as ChannelId;
const contact = "p" as ContactId;
const conversation = "v" as ConversationId;
const message = "m" as MessageId;
const all = { status: undefined, channelId: undefined, contactId: undefined, limit: 9, offset: 9 };

const slice = { before: "b", after: "a", limit: 9 };
const place = { after: { lastMessageAt: 1, id: "a" }, limit: 9 };
const some = { channelId: undefined, status: undefined, isUnread: false };

const part = { before: "g", limit: 9 };

const PLANS: Plans = {
  "messages of a tenant": [
    (tx) => log.sliceOfMessages(tx, { of: "tenant", id: tenant.tenantId }, slice),
    "messages_by_tenant (tenant_id=? AND id>? AND id<?)",
    "received_by_tenant (tenant_id=? AND id>? AND id<?)",
  ],
  "messages of a channel": [
    (tx) => log.sliceOfMessages(tx, { of: "channel", id: channel }, slice),
    "messages_by_channel (channel_id=? AND id>? AND id<?)",
    "received_by_channel (channel_id=? AND id>? AND id<?)",
  ],
  "messages of a conversation between ids": [
    (tx) => log.sliceOfMessages(tx, { of: "conversation", id: conversation }, slice),
    "messages_by_conversation (conversation_id=? AND id>? AND id<?)",
    "received_by_conversation (conversation_id=? AND id>? AND id<?)",
  ],
  "messages by some ids": [
    (tx) => log.entriesOfMessages(tx, [message]),
    "messages_1 (id=?)",
    "received_messages_1 (id=?)",
  ],
  "live conversations of a contact": [
    (tx) => log.listLiveConversations(tx, contact, { channelId: "c", limit: 9 }),
    "conversations_by_contact (contact_id=?)",
  ],
  "what a person wrote last": [
    (tx) => log.newestOfPerson(tx, conversation, 9),
    "received_by_conversation (conversation_id=?)",
  ],
  "chats by their last messages": [
    (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place }),
    "conversations_by_activity (tenant_id=? AND status=? AND (last_message_at,id)<(?,?))",
  ],
  "chats of a channel by their last messages": [
    (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, channelId: "c", status: "OPEN" }),
    "conversations_by_channel_activity (channel_id=? AND status=? AND (last_message_at,id)<(?,?))",
  ],
  "chats with unread messages": [
    (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, isUnread: true }),
    "conversations_unread (tenant_id=? AND (last_message_at,id)<(?,?))",
  ],
  "snoozed chats": [
    (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, isSnoozed: true }),
    "conversations_snoozed (tenant_id=? AND (last_message_at,id)<(?,?))",
  ],
  "chats that wait for an answer": [
    (tx) => pages.placesByWaiting(tx, tenant, { after: { waitingSince: 1, id: "a" }, until: 9, limit: 9 }),
    "conversations_waiting (tenant_id=? AND (waiting_since,id)>(?,?) AND waiting_since<?)",
  ],
  "a chat that is snoozed": [(tx) => pages.putSnooze(tx, conversation, 9), "conversations_1 (id=?)"],
  "a chat that is snoozed no longer": [(tx) => pages.endSnooze(tx, conversation, 9), "conversations_1 (id=?)"],
  "open chats of a member": [
    (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, status: "OPEN", assignedUserId: "u" }),
    "conversations_assigned (tenant_id=? AND assigned_user_id=? AND (last_message_at,id)<(?,?))",
  ],
  "chats with a contact": [
    (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, contactId: "p" }),
    "conversations_by_contact (contact_id=?)",
  ],
  "how many chats": [
    (tx) => pages.countChats(tx, tenant, { userId: "u", nowMs: 1 }),
    "conversations_by_activity (tenant_id=? AND status=?)",
    "conversations_unread (tenant_id=?)",
    "conversations_assigned (tenant_id=? AND assigned_user_id=?)",
    "conversations_snoozed (tenant_id=?)",
  ],
  "the newest messages of chats": [
    (tx) => pages.newestOfConversations(tx, ["a", "b"]),
    "messages_by_conversation (conversation_id=?)",
    "received_by_conversation (conversation_id=?)",
  ],
  "what was done to messages": [
    (tx) => acts.listMessageActs(tx, tenant, [message]),
    "message_acts_by_message (message_id=? AND kind=?)",
  ],
  "the messages of a tenant with a star": [
    (tx) => acts.listStarredAfter(tx, { tenantId: tenant.tenantId, after: "", limit: 9 }),
    "message_acts_starred (tenant_id=? AND message_id>?)",
  ],
  "the labels of messages": [
    (tx) => labelled.listLabelsOn(tx, [message]),
    "message_labels_1 (message_id=?)",
    "labels_1 (channel_id=? AND id=?)",
  ],
  "the labels of a message": [(tx) => labelled.listLabelIdsOn(tx, message, 9), "message_labels_1 (message_id=?)"],
  "the labelled messages of a channel": [
    (tx) => labelled.listLabelledMessagesAfter(tx, { channelId: channel, labelId: "", messageId: message, limit: 9 }),
    "message_labels_by_label (channel_id=? AND (label_id,message_id)>(?,?))",
  ],
  "the receipts of a message": [
    (tx) => acts.listReceipts(tx, tenant, message, 1),
    "message_acts_by_message (message_id=? AND kind=?)",
  ],
  "what changed the words of messages": [
    (tx) => acts.listWordActs(tx, tenant, [message]),
    "message_acts_by_message (message_id=? AND kind=?)",
  ],
  "the contacts of chats": [
    (tx) => pages.contactsAt(tx, tenant, [{ lastMessageAt: 1, id: "a" }]),
    "conversations_by_tenant (tenant_id=? AND id=?)",
    "contacts_id_unique (id=?)",
  ],
  "chats with their contacts": [
    (tx) => pages.listWithContacts(tx, tenant, ["a", "b"]),
    "conversations_1 (id=?)",
    "contacts_id_unique (id=?)",
  ],
  "what has been read": [(tx) => pages.clearUnread(tx, conversation), "conversations_1 (id=?)"],
  "a chat that is opened again": [
    (tx) => pages.reopenClosed(tx, tenant, conversation),
    "conversations_1 (id=?)",
    "conversations_open (channel_id=? AND contact_id=? AND environment=?)",
  ],
  "contacts before a place": [
    (tx) => contactPages.listContactsBefore(tx, tenant, { before: 9, limit: 9, optedOut: false }),
    "contacts_by_tenant (tenant_id=? AND seq<?)",
  ],
  "contacts who opted out, before a place": [
    (tx) => contactPages.listContactsBefore(tx, tenant, { before: 9, limit: 9, optedOut: true }),
    "contacts_opted_out (tenant_id=? AND seq<?)",
  ],
  "contacts of a person in each chat": [
    (tx) => contactPages.listContactsByUid(tx, tenant, "p"),
    "contacts_by_alias (tenant_id=? AND alias>? AND alias<?)",
  ],
  "what a person wrote after a time": [
    (tx) => received.hasWritten(tx, { channelId: channel, contactId: contact }, 9),
    "conversations_by_contact (contact_id=?)",
    "received_by_conversation (conversation_id=? AND id>?)",
  ],
  "the place of a contact": [(tx) => contactPages.placeOfContact(tx, tenant, "p"), "contacts_id_unique (id=?)"],
  "messages by their ids": [(tx) => messages.listMessages(tx, tenant, ["a", "b"]), "messages_1 (id=?)"],
  "received messages by their ids": [
    (tx) => received.listReceived(tx, tenant, ["a", "b"]),
    "received_messages_1 (id=?)",
  ],
  "files of messages": [(tx) => media.listMediaOf(tx, tenant, ["a", "b"]), "media_by_message (message_id=?)"],
  "what a placeholder held the place of": [
    (tx) => received.fillReceived(tx, message, { type: "text", content: { text: "x" }, raw: null }),
    "received_messages_1 (id=?)",
  ],
  "the open conversation": [
    (tx) =>
      conversations.touchOpen(tx, {
        channelId: channel,
        contactId: contact,
        environment: "live",
        at: 1,
        unread: "more",
      }),
    "conversations_open (channel_id=? AND contact_id=? AND environment=?)",
  ],
  "the open conversation with a number": [
    (tx) =>
      conversations.touchOpenOfNumber(tx, {
        tenantId: tenant.tenantId,
        channelId: channel,
        environment: "live",
        at: 1,
        unread: "none",
        phoneNumber: "5511999990001",
      }),
    "conversations_open (channel_id=? AND contact_id=? AND environment=?)",
    "contacts_by_number (tenant_id=? AND number_key=? AND environment=?)",
  ],
  "a conversation": [(tx) => conversations.findConversation(tx, tenant, "v"), "conversations_1 (id=?)"],
  "the change of a conversation": [
    (tx) => conversations.updateOpen(tx, tenant, "v", { status: "CLOSED" }),
    "conversations_1 (id=?)",
  ],
  "the close of a conversation": [
    (tx) => conversations.closeOpenConversation(tx, tenant, conversation, 1),
    "conversations_1 (id=?)",
  ],
  "old conversations": [
    (tx) => conversations.pruneConversations(tx, 1, 9),
    "conversations_closed (closed_at<?)",
    "messages_by_conversation (conversation_id=?)",
  ],
  "old received messages": [
    (tx) => received.pruneReceived(tx, { after: "a", beforeId: "b", limit: 9 }),
    "received_messages_1 (id>? AND id<?)",
  ],
  "conversations of a tenant": [
    (tx) => conversations.listConversations(tx, tenant, all),
    "conversations_by_tenant (tenant_id=?)",
  ],
  "conversations of a tenant, open": [
    (tx) => conversations.listConversations(tx, tenant, { ...all, status: "OPEN" }),
    "conversations_by_status (tenant_id=? AND status=?)",
  ],
  "conversations of a channel": [
    (tx) => conversations.listConversations(tx, tenant, { ...all, channelId: "c" }),
    "conversations_by_channel (tenant_id=? AND channel_id=?)",
  ],
  "conversations of a channel, open": [
    (tx) => conversations.listConversations(tx, tenant, { ...all, channelId: "c", status: "OPEN" }),
    "conversations_by_channel_status (tenant_id=? AND channel_id=? AND status=?)",
  ],
  "conversations of a contact": [
    (tx) => conversations.listConversations(tx, tenant, { ...all, status: "OPEN", channelId: "c", contactId: "p" }),
    "conversations_by_contact (contact_id=?)",
  ],
  "open conversations of a contact": [
    (tx) => conversations.listOpenConversationsOf(tx, tenant, contact),
    "conversations_by_contact (contact_id=?)",
  ],
  "conversations of test keys": [
    (tx) => conversations.listConversations(tx, ofTestKey, { ...all, channelId: "c", status: "OPEN" }),
    "conversations_test (tenant_id=?)",
  ],
  "how many conversations of test keys": [
    (tx) => conversations.passConversations(tx, ofTestKey, { ...all, status: "OPEN" }, part),
    "conversations_test (tenant_id=? AND id<?)",
  ],
  "open conversations of a member": [
    (tx) => conversations.unassignSome(tx, tenant.tenantId, "u", 9),
    "conversations_assigned (tenant_id=? AND assigned_user_id=?)",
  ],
  "conversations that change their contact": [
    (tx) => conversations.moveConversations(tx, tenant, contact, contact),
    "conversations_by_contact (contact_id=?)",
  ],
  "how many conversations": [
    (tx) => conversations.passConversations(tx, tenant, all, part),
    "COVERING INDEX conversations_by_tenant (tenant_id=? AND id<?)",
  ],
  "how many conversations of a channel are open": [
    (tx) => conversations.passConversations(tx, tenant, { ...all, channelId: "c", status: "OPEN" }, part),
    "COVERING INDEX conversations_by_channel_status (tenant_id=? AND channel_id=? AND status=? AND id<?)",
  ],
  "how many conversations of a contact": [
    (tx) => conversations.passConversations(tx, tenant, { ...all, contactId: "p" }, part),
    "conversations_by_contact (contact_id=? AND id<?)",
  ],
};

describe("the query for", () => {
  testPlans(temp, PLANS);

  test("a page of a conversation merges two indexes in order, sorts nothing, and is counted in them alone", async () => {
    const halves = [
      "SEARCH messages USING COVERING INDEX messages_by_conversation (conversation_id=? AND id<?)",
      "SEARCH received_messages USING COVERING INDEX received_by_conversation (conversation_id=? AND id<?)",
    ] as const;
    const merged = ["MERGE (UNION ALL)", "LEFT", halves[0], "RIGHT", halves[1]];
    expect(await planOf(temp, (tx) => received.idsOfConversation(tx, conversation, { limit: 9, offset: 9 }))).toEqual(
      merged,
    );
    const counted = await planOf(temp, (tx) => received.passMessages(tx, conversation, part));
    expect(counted.filter((step) => !/^(?:CO-ROUTINE|SCAN \()/.test(step))).toEqual(merged);
  });

  test("a page of messages, or of chats, is merged from its indexes and never sorted", async () => {
    const plans = await Promise.all([
      planOf(temp, (tx) => log.sliceOfMessages(tx, { of: "tenant", id: tenant.tenantId }, slice)),
      planOf(temp, (tx) => log.sliceOfMessages(tx, { of: "channel", id: channel }, slice)),
      planOf(temp, (tx) => log.sliceOfMessages(tx, { of: "conversation", id: conversation }, slice)),
      planOf(temp, (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place })),
      planOf(temp, (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, channelId: "c" })),
      planOf(temp, (tx) => pages.placesByActivity(tx, tenant, { ...some, ...place, isUnread: true })),
    ]);
    expect(plans.flat().filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    const lists = plans.slice(3, -1).flat(); // a message is read whole, and those with unread messages are few
    expect(lists.filter((step) => step.startsWith("SEARCH") && !step.includes("COVERING INDEX"))).toEqual([]);
  });

  test("conversations is never answered by sorting", async () => {
    const filters = [
      {},
      { status: "OPEN" as const },
      { channelId: "c" },
      { channelId: "c", status: "OPEN" as const },
      { contactId: "p" },
      { contactId: "p", channelId: "c", status: "OPEN" as const },
    ];
    for (const filter of filters)
      expect([
        filter,
        await planOf(temp, (tx) => conversations.listConversations(tx, tenant, { ...all, ...filter })),
      ]).toEqual([filter, [expect.stringMatching(/^SEARCH /)]]);
  });
});
