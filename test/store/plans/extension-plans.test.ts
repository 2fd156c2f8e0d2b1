import { describe } from "bun:test";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelId, MessageId, TenantId } from "../../../src/kernel/ids.ts";
import * as agents from "../../../src/store/tables/ai/agents.ts";
import * as ai from "../../../src/store/tables/ai/ai-conversations.ts";
import * as knowledge from "../../../src/store/tables/ai/knowledge.ts";
import * as llm from "../../../src/store/tables/ai/llm.ts";
import * as tools from "../../../src/store/tables/ai/tools.ts";
import * as invoices from "../../../src/store/tables/billing/invoices.ts";
import * as calls from "../../../src/store/tables/calls.ts";
import * as holders from "../../../src/store/tables/conversations/holders.ts";
import * as groups from "../../../src/store/tables/groups.ts";
import * as earlyActs from "../../../src/store/tables/messaging/early-acts.ts";
import * as keyedRequests from "../../../src/store/tables/tenancy/keyed-requests.ts";
import * as mails from "../../../src/store/tables/tenancy/mails.ts";
import * as tenants from "../../../src/store/tables/tenancy/tenants.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const tenant = { tenantId: "t" as TenantId };
const channel = "c" as ChannelId;
const allTalks = { channelId: channel, status: undefined, beforeId: undefined, limit: 9 };
const SPENT = { ...tenant, day: 1, channelId: "c", conversationId: "" };
const RULES = {
  keywords: [],
  afterTurns: null,
  contextWindowTurns: 1,
  ragTopK: 0,
  conversationTtlDays: 1,
  greeting: null,
  builtInTools: [],
  respectsHours: false,
  closedText: null,
  transcribesVoice: false,
  speaks: false,
  voice: null,
  seesImages: false,
  seesDocuments: false,
  runsTrialsOnChange: false,
  dailyTokens: null,
  dailyTokensPerContact: null,
};
const AGENT = {
  id: "a",
  ...tenant,
  channelId: channel,
  systemPrompt: "p",
  model: "m",
  isEnabled: true,
  disabledAt: null,
  ...RULES,
  createdAt: 1,
  updatedAt: 1,
};
const old = { after: "a", beforeId: "b", limit: 9 };
const STRETCH = { from: 1, to: 9 };
const ACT = { kind: "revoked", key: "k" as ProviderMessageId, nativeId: "n", at: 1, from: {} } as const;
const CHUNK = {
  id: "c",
  channelId: channel,
  documentId: "d",
  position: 1,
  body: "b",
  vector: new Float32Array([1, 0]),
};
const RECORDING = { objectKey: "k", sizeBytes: 1, contentType: "audio/ogg", storedAt: 1 };

/** What each query of groups, calls, agents, and of acts that wait for their message, finds its rows by. */
const PLANS: Plans = {
  "acts that wait for a message": [
    (tx) => earlyActs.takeEarlyActs(tx, { channelId: channel, providerMessageId: "k" as ProviderMessageId, nowMs: 1 }),
    "early_acts_by_message (channel_id=? AND provider_message_id=?)",
  ],
  "acts whose message did not come": [
    (tx) => earlyActs.pruneEarlyActs(tx, 1, 9),
    "early_acts_by_expiry (expires_at<?)",
  ],
  "acts of a channel that is gone": [(tx) => earlyActs.deleteEarlyActsOf(tx, channel, 9), "channel_id=?"],
  "an act that has to wait": [
    (tx) =>
      earlyActs.keepEarlyAct(
        tx,
        {
          channelId: channel,
          environment: "live",
          providerMessageId: "k" as ProviderMessageId,
          actKey: "a",
          expiresAt: 1,
          act: ACT,
        },
        9,
      ),
    "early_acts_by_channel (channel_id=?)",
  ],
  "a group": [(tx) => groups.findGroup(tx, tenant, "00000000-0000-4000-8000-000000000000"), "groups_1 (id=?)"],
  "a group by the network's id": [
    (tx) => groups.findGroup(tx, tenant, "n"),
    "groups_by_upstream_id (tenant_id=? AND upstream_group_id=?)",
  ],
  "a group that the network reports": [
    (tx) => groups.findGroupByUpstreamId(tx, channel, "n"),
    "groups_by_upstream (channel_id=? AND upstream_group_id=?)",
  ],
  "a group that was asked for": [
    (tx) => groups.findGroupByRequest(tx, channel, "r"),
    "groups_by_request (channel_id=? AND request_id=?)",
  ],
  "groups of a channel": [
    (tx) => groups.listGroups(tx, channel, { withSuspended: false, beforeId: undefined, limit: 9 }),
    "groups_by_channel (channel_id=?)",
  ],
  "groups of a channel, next page": [
    (tx) => groups.listGroups(tx, channel, { withSuspended: true, beforeId: "g", limit: 9 }),
    "groups_by_channel (channel_id=? AND id<?)",
  ],
  "communities of a channel": [
    (tx) => groups.listCommunities(tx, channel, { beforeId: "g", limit: 9 }),
    "groups_by_channel (channel_id=? AND id<?)",
  ],
  "the change of a group": [(tx) => groups.updateGroup(tx, "g", { subject: "s" }), "groups_1 (id=?)"],
  "the end of a group": [(tx) => groups.deleteGroup(tx, "g"), "groups_1 (id=?)"],
  "groups of a channel that is gone": [
    (tx) => groups.deleteGroupsOf(tx, channel, 9),
    "groups_by_channel (channel_id=?)",
  ],
  "a call": [(tx) => calls.findCall(tx, tenant, "c"), "calls_1 (id=?)"],
  "a call by the network's id": [
    (tx) => calls.findCallByUpstreamId(tx, tenant, "u"),
    "calls_by_upstream_id (tenant_id=? AND upstream_call_id=?)",
  ],
  "a call of a channel by the network's id": [
    (tx) => calls.findCallOfChannel(tx, channel, "u"),
    "calls_by_upstream (channel_id=? AND upstream_call_id=?)",
  ],
  "calls of a tenant, next page": [
    (tx) => calls.listCalls(tx, tenant, { beforeId: "c", limit: 9 }),
    "calls_by_tenant (tenant_id=? AND id<?)",
  ],
  "calls of a channel": [
    (tx) => calls.listCalls(tx, tenant, { channelId: "c", limit: 9 }),
    "calls_by_channel (tenant_id=? AND channel_id=?)",
  ],
  "calls of a status, next page": [
    (tx) => calls.listCalls(tx, tenant, { status: "MISSED", beforeId: "c", limit: 9 }),
    "calls_by_status (tenant_id=? AND status=? AND id<?)",
  ],
  "calls of a channel and a status": [
    (tx) => calls.listCalls(tx, tenant, { channelId: "c", status: "MISSED", limit: 9 }),
    "calls_by_",
  ],
  "the change of a call": [
    (tx) =>
      Promise.all([
        calls.updateCall(tx, "c", ["RINGING"], { endReason: "x" }),
        calls.nameCall(tx, "c", "u"),
        calls.setRecording(tx, "c", RECORDING),
      ]),
    "calls_1 (id=?)",
  ],
  "old groups": [(tx) => groups.pruneGroups(tx, 1, 9), "groups_deleted (deleted_at>? AND deleted_at<?)"],
  "old calls": [(tx) => calls.pruneCalls(tx, old), "calls_1 (id>? AND id<?)"],
  "old mails": [(tx) => mails.pruneMails(tx, old), "mails_1 (id>? AND id<?)"],
  "old turns": [(tx) => ai.pruneAiTurns(tx, old), "ai_turns_1 (id>? AND id<?)"],
  "old conversations of agents": [
    (tx) => ai.pruneAiConversations(tx, 1, 9),
    "ai_conversations_closed (closed_at<?)",
    "ai_turns_by_conversation (conversation_id=?)",
  ],
  "old recordings": [
    (tx) => calls.takeOldRecordings(tx, { beforeId: "c", storedBefore: 1, limit: 9 }),
    "calls_recorded (id<?)",
  ],
  "recordings of a channel that is gone": [
    (tx) => calls.takeRecordingsOf(tx, channel, 9),
    "calls_by_upstream (channel_id=?",
  ],
  "a permission": [(tx) => calls.findPermission(tx, channel, "p"), "call_permissions_1 (channel_id=? AND peer=?)"],
  "the end of a permission": [
    (tx) => calls.deletePermission(tx, channel, "p"),
    "call_permissions_1 (channel_id=? AND peer=?)",
  ],
  "permissions of a channel that is gone": [
    (tx) => calls.deletePermissionsOf(tx, channel, 9),
    "call_permissions_1 (channel_id=?)",
  ],
  "who leads a conversation": [
    (tx) => holders.findHolder(tx, channel, ["p"]),
    "conversation_holders_1 (channel_id=? AND chat=?)",
  ],
  "who led conversations of a channel that is gone": [
    (tx) => holders.deleteHoldersOf(tx, channel, 9),
    "conversation_holders_1 (channel_id=?)",
  ],
  "an agent": [(tx) => agents.findAgent(tx, tenant, channel), "agents_1 (channel_id=?)"],
  "what an agent knew and said": [
    (tx) => agents.forgetPast(tx, channel, 9),
    "ai_conversations_by_channel (channel_id=?)",
    "ai_turns_by_conversation (conversation_id=?)",
    "chunk_bits USING PRIMARY KEY (channel_id=?",
    "chunks_by_channel (channel_id=?)",
    "documents_by_channel (channel_id=?)",
  ],
  "an agent with its account": [(tx) => agents.loadAgent(tx, channel), "agents_1 (channel_id=?)", "tenants_1 (id=?)"],
  "an agent's conversation by its contact": [
    (tx) => ai.findAiConversation(tx, tenant, { channelId: channel, contactKey: "pn:1" }),
    "ai_conversations_by_contact (channel_id=? AND contact_key=?)",
  ],
  "an agent's conversation, and its change": [
    (tx) =>
      Promise.all([
        ai.findAiConversationById(tx, tenant, "c"),
        ai.updateAiConversation(tx, "c", ["AI"], { turnCount: 1 }),
      ]),
    "ai_conversations_1 (id=?)",
  ],
  "an agent's conversations": [
    (tx) => ai.listAiConversations(tx, tenant, allTalks),
    "ai_conversations_by_channel (channel_id=?)",
  ],
  "an agent's conversations, next page": [
    (tx) => ai.listAiConversations(tx, tenant, { ...allTalks, beforeId: "c" }),
    "ai_conversations_by_channel (channel_id=? AND id<?)",
  ],
  "an agent's conversations of a status, next page": [
    (tx) => ai.listAiConversations(tx, tenant, { ...allTalks, status: "AI", beforeId: "c" }),
    "ai_conversations_by_status (channel_id=? AND status=? AND id<?)",
  ],
  "conversations that are idle": [
    async (tx) => {
      await agents.putAgent(tx, AGENT);
      await ai.closeIdle(tx, { after: "", atMs: 9, limit: 9 });
    },
    "agents_1 (channel_id>?)",
    "ai_conversations_by_turn (channel_id=? AND status=? AND last_turn_at<?)",
  ],
  "the last turns": [(tx) => ai.listAiTurns(tx, "c", { limit: 9 }), "ai_turns_by_conversation (conversation_id=?)"],
  "the turns before one": [
    (tx) => ai.listAiTurns(tx, "c", { beforeId: "t", limit: 9 }),
    "ai_turns_by_conversation (conversation_id=? AND id<?)",
  ],
  "what was said last, and when the agent said anything": [
    (tx) => Promise.all([ai.lastUserTexts(tx, "c", { fromId: "t", limit: 9 }), ai.lastAnswerAt(tx, "c")]),
    "ai_turns_by_conversation (conversation_id=? AND id>?)",
    "ai_turns_by_conversation (conversation_id=?)",
  ],
  "whether a message is a turn": [(tx) => ai.isTurn(tx, "m" as MessageId), "ai_turns_by_sent (sent_message_id=?)"],
  "a turn": [(tx) => ai.findAiTurn(tx, "c", "t"), "(id=?)"],
  "how many turns there were": [
    (tx) => ai.countUserTurns(tx, "c", { fromId: "t", most: 9 }),
    "ai_turns_by_conversation (conversation_id=? AND id>?)",
  ],
  "a document": [
    (tx) =>
      Promise.all([
        knowledge.findDocument(tx, tenant, channel, "d"),
        knowledge.loadDocument(tx, tenant, "d"),
        knowledge.updateDocument(tx, "d", ["PENDING"], { title: "t" }),
      ]),
    "documents_1 (id=?)",
  ],
  "the documents of an agent": [
    (tx) => knowledge.listDocuments(tx, tenant, channel),
    "documents_by_channel (channel_id=?)",
  ],
  "the passages of answers": [
    (tx) => knowledge.findChunks(tx, channel, ["c"]),
    "c USING INDEX chunks_id_unique (id=?)",
    "d USING INDEX sqlite_autoindex_documents_1 (id=?)",
  ],
  "documents that name no model": [
    async (tx) => knowledge.nameLearntModel(tx, tenant, "m"),
    "documents_by_channel (channel_id=?)",
    "agents_by_tenant (tenant_id=?)",
  ],
  "the calls of a deleted message": [async (tx) => tools.emptyToolCalls(tx, "t"), "ai_tool_calls_by_turn (turn_id=?)"],
  "the tools of an agent, and their calls": [
    (tx) =>
      Promise.all([
        tools.listTools(tx, channel),
        tools.findTool(tx, tenant, channel, "t"),
        tools.deleteTool(tx, channel, "t"),
        tools.findToolCall(tx, "t", "k"),
        tools.listToolCalls(tx, ["t"]),
      ]),
    "agent_tools_by_name (channel_id=?)",
    "agent_tools_1 (id=?)",
    "ai_tool_calls_by_turn (turn_id=? AND call_key=?)",
    "ai_tool_calls_by_turn (turn_id=?)",
  ],
  "the end of a document": [(tx) => knowledge.deleteDocument(tx, tenant, channel, "d"), "documents_1 (id=?)"],
  "chunks of a document": [
    (tx) => (
      knowledge.indexChunks(tx, "d", STRETCH),
      Promise.all([knowledge.chunkBodies(tx, "d", STRETCH), knowledge.putChunks(tx, "d", STRETCH, [CHUNK])])
    ),
    "chunks_by_document (document_id=? AND position>? AND position<?)",
  ],
  "the end of chunks": [
    (tx) => knowledge.deleteChunks(tx, channel, "d", { from: 1, limit: 9 }),
    "chunk_bits USING PRIMARY KEY (channel_id=? AND seq=?)",
    "chunks_by_document (document_id=? AND position>?)",
  ],
  "the nearest chunks": [
    (tx) =>
      knowledge.nearestChunks({ read: (body) => body(tx) }, channel, { vector: CHUNK.vector, model: "m", limit: 9 }),
    "chunk_bits USING PRIMARY KEY (channel_id=? AND seq>?)",
    "chunk_bits USING PRIMARY KEY (channel_id=? AND seq=?)",
    "d USING INDEX documents_by_channel (channel_id=?)",
    "c USING COVERING INDEX chunks_by_document (document_id=?)",
    "c USING INTEGER PRIMARY KEY (rowid=?)",
    "d USING INDEX sqlite_autoindex_documents_1 (id=?)",
  ],
  "an account's provider": [(tx) => llm.findLlmSettings(tx, tenant), "llm_settings_1 (tenant_id=?)"],
  "tokens against a budget": [
    (tx) => (llm.addSpending(tx, SPENT, 1), Promise.all([llm.spentAt(tx, SPENT), llm.markSpent(tx, SPENT, 1)])),
    "llm_spending_1 (day=? AND tenant_id=? AND channel_id=? AND conversation_id=?)",
  ],
  "what was spent long ago": [(tx) => llm.pruneSpending(tx, 1, 9), "llm_spending_1 (day<?)"],
  "a request by its key": [(tx) => keyedRequests.findKeyedRequest(tx, "r", 1), "keyed_requests_1 (id=?)"],
  "requests whose keys have expired": [
    (tx) => keyedRequests.pruneKeyedRequests(tx, 1, 9),
    "keyed_requests_by_expiry (expires_at<?)",
  ],
  "tokens of a day": [
    (tx) => llm.addLlmUsage(tx, tenant, { day: 1, model: "m", calls: 1, promptTokens: 1, completionTokens: 1 }),
    "llm_usage_1 (tenant_id=? AND day=?)",
  ],
  "what an account has to pay": [(tx) => invoices.listUnpaid(tx, tenant, 9), "invoices_unpaid_by_tenant (tenant_id=?)"],
  "accounts that are late": [
    (tx) => invoices.listLate(tx, { day: "2026-11-20", after: "t", limit: 9 }),
    "invoices_unpaid_by_tenant (tenant_id>?)",
  ],
  "what becomes overdue": [
    (tx) => invoices.markOverdue(tx, tenant, { day: "2026-11-20", nowMs: 1 }),
    "invoices_unpaid_by_tenant (tenant_id=? AND due_date<?)",
  ],
  "accounts at a stage of dunning": [(tx) => tenants.listDunned(tx, { after: "t", limit: 9 }), "tenants_dunned (id>?)"],
  "the state of an account": [(tx) => tenants.findAccountState(tx, tenant.tenantId), "tenants_1 (id=?)"],
  "a mail": [
    (tx) => (mails.findMail(tx, tenant, "m"), mails.updateMail(tx, "m", { sentAt: 1, lastError: null })),
    "mails_1 (id=?)",
  ],
};

describe("the query for", () => {
  testPlans(temp, PLANS);
});
