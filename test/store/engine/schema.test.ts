import { describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelId, ContactId, MessageId, SubscriptionId, TenantId } from "../../../src/kernel/ids.ts";
import { type Connection, openWriter } from "../../../src/store/engine/connection.ts";
import * as channelPages from "../../../src/store/tables/channels/channel-pages.ts";
import * as channels from "../../../src/store/tables/channels/channels.ts";
import * as identities from "../../../src/store/tables/channels/identities.ts";
import * as inbox from "../../../src/store/tables/channels/inbox.ts";
import * as keyStore from "../../../src/store/tables/channels/key-store.ts";
import * as upstream from "../../../src/store/tables/channels/upstream.ts";
import * as contactPages from "../../../src/store/tables/conversations/contact-pages.ts";
import * as contacts from "../../../src/store/tables/conversations/contacts.ts";
import * as attempts from "../../../src/store/tables/events/attempts.ts";
import * as events from "../../../src/store/tables/events/events.ts";
import * as subscriptions from "../../../src/store/tables/events/subscriptions.ts";
import * as waiting from "../../../src/store/tables/events/waiting-deliveries.ts";
import * as claims from "../../../src/store/tables/job-claims.ts";
import * as jobs from "../../../src/store/tables/jobs.ts";
import * as media from "../../../src/store/tables/media.ts";
import * as lookups from "../../../src/store/tables/messaging/lookups.ts";
import * as messages from "../../../src/store/tables/messaging/messages.ts";
import * as scheduled from "../../../src/store/tables/messaging/scheduled.ts";
import * as queues from "../../../src/store/tables/queues.ts";
import { commonQueue } from "../../../src/store/tables/queues.ts";
import * as audit from "../../../src/store/tables/tenancy/audit.ts";
import * as keys from "../../../src/store/tables/tenancy/keys.ts";
import * as tenants from "../../../src/store/tables/tenancy/tenants.ts";
import { makeMigrated } from "../../support/databases/migrated.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";
import { tenantRow } from "../../support/tenants/tenant-row.ts";

const temp = tempDatabases();

const migrated = (): Connection => {
  const path = temp.path();
  makeMigrated(path);
  return temp.keep(openWriter(path));
};

describe("the schema", () => {
  test("has only STRICT tables, so that a column holds only values of its type", () => {
    const tables = migrated()
      .prepare(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE " +
          "'sqlite_%'",
      )
      .rows([]);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter(([, isStrict]) => isStrict !== 1)).toEqual([]);
  });

  test("refuses a text where a number belongs", () => {
    expect(() => migrated().prepare("INSERT INTO cron_runs (name, at) VALUES ('x', 'soon')").run([])).toThrow(
      "cannot store TEXT value in INTEGER column",
    );
  });

  test("indexes every foreign key, because deletes of the parent would otherwise read every row", () => {
    const writer = migrated();
    const referring = writer
      .prepare(
        "SELECT m.name, f.\"from\" FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
      )
      .rows([]) as [string, string][];
    const leads = (table: string, column: string) =>
      valueOf(
        writer,
        "SELECT count(*) FROM pragma_index_list(?1) l, pragma_index_info(l.name) i WHERE i.seqno = 0 AND i.name " +
          "= ?2 AND l.partial = 0",
        [table, column],
      );
    const bare = referring.filter(([table, column]) => leads(table, column) === 0);
    expect(referring.length).toBeGreaterThan(2);
    expect(bare).toEqual([]);
  });
});

const tenant = { tenantId: "t" as TenantId, environment: "live" } as const;
const ofTestKey = { ...tenant, environment: "test" } as const;
const channel = "c" as ChannelId;
const message = "m" as MessageId;
const subscription = "s" as SubscriptionId;
const native = "k" as ProviderMessageId;
const contact = "p" as ContactId;
const page = { limit: 9, offset: 9 };
const old = { after: "a", beforeId: "b", limit: 9 };
const allActs = { tenantId: undefined, action: undefined, beforeId: undefined, limit: 9 };
const allEvents = {
  audience: "gateway",
  type: undefined,
  channelId: undefined,
  beforeSeq: undefined,
  limit: 50,
};
const allScheduled = {
  status: undefined,
  channelId: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
  limit: 50,
};
const job = {
  kind: "k",
  queue: commonQueue("l"),
  concurrencyLimit: 2,
  priority: 1,
  payload: "{}",
  payloadVersion: 1,
  uniqueKey: "u",
  runAt: 1,
  createdAt: 1,
};
const claimed = {
  id: 1,
  kind: "k",
  queue: "l",
  payload: "{}",
  payloadVersion: 1,
  claims: 1,
  attempts: 1,
  crashes: 0,
  runAt: 1,
  createdAt: 1,
  owner: "b",
};

const part = { before: 9, limit: 9 };
const PLANS: Plans = {
  "events of a tenant": [(tx) => events.listEvents(tx, tenant, allEvents), "events_by_tenant (tenant_id=?)"],
  "events of a tenant, next page": [
    (tx) => events.listEvents(tx, tenant, { ...allEvents, beforeSeq: 9 }),
    "events_by_tenant (tenant_id=? AND seq<?)",
  ],
  "events after": [
    (tx) => events.listEventsAfter(tx, tenant, { seq: 1, limit: 9 }),
    "events_by_tenant (tenant_id=? AND seq>?)",
  ],
  "an event": [
    (tx) => events.findEvent(tx, tenant, { audience: "gateway", id: "e" }),
    "events_by_id (id=? AND audience=?)",
  ],
  "an event by its number": [(tx) => events.findEventBySeq(tx, tenant, 1), "PRIMARY KEY (rowid=?)"],
  "a delivery": [(tx) => events.findDelivery(tx, tenant, "d"), "deliveries_1 (id=?)"],
  "a delivery with its event": [
    (tx) => events.loadDelivery(tx, "d"),
    "deliveries_1 (id=?)",
    "PRIMARY KEY (rowid=?)",
    "tenants_1 (id=?)",
    "subscriptions_1 (id=?)",
  ],
  "deliveries of events": [(tx) => events.listDeliveries(tx, tenant, [1, 2]), "deliveries_by_event (event_seq=?)"],
  "administrative acts": [
    (tx) => audit.listEntries(tx, { ...allActs, beforeId: 9 }),
    "audit_entries USING INTEGER PRIMARY KEY (rowid<?)",
  ],
  "administrative acts of a tenant": [
    (tx) => audit.listEntries(tx, { ...allActs, tenantId: "t", beforeId: 9 }),
    "audit_entries_by_tenant (tenant_id=? AND id<?)",
  ],
  "administrative acts of a kind": [
    (tx) => audit.listEntries(tx, { ...allActs, action: "a", beforeId: 9 }),
    "audit_entries_by_action (action=? AND id<?)",
  ],
  "the audit log in its order": [
    (tx) => audit.listEntriesAfter(tx, { afterId: 9, limit: 9 }),
    "audit_entries USING INTEGER PRIMARY KEY (rowid>?)",
  ],
  attempts: [
    (tx) => attempts.listAttempts(tx, subscription, { isDelivered: undefined, limit: 9, offset: 0 }),
    "attempts_by_subscription (subscription_id=?)",
  ],
  "attempts that failed": [
    (tx) => attempts.listAttempts(tx, subscription, { isDelivered: false, limit: 9, offset: 0 }),
    "attempts_failed (subscription_id=?)",
  ],
  "how many attempts": [
    (tx) => attempts.passAttempts(tx, subscription, { isDelivered: undefined }, part),
    "COVERING INDEX attempts_by_subscription (subscription_id=? AND id<?)",
  ],
  "how many attempts were delivered": [
    (tx) => attempts.passAttempts(tx, subscription, { isDelivered: true }, part),
    "COVERING INDEX attempts_by_subscription (subscription_id=? AND id<?)",
    "COVERING INDEX attempts_failed (subscription_id=? AND id<?)",
  ],
  "how many attempts failed": [
    (tx) => attempts.passAttempts(tx, subscription, { isDelivered: false }, part),
    "COVERING INDEX attempts_failed (subscription_id=? AND id<?)",
  ],
  "what waits for an endpoint": [
    (tx) => waiting.listWaiting(tx, subscription, { afterSeq: 1, minAttempts: 0, limit: 9 }),
    "deliveries_waiting (subscription_id=? AND event_seq>?)",
  ],
  "the paused deliveries of a subscription": [
    (tx) => waiting.listPaused(tx, subscription, 9),
    "deliveries_paused (subscription_id=?)",
  ],
  "the paused deliveries of a deleted subscription": [
    (tx) => waiting.deletePaused(tx, subscription, 9),
    "deliveries_paused (subscription_id=?)",
    "deliveries_1 (id=?)",
  ],
  "old events": [
    (tx) => events.pruneEvents(tx, events.FIRST_EVENT, { finishedBefore: 2, anyBefore: 1, limit: 9 }),
    "events_by_age (created_at>? AND created_at<?)",
  ],
  "old attempts": [(tx) => attempts.pruneAttempts(tx, 1, 9), "attempts_by_age (at<?)"],
  "the first event of a day": [(tx) => events.firstEventSince(tx, 1), "events_by_age (created_at>?)"],
  "events of a tenant, of a type": [
    (tx) => events.listEvents(tx, tenant, { ...allEvents, type: "message:status" }),
    "events_by_type (tenant_id=? AND audience=? AND type=?)",
  ],
  "events of a tenant, of a channel": [
    (tx) => events.listEvents(tx, tenant, { ...allEvents, channelId: "c" }),
    "events_by_channel (tenant_id=? AND channel_id=?)",
  ],
  "the logs of a webhook": [
    (tx) => attempts.deleteAttempts(tx, subscription, 9),
    "attempts_by_subscription (subscription_id=?)",
  ],
  "channels of a tenant": [(tx) => channels.listChannels(tx, tenant), "channels_by_tenant (tenant_id=?)"],
  "channels of a tenant, without some kinds": [
    (tx) => channels.listChannels(tx, tenant, ["SESSION"]),
    "channels_by_tenant (tenant_id=?)",
  ],
  "channels before one of them": [
    (tx) => channelPages.listChannelsBefore(tx, tenant, { before: "c", ids: undefined, limit: 9 }),
    "channels_by_tenant (tenant_id=? AND id<?)",
  ],
  "channels by their ids": [
    (tx) => channelPages.listChannelsBefore(tx, tenant, { before: undefined, ids: ["c", "d"], limit: 9 }),
    "channels_by_tenant (tenant_id=? AND id=?)",
  ],
  "webhooks of some phones": [
    (tx) => subscriptions.listPhoneSubscriptions(tx, tenant, [channel]),
    "subscriptions_by_channel (channel_id=?)",
  ],
  "a channel": [(tx) => channels.findChannel(tx, tenant, "c"), "channels_1 (id=?)"],
  "channels by number": [
    (tx) => channels.findChannelsByRoute(tx, "WABA", { by: "number", id: "n" }),
    "channels_by_number (number_id=?)",
  ],
  "channels by account": [
    (tx) => channels.findChannelsByRoute(tx, "WABA", { by: "account", id: "n" }),
    "channels_by_account (account_id=?)",
  ],
  "channels that connect": [(tx) => channels.listConnecting(tx), "channels_by_state (state=?)", "channels_live"],
  "whether a channel has a verify token": [
    (tx) => channels.isVerifyToken(tx, "h"),
    "channels_by_verify_token (verify_token_hash=?)",
  ],
  "channels by verify token": [
    (tx) => channels.confirmVerifyToken(tx, "h"),
    "channels_by_verify_token (verify_token_hash=?)",
  ],
  "secrets of a channel": [(tx) => channels.readVault(tx, "c"), "vault_1 (channel_id=?)"],
  "a key store that is taken over": [
    (tx) => keyStore.takeKeyStore(tx, channel),
    "COVERING INDEX sqlite_autoindex_channels_1 (id=?)",
  ],
  "who owns a key store": [(tx) => keyStore.holdsKeyStore(tx, channel, 1), "key_stores_1 (channel_id=?)"],
  "keys of a key store": [
    (tx) => keyStore.readKeyStore(tx, channel, "session", ["a"]),
    "key_rows_1 (channel_id=? AND kind=? AND id=?)",
  ],
  "keys that are written and taken": [
    (tx) =>
      keyStore.writeKeyStore(tx, channel, [
        { kind: "k", id: "a", sealed: "s" },
        { kind: "k", id: "b", sealed: null },
      ]),
    "key_rows_1 (channel_id=? AND kind=? AND id=?)",
  ],
  "the end of a key store": [
    (tx) => keyStore.deleteKeyStore(tx, channel),
    "key_rows_1 (channel_id=?)",
    "key_stores_1 (channel_id=?)",
  ],
  "key rows that nobody needs": [
    (tx) => keyStore.pruneKeyRows(tx, 1, 9),
    "key_rows_by_expiry (expires_at>? AND expires_at<?)",
  ],
  "a copy": [
    (tx) => keyStore.findCopy(tx, channel, native),
    "cached_messages_1 (channel_id=? AND provider_message_id=?)",
  ],
  "old copies": [(tx) => keyStore.pruneCachedMessages(tx, 1, 9), "cached_messages_by_age (cached_at<?)"],
  "copies of a channel that is gone": [
    (tx) => keyStore.deleteCachedMessagesOf(tx, channel, 9),
    "cached_messages_1 (channel_id=?)",
  ],
  "a contact": [(tx) => contacts.findContact(tx, tenant, "p"), "contacts_id_unique (id=?)"],
  "a contact by number": [
    (tx) => contacts.findContactByNumber(tx, tenant, "5511999990001"),
    "contacts_by_number (tenant_id=? AND number_key=? AND environment=?)",
  ],
  "a contact by alias": [
    (tx) => contacts.findContactByAlias(tx, tenant, "lid:1"),
    "contacts_by_alias (tenant_id=? AND alias=? AND environment=?)",
  ],
  "the change of a contact": [
    (tx) => contacts.updateContact(tx, tenant, contact, { name: "x" }),
    "contacts_id_unique (id=?)",
  ],
  "the end of a contact": [(tx) => contacts.deleteContact(tx, tenant, "p"), "contacts_id_unique (id=?)"],
  "contacts of a tenant": [(tx) => contacts.listContacts(tx, tenant, page), "contacts_by_tenant (tenant_id=?)"],
  "contacts of a tenant, deep page": [
    (tx) => contacts.listContacts(tx, tenant, { ...page, before: 9 }),
    "contacts_by_tenant (tenant_id=? AND seq<?)",
  ],
  "where a deep page of contacts begins": [
    (tx) => contacts.passContacts(tx, tenant, part),
    "COVERING INDEX contacts_by_tenant (tenant_id=? AND seq<?)",
  ],
  "contacts of test keys": [(tx) => contacts.listContacts(tx, ofTestKey, page), "contacts_test (tenant_id=?)"],
  "how many contacts of test keys": [
    (tx) => contacts.passContacts(tx, ofTestKey, part),
    "COVERING INDEX contacts_test (tenant_id=? AND seq<?)",
  ],
  "contacts who opted out": [
    (tx) => contacts.listContacts(tx, tenant, { ...page, before: 9, optedOut: true }),
    "contacts_opted_out (tenant_id=? AND seq<?)",
  ],
  "how many contacts opted out": [
    (tx) => contacts.passContacts(tx, tenant, { ...part, optedOut: true }),
    "contacts_opted_out (tenant_id=? AND seq<?)",
  ],
  "contacts who did not opt out": [
    (tx) => contacts.listContacts(tx, tenant, { ...page, before: 9, optedOut: false }),
    "contacts_by_tenant (tenant_id=? AND seq<?)",
  ],
  "the place of a deleted contact": [
    (tx) => contactPages.placeOfContact(tx, tenant, contact),
    "contacts_by_tenant (tenant_id=? AND seq>? AND seq<?)",
  ],
  "contacts that are searched": [
    async (tx) => {
      await tenants.insertTenant(tx, tenantRow(tenant.tenantId));
      await contacts.insertContact(tx, {
        ...tenant,
        id: contact,
        phoneNumber: null,
        alias: null,
        name: "x",
        email: null,
        tags: [],
        metadata: {},
        createdAt: 1,
        updatedAt: 1,
      });
      await contacts.searchContacts({ read: (body) => body(tx) }, tenant, { limit: 9, offset: 0, search: "x" });
    },
    "contacts_search VIRTUAL TABLE INDEX 192:M1",
    "contacts_search VIRTUAL TABLE INDEX 0:M1",
    "COVERING INDEX contacts_by_tenant (tenant_id=? AND seq<?)",
    "contacts USING INTEGER PRIMARY KEY (rowid=?)",
  ],
  "keys of a tenant": [(tx) => keys.listKeys(tx, tenant, "gateway"), "api_keys_by_tenant (tenant_id=?)"],
  "a key": [(tx) => keys.findKey(tx, tenant, "gateway", "k"), "api_keys_1 (id=?)"],
  "a key by its hash": [
    (tx) => keys.findKeyByHash(tx, "gateway", "h"),
    "api_keys_hash_unique (hash=?)",
    "tenants_1 (id=?)",
  ],
  "a lookup": [(tx) => lookups.findLookup(tx, tenant, "l"), "lookups_1 (id=?)"],
  "the answer to a lookup": [(tx) => lookups.answerLookup(tx, "l", []), "lookups_1 (id=?)"],
  "the end of a lookup": [(tx) => lookups.deleteLookup(tx, "l"), "lookups_1 (id=?)"],
  "lookups of a channel that is gone": [
    (tx) => lookups.deleteLookupsOf(tx, channel, 9),
    "lookups_by_channel (channel_id=?)",
  ],
  "old lookups": [(tx) => lookups.pruneLookups(tx, 1, 9), "lookups_by_age (expires_at<?)"],
  "a medium": [(tx) => media.findMedia(tx, tenant, "m"), "media_1 (id=?)"],
  "media that expire": [(tx) => media.expireMedia(tx, 1, 9), "media_by_expiry (expires_at<?)", "media_1 (id=?)"],
  "media of a channel": [
    (tx) => media.deleteMediaOf(tx, channel, 9),
    "media_by_channel (channel_id=?)",
    "media_1 (id=?)",
  ],
  "old media": [(tx) => media.pruneMedia(tx, 1, 9), "media_deleted (created_at<?)", "media_1 (id=?)"],
  "a message": [(tx) => messages.findMessage(tx, tenant, "m"), "messages_1 (id=?)"],
  "a message by its provider message id": [
    (tx) => messages.findMessageByProviderId(tx, channel, native),
    "messages_by_provider_message_id (channel_id=? AND provider_message_id=?)",
  ],
  "a message that is known to the network": [
    (tx) => messages.findKnown(tx, channel, "m"),
    "messages_1 (id=?)",
    "inbox_by_message (message_id=?)",
  ],
  "messages to somebody whose outcome is uncertain": [
    (tx) => messages.listUncertain(tx, { channelId: channel, recipient: "igsid:1" }, 9),
    "messages_uncertain (channel_id=? AND recipient=?)",
  ],
  "an id by its provider message id": [
    (tx) => messages.findIdOfKey(tx, channel, native),
    "messages_by_provider_message_id (channel_id=? AND provider_message_id=?)",
    "inbox_1 (channel_id=? AND provider_message_id=?)",
  ],
  "an identity by each of its names": [
    async (tx) => {
      for (const name of identities.NAMES) await identities.findIdentity(tx, channel, [name, "x"]);
    },
    ...["bsuid", "lid", "igsid", "uid", "pn", "parent_bsuid", "username"].map(
      (name) => `identities_by_${name} (channel_id=? AND ${name}=?)`,
    ),
  ],
  "the change of an identity": [(tx) => identities.updateIdentity(tx, 1, { pn: "1" }), "PRIMARY KEY (rowid=?)"],
  "identities of a channel that is gone": [
    (tx) => identities.deleteIdentitiesOf(tx, channel, 9),
    "identities_by_channel (channel_id=?)",
  ],
  "a received message": [
    (tx) => inbox.findInbound(tx, channel, native),
    "inbox_1 (channel_id=? AND provider_message_id=?)",
  ],
  "a placeholder": [
    (tx) => inbox.fillPlaceholder(tx, { channelId: channel, providerMessageId: native }),
    "inbox_1 (channel_id=? AND provider_message_id=?)",
  ],
  "the inbox of a channel that is gone": [(tx) => inbox.deleteInboxOf(tx, channel, 9), "inbox_1 (channel_id=?)"],
  "what a message costs": [
    (tx) => messages.recordPricing(tx, message, { isBillable: true, category: "utility" }),
    "messages_1 (id=?)",
  ],
  "old inbox": [
    (tx) => messages.pruneMessages(tx, 1, 1, 9),
    "idempotency_keys_by_expiry (expires_at<?)",
    "scheduled_1 (id=?)",
    "inbox_by_age (received_at<?)",
  ],
  "a scheduled message": [(tx) => scheduled.findScheduled(tx, tenant, "s"), "scheduled_1 (id=?)"],
  "a scheduled message with its account": [
    (tx) => scheduled.loadScheduled(tx, "s"),
    "scheduled_1 (id=?)",
    "tenants_1 (id=?)",
  ],
  "the change of a scheduled message": [
    (tx) => scheduled.updateScheduled(tx, "s", ["PENDING"], { status: "CANCELED" }),
    "scheduled_1 (id=?)",
  ],
  "scheduled messages": [
    (tx) => scheduled.listScheduled(tx, tenant, allScheduled),
    "scheduled_by_tenant (tenant_id=?)",
  ],
  "scheduled messages, next page": [
    (tx) => scheduled.listScheduled(tx, tenant, { ...allScheduled, cursor: "s" }),
    "scheduled_by_tenant (tenant_id=? AND id<?)",
  ],
  "scheduled messages between two times": [
    (tx) => scheduled.listScheduled(tx, tenant, { ...allScheduled, from: 1, to: 2 }),
    "scheduled_by_tenant (tenant_id=?)",
  ],
  "scheduled messages of a channel, next page": [
    (tx) => scheduled.listScheduled(tx, tenant, { ...allScheduled, channelId: "c", cursor: "s" }),
    "scheduled_by_channel (tenant_id=? AND channel_id=? AND id<?)",
  ],
  "scheduled messages of a status and a channel, next page": [
    (tx) =>
      scheduled.listScheduled(tx, tenant, { ...allScheduled, status: "SENT", channelId: "c", from: 1, cursor: "s" }),
    "scheduled_by_status (tenant_id=? AND status=? AND id<?)",
  ],
  "what is scheduled for a channel that goes": [
    (tx) => scheduled.cancelScheduledOf(tx, { ...tenant, id: channel }, { atMs: 1, keysUntil: 2 }),
    "scheduled_by_status (tenant_id=? AND status=?)",
  ],
  "old schedules": [(tx) => scheduled.pruneScheduled(tx, 1, 9), "scheduled_finished (updated_at<?)"],
  "the change of a message": [
    (tx) => messages.updateMessage(tx, message, ["QUEUED"], { failedReason: "x" }),
    "messages_1 (id=?)",
  ],
  "old messages": [
    (tx) => messages.pruneSent(tx, { ...old, endedBefore: 1, awaitedBefore: 1 }),
    "messages_1 (id>? AND id<?)",
  ],
  "a day's sends": [(tx) => tenants.listDailySends(tx, tenant.tenantId, 1), "daily_sends_1 (tenant_id=? AND day=?)"],
  "subscriptions of a tenant": [
    (tx) => subscriptions.listSubscriptions(tx, tenant, { audience: "gateway", kind: "shared" }),
    "subscriptions_by_tenant (tenant_id=?)",
  ],
  "the subscriptions that may get an account's event": [
    (tx) => subscriptions.listConcerned(tx, { ...tenant, channel: null }, { after: "s", limit: 9 }),
    "subscriptions_by_tenant (tenant_id=? AND id>?)",
  ],
  "the subscriptions that may get a channel's event": [
    (tx) =>
      subscriptions.listConcerned(
        tx,
        { ...tenant, channel: { id: channel, sharedWebhookId: subscription, formerWebhookId: null } },
        { after: "s", limit: 9 },
      ),
    "subscriptions_of_account (tenant_id=? AND id>?)",
    "subscriptions_by_channel (channel_id=?)",
    "subscriptions_1 (id=?)",
    "subscriptions_wide (tenant_id=? AND id>?)",
  ],
  "whether a queue has work": [(tx) => queues.hasJobs(tx, "l"), "queues_1 (key=?)"],
  "a phone's subscription": [
    (tx) => subscriptions.findPhoneSubscription(tx, tenant, channel),
    "subscriptions_by_channel (channel_id=?)",
  ],
  "old envelopes": [
    (tx) => upstream.pruneEnvelopes(tx, 1, 9),
    "upstream_envelopes_by_age (received_at<?)",
    "jobs_unique (unique_key=?)",
  ],
  "the next due job": [(tx) => claims.nextDueAt(tx), "queues_due (next_at>?)"],
  "due queues, claim heads, the next head": [
    (tx) => (jobs.insertJob(tx, job), claims.claimJobs(tx, { owner: "b", nowMs: 9, limit: 9 })),
    "queues_due (next_at>? AND next_at<?)",
    "jobs_waiting (queue=? AND priority=? AND run_at<?)",
    "jobs_waiting (queue=? AND priority=?)",
    "queues_1 (key=?)",
  ],
  "the end of a job": [
    (tx) => (jobs.deleteJob(tx, claimed), jobs.retryJob(tx, claimed, { runAt: 1, error: null })),
    "PRIMARY KEY (rowid=?)",
  ],
  "a held queue": [
    (tx) => queues.pauseQueue(tx, "l", 9, "away"),
    "queues_1 (key=?)",
    "jobs_waiting (queue=? AND priority=?)",
  ],
  "a cancelled job": [(tx) => jobs.cancelJob(tx, { uniqueKey: "u", kind: job.kind }), "jobs_unique (unique_key=?)"],
  "a dropped job, a dropped queue": [
    (tx) => (jobs.dropJob(tx, { uniqueKey: "u", kind: job.kind }), queues.dropQueue(tx, "l")),
    "jobs_unique (unique_key=?)",
    "jobs_waiting (queue=?)",
    "queues_1 (key=?)",
  ],
  "poison candidates": [(tx) => claims.listPoisonCandidates(tx, 3, "b"), "jobs_crashed (crashes>?)"],
};

describe("the query for", () => {
  testPlans(temp, PLANS);
});
