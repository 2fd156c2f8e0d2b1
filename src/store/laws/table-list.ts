import { agentsLaws } from "../tables/ai/agents.ts";
import { aiConversationsLaws, aiTurnsLaws } from "../tables/ai/ai-conversations.ts";
import { chunkBitsLaws, chunksLaws, documentsLaws } from "../tables/ai/knowledge.ts";
import { llmSettingsLaws, llmSpendingLaws, llmUsageLaws } from "../tables/ai/llm.ts";
import { agentToolsLaws, aiToolCallsLaws } from "../tables/ai/tools.ts";
import { trialResultsLaws, trialRunsLaws, trialSetsLaws } from "../tables/ai/trials.ts";
import { chargeDaysLaws, reportedChargesLaws } from "../tables/billing/charges.ts";
import { invoicesLaws } from "../tables/billing/invoices.ts";
import { plansLaws } from "../tables/billing/plans.ts";
import { billingCustomersLaws, processorEventsLaws } from "../tables/billing/processor.ts";
import { chargeWindowsLaws, usageConversationsLaws, usageDaysLaws } from "../tables/billing/usage.ts";
import { callPermissionsLaws, callsLaws } from "../tables/calls.ts";
import { appNumberLaws } from "../tables/channels/app-numbers.ts";
import { channelsLaws, vaultLaws } from "../tables/channels/channels.ts";
import { chatwootChatsLaws, chatwootMessagesLaws } from "../tables/channels/chatwoot.ts";
import { identitiesLaws } from "../tables/channels/identities.ts";
import { inboxLaws } from "../tables/channels/inbox.ts";
import { cachedMessagesLaws, keyRowsLaws, keyStoresLaws } from "../tables/channels/key-store.ts";
import { pairingLinksLaws } from "../tables/channels/pairing-links.ts";
import { passkeyLinksLaws } from "../tables/channels/passkey-links.ts";
import { upstreamEnvelopesLaws } from "../tables/channels/upstream.ts";
import { storedItemsLaws, tenantCountsLaws } from "../tables/collections.ts";
import { cannedRepliesLaws } from "../tables/conversations/canned-replies.ts";
import { chatLabelsLaws, chatStatesLaws, labelsLaws } from "../tables/conversations/chat-states.ts";
import { contactsLaws, contactsSearchLaws } from "../tables/conversations/contacts.ts";
import { conversationsLaws } from "../tables/conversations/conversations.ts";
import { conversationHoldersLaws } from "../tables/conversations/holders.ts";
import { messageLabelsLaws } from "../tables/conversations/message-labels.ts";
import { receivedMessagesLaws } from "../tables/conversations/received.ts";
import { cronRunsLaws } from "../tables/cron.ts";
import { erasuresLaws } from "../tables/erasures.ts";
import { attemptsLaws } from "../tables/events/attempts.ts";
import { deliveriesLaws, eventsLaws } from "../tables/events/events.ts";
import { subscriptionsLaws } from "../tables/events/subscriptions.ts";
import { groupsLaws } from "../tables/groups.ts";
import { discardedJobsLaws, jobsLaws } from "../tables/jobs.ts";
import { leasesLaws } from "../tables/leases.ts";
import { mediaLaws } from "../tables/media.ts";
import { batchRecipientsLaws } from "../tables/messaging/batch-recipients.ts";
import { batchesLaws } from "../tables/messaging/batches.ts";
import { businessHoursLaws } from "../tables/messaging/business-hours.ts";
import { earlyActsLaws } from "../tables/messaging/early-acts.ts";
import { fallbacksLaws } from "../tables/messaging/fallbacks.ts";
import { flowsLaws } from "../tables/messaging/flows.ts";
import { historyImportItemsLaws, historyImportsLaws } from "../tables/messaging/history-imports.ts";
import { lookupsLaws } from "../tables/messaging/lookups.ts";
import { messageActsLaws } from "../tables/messaging/message-acts.ts";
import { idempotencyKeysLaws, messagesLaws } from "../tables/messaging/messages.ts";
import { scheduledLaws } from "../tables/messaging/scheduled.ts";
import { templatesLaws } from "../tables/messaging/templates.ts";
import { metaLaws, migrationsLaws } from "../tables/meta.ts";
import { processesLaws } from "../tables/nodes.ts";
import { queuesLaws } from "../tables/queues.ts";
import type { TableLaws } from "../tables/table-laws.ts";
import { activityHoursLaws } from "../tables/tenancy/activity.ts";
import { auditEntriesLaws } from "../tables/tenancy/audit.ts";
import { consolePeopleLaws, passkeysLaws } from "../tables/tenancy/console-people.ts";
import { consoleSessionsLaws, signInStepsLaws } from "../tables/tenancy/console-sessions.ts";
import { departedChannelsLaws } from "../tables/tenancy/departed.ts";
import { invitationsLaws } from "../tables/tenancy/invitations.ts";
import { keyedRequestsLaws } from "../tables/tenancy/keyed-requests.ts";
import { apiKeysLaws } from "../tables/tenancy/keys.ts";
import { mailsLaws } from "../tables/tenancy/mails.ts";
import { operatorLinksLaws, operatorsLaws } from "../tables/tenancy/operators.ts";
import { rateWindowsLaws } from "../tables/tenancy/rate-windows.ts";
import { dailySendsLaws, tenantsLaws } from "../tables/tenancy/tenants.ts";
import { userLinksLaws } from "../tables/tenancy/user-links.ts";
import { userSessionsLaws } from "../tables/tenancy/user-sessions.ts";
import { membersLaws, usersLaws } from "../tables/tenancy/users.ts";
import { alertNoticesLaws, troublesLaws } from "../tables/troubles.ts";
import { wrappedKeysLaws } from "../tables/wrapped-keys.ts";

/**
 * TABLE: the laws of every table, in the order in which old rows go. The other files of this room, core/retention.ts
 * and `npm run list -- tables` follow from it.
 */
export const TABLE_LAWS: readonly TableLaws[] = [
  messagesLaws,
  receivedMessagesLaws,
  messageActsLaws,
  messageLabelsLaws,
  chatwootMessagesLaws,
  fallbacksLaws,
  callsLaws,
  departedChannelsLaws,
  inboxLaws,
  earlyActsLaws,
  idempotencyKeysLaws,
  keyedRequestsLaws,
  cachedMessagesLaws,
  scheduledLaws,
  lookupsLaws,
  upstreamEnvelopesLaws,
  eventsLaws,
  deliveriesLaws,
  attemptsLaws,
  conversationsLaws,
  aiToolCallsLaws,
  aiTurnsLaws,
  aiConversationsLaws,
  contactsLaws,
  contactsSearchLaws,
  identitiesLaws,
  mediaLaws,
  storedItemsLaws,
  batchesLaws,
  batchRecipientsLaws,
  usageDaysLaws,
  activityHoursLaws,
  usageConversationsLaws,
  chargeDaysLaws,
  reportedChargesLaws,
  llmSpendingLaws,
  llmUsageLaws,
  dailySendsLaws,
  chargeWindowsLaws,
  processorEventsLaws,
  invoicesLaws,
  billingCustomersLaws,
  auditEntriesLaws,
  erasuresLaws,
  mailsLaws,
  troublesLaws,
  alertNoticesLaws,
  jobsLaws,
  discardedJobsLaws,
  cronRunsLaws,
  queuesLaws,
  rateWindowsLaws,
  processesLaws,
  leasesLaws,
  groupsLaws,
  keyRowsLaws,
  subscriptionsLaws,
  templatesLaws,
  conversationHoldersLaws,
  chatStatesLaws,
  labelsLaws,
  chatLabelsLaws,
  chatwootChatsLaws,
  historyImportItemsLaws,
  historyImportsLaws,
  callPermissionsLaws,
  channelsLaws,
  keyStoresLaws,
  vaultLaws,
  appNumberLaws,
  flowsLaws,
  cannedRepliesLaws,
  agentsLaws,
  agentToolsLaws,
  documentsLaws,
  chunksLaws,
  chunkBitsLaws,
  trialSetsLaws,
  trialRunsLaws,
  trialResultsLaws,
  tenantsLaws,
  usersLaws,
  invitationsLaws,
  userLinksLaws,
  pairingLinksLaws,
  passkeyLinksLaws,
  userSessionsLaws,
  operatorsLaws,
  operatorLinksLaws,
  consolePeopleLaws,
  passkeysLaws,
  consoleSessionsLaws,
  signInStepsLaws,
  membersLaws,
  tenantCountsLaws,
  apiKeysLaws,
  llmSettingsLaws,
  businessHoursLaws,
  plansLaws,
  wrappedKeysLaws,
  metaLaws,
  migrationsLaws,
];
