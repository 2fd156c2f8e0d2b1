import { describe } from "bun:test";
import type { ChannelId, ConversationId, MessageId, SubscriptionId, TenantId } from "../../../src/kernel/ids.ts";
import * as channels from "../../../src/store/tables/channels/channels.ts";
import * as log from "../../../src/store/tables/conversations/message-log.ts";
import * as attempts from "../../../src/store/tables/events/attempts.ts";
import * as pages from "../../../src/store/tables/events/delivery-pages.ts";
import * as events from "../../../src/store/tables/events/events.ts";
import * as waiting from "../../../src/store/tables/events/waiting-deliveries.ts";
import * as health from "../../../src/store/tables/events/webhook-health.ts";
import * as jobs from "../../../src/store/tables/jobs.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const subscription = "s" as SubscriptionId;
const tenant = { tenantId: "t" as TenantId };

const PLANS: Plans = {
  "whether a delivery must wait for an earlier one of its chat": [
    (tx) => waiting.hasEarlier(tx, { subscriptionId: subscription, chat: "c" }, 9),
    "deliveries_of_chat (subscription_id=? AND chat=? AND event_seq<?)",
  ],
  "the delivery that comes next in a chat": [
    (tx) => waiting.firstOfChat(tx, { subscriptionId: subscription, chat: "c" }),
    "deliveries_of_chat (subscription_id=? AND chat=?)",
  ],
  "an attempt of a subscription by its id": [
    (tx) => attempts.findAttemptSeq(tx, subscription, "01a1f8d3-ea00-4000-8000-000000000000"),
    "attempts_by_age (at>? AND at<?)",
  ],
  "a page of the attempts of a subscription": [
    (tx) => attempts.listAttempts(tx, subscription, { isDelivered: undefined, limit: 9, offset: 0, beforeSeq: 9 }),
    "attempts_by_subscription (subscription_id=? AND id<?)",
  ],
  "dead letters of a tenant, next page": [
    (tx) => pages.sliceInStatus(tx, tenant, "DEAD", { after: { eventSeq: 9, id: "d" }, limit: 9 }),
    "deliveries_dead_by_tenant (tenant_id=? AND event_seq<?)",
    "PRIMARY KEY (rowid=?)",
    "subscriptions_1 (id=?)",
  ],
  "dead letters of all, next page": [
    (tx) => pages.sliceInStatus(tx, EVERY_TENANT, "DEAD", { after: { eventSeq: 9, id: "d" }, limit: 9 }),
    "deliveries_dead (event_seq<?)",
    "PRIMARY KEY (rowid=?)",
    "subscriptions_1 (id=?)",
  ],
  "waiting deliveries of a tenant": [
    (tx) => pages.sliceInStatus(tx, tenant, "PENDING", { after: { eventSeq: 9, id: "d" }, limit: 9 }),
    "deliveries_pending (tenant_id=? AND event_seq<?)",
    "PRIMARY KEY (rowid=?)",
    "subscriptions_1 (id=?)",
  ],
  "paused deliveries of a tenant": [
    (tx) => pages.sliceInStatus(tx, tenant, "PAUSED", { after: { eventSeq: 9, id: "d" }, limit: 9 }),
    "deliveries_paused_by_tenant (tenant_id=? AND event_seq<?)",
    "PRIMARY KEY (rowid=?)",
    "subscriptions_1 (id=?)",
  ],
  "the newest events of a tenant": [
    (tx) =>
      pages.sliceOfAll(tx, { tenantId: "t", channelId: undefined }, { after: { eventSeq: 9, id: "d" }, limit: 9 }),
    "events_by_tenant (tenant_id=? AND seq<?)",
  ],
  "the newest events of a phone": [
    (tx) => pages.sliceOfAll(tx, { tenantId: "t", channelId: "c" }, { after: { eventSeq: 9, id: "d" }, limit: 9 }),
    "events_by_channel (tenant_id=? AND channel_id=? AND seq<?)",
  ],
  "the deliveries of events with their webhooks": [
    (tx) => pages.deliveriesOfEvents(tx, tenant, [1, 2]),
    "deliveries_by_event (event_seq=?)",
    "PRIMARY KEY (rowid=?)",
    "subscriptions_1 (id=?)",
  ],
  "the events about a message": [
    (tx) => pages.listEventsOfMessage(tx, tenant, "m", 9),
    "events_by_message (message_id=?)",
  ],
  "the failed attempts of a delivery": [
    (tx) => attempts.listAttemptsOf(tx, { id: "d", deliveredAt: null }, 9),
    "attempts_failed_by_delivery (delivery_id=?)",
  ],
  "the attempt that delivered": [
    (tx) => attempts.listAttemptsOf(tx, { id: "d", deliveredAt: 1 }, 9),
    "attempts_failed_by_delivery (delivery_id=?)",
    "attempts_by_age (at=?)",
  ],
  "the job of a message": [
    (tx) => jobs.findJobState(tx, "message:m"),
    "jobs_unique (unique_key=?)",
    "queues_1 (key=?)",
  ],
  "the first message that was sent after another": [
    (tx) => log.firstSentAfter(tx, "c" as ConversationId, "m" as MessageId),
    "messages_by_conversation (conversation_id=? AND id>?)",
  ],
  "the newest attempts of a webhook": [
    (tx) => health.recentAttempts(tx, subscription, { afterSeq: 1, limit: 9 }),
    "attempts_by_subscription (subscription_id=? AND id>?)",
  ],
  "how many attempts a webhook has had": [
    (tx) => health.countOfWebhook(tx, "attempts", subscription, 1),
    "COVERING INDEX attempts_by_subscription (subscription_id=? AND id>?)",
  ],
  "how many attempts of a webhook failed": [
    (tx) => health.countOfWebhook(tx, "failed", subscription, 1),
    "COVERING INDEX attempts_failed (subscription_id=? AND id>?)",
  ],
  "how many deliveries wait for a webhook": [
    (tx) => health.countOfWebhook(tx, "waiting", subscription, 0),
    "COVERING INDEX deliveries_waiting (subscription_id=? AND event_seq>?)",
  ],
  "the webhooks of a tenant, next page": [
    (tx) => health.listWebhooks(tx, tenant, { before: "g", limit: 9 }),
    "subscriptions_by_tenant (tenant_id=? AND id<?)",
  ],
  "the dead letters of a tenant by webhook": [
    (tx) => health.deadByWebhook(tx, tenant, 9),
    "deliveries_dead_by_tenant (tenant_id=?)",
  ],
  "the end of a delivery that has arrived": [
    (tx) => events.endDelivered(tx, "d", { url: "u", statusCode: 200, at: 1 }),
    "deliveries_1 (id=?)",
  ],
  "which of given ids are channels": [
    (tx) => channels.listChannelIds(tx, tenant, ["a", "b"] as ChannelId[]),
    "COVERING INDEX channels_by_tenant (tenant_id=? AND id=?)",
  ],
};

describe("the deliveries of a webhook in strict order, and what it is limited to", () => {
  testPlans(temp, PLANS);
});
