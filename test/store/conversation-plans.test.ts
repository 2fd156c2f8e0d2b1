import { describe, expect, test } from "bun:test";
import type { ChannelId, ContactId, ConversationId, MessageId, TenantId } from "../../src/kernel/ids.ts";
import * as conversations from "../../src/store/conversations.ts";
import * as media from "../../src/store/media.ts";
import * as messages from "../../src/store/messages.ts";
import * as received from "../../src/store/received.ts";
import * as tenants from "../../src/store/tenants.ts";
import { type Plans, planOf, testPlans } from "../support/plans.ts";
import { tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();
const tenant = { tenantId: "t" as TenantId, environment: "live" } as const;
const ofTestKey = { ...tenant, environment: "test" } as const;
const channel = "c" as ChannelId;
const contact = "p" as ContactId;
const conversation = "v" as ConversationId;
const message = "m" as MessageId;
const all = { status: undefined, channelId: undefined, contactId: undefined, limit: 9, offset: 9 };

const PLANS: Plans = {
  "messages by their ids": [(tx) => messages.listMessages(tx, tenant, ["a", "b"]), "messages_1 (id=?)"],
  "received messages by their ids": [
    (tx) => received.listReceived(tx, tenant, ["a", "b"]),
    "received_messages_1 (id=?)",
  ],
  "files of messages": [(tx) => media.listMediaOf(tx, tenant, ["a", "b"]), "media_by_message (message_id=?)"],
  "what a placeholder held the place of": [
    (tx) => received.fillReceived(tx, message, { type: "text", content: { text: "x" } }),
    "received_messages_1 (id=?)",
  ],
  "the open conversation": [
    (tx) => conversations.touchOpen(tx, { channelId: channel, contactId: contact, environment: "live", at: 1 }),
    "conversations_open (channel_id=? AND contact_id=? AND environment=?)",
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
    (tx) => conversations.countConversations(tx, ofTestKey, { ...all, status: "OPEN" }),
    "conversations_test (tenant_id=?)",
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
    (tx) => conversations.countConversations(tx, tenant, all),
    "COVERING INDEX conversations_by_tenant (tenant_id=?)",
  ],
  "how many conversations of a channel are open": [
    (tx) => conversations.countConversations(tx, tenant, { ...all, channelId: "c", status: "OPEN" }),
    "COVERING INDEX conversations_by_channel_status (tenant_id=? AND channel_id=? AND status=?)",
  ],
  "how many conversations of a contact": [
    (tx) => conversations.countConversations(tx, tenant, { ...all, contactId: "p" }),
    "conversations_by_contact (contact_id=?)",
  ],
  "whether a tenant is an institution": [(tx) => tenants.isInstitution(tx, tenant.tenantId), "tenants_1 (id=?)"],
};

describe("the query for", () => {
  testPlans(temp, PLANS);

  test("a page of a conversation merges two indexes in order, sorts nothing, and is counted in them alone", async () => {
    const halves = [
      "SEARCH messages USING COVERING INDEX messages_by_conversation (conversation_id=?)",
      "SEARCH received_messages USING COVERING INDEX received_by_conversation (conversation_id=?)",
    ] as const;
    expect(await planOf(temp, (tx) => received.pageOfConversation(tx, conversation, { limit: 9, offset: 9 }))).toEqual([
      "MERGE (UNION ALL)",
      "LEFT",
      halves[0],
      "RIGHT",
      halves[1],
      "SCAN CONSTANT ROW",
      "SCALAR SUBQUERY 2",
      "CO-ROUTINE (subquery-1)",
      halves[0],
      "SCAN (subquery-1)",
      "SCALAR SUBQUERY 4",
      "CO-ROUTINE (subquery-3)",
      halves[1],
      "SCAN (subquery-3)",
    ]);
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
