import { describe } from "bun:test";
import type { BatchId, ChannelId, MessageId, TenantId } from "../../../src/kernel/ids.ts";
import * as inbox from "../../../src/store/tables/channels/inbox.ts";
import * as recipients from "../../../src/store/tables/messaging/batch-recipients.ts";
import * as batches from "../../../src/store/tables/messaging/batches.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const tenant = { tenantId: "t" as TenantId, environment: "live" } as const;
const ofTestKey = { ...tenant, environment: "test" } as const;
const channel = "c" as ChannelId;
const message = "m" as MessageId;
const batch = "b" as BatchId;
const allBatches = { status: undefined, channelId: undefined, limit: 20, offset: 0 };
const part = { before: "b", limit: 9 };

const PLANS: Plans = {
  "a batch": [(tx) => batches.findBatch(tx, tenant, "b"), "batches_1 (id=?)"],
  "a batch with its institution": [(tx) => batches.loadBatch(tx, batch), "batches_1 (id=?)", "tenants_1 (id=?)"],
  "old batches": [(tx) => batches.pruneBatches(tx, 1, 9), "batches_finished (finished_at>? AND finished_at<?)"],
  "the change of a batch": [(tx) => batches.updateUnfinished(tx, batch, { status: "RUNNING" }), "batches_1 (id=?)"],
  batches: [(tx) => batches.listBatches(tx, tenant, allBatches), "batches_by_tenant (tenant_id=?)"],
  "batches of a status": [
    (tx) => batches.listBatches(tx, tenant, { ...allBatches, status: "QUEUED" }),
    "batches_by_status (tenant_id=? AND status=?)",
  ],
  "batches of a channel": [
    (tx) => batches.listBatches(tx, tenant, { ...allBatches, channelId: "c" }),
    "batches_by_channel (tenant_id=? AND channel_id=?)",
  ],
  "batches of a status and a channel": [
    (tx) => batches.listBatches(tx, tenant, { ...allBatches, status: "QUEUED", channelId: "c" }),
    "(tenant_id=? AND ",
  ],
  "batches of test keys": [
    (tx) => batches.listBatches(tx, ofTestKey, { ...allBatches, status: "QUEUED", channelId: "c" }),
    "batches_test (tenant_id=?)",
  ],
  "how many batches": [
    (tx) => batches.passBatches(tx, tenant, allBatches, part),
    "COVERING INDEX batches_by_tenant (tenant_id=? AND id<?)",
  ],
  "how many batches of a channel": [
    (tx) => batches.passBatches(tx, tenant, { ...allBatches, channelId: "c" }, part),
    "COVERING INDEX batches_by_channel (tenant_id=? AND channel_id=? AND id<?)",
  ],
  "how many batches of a channel are under way": [
    (tx) => batches.countUnfinished(tx, channel, "live"),
    "batches_running (channel_id=?)",
  ],
  "batches that wait": [
    (tx) => (batches.noteWaiting(tx, channel, 1), batches.endWaiting(tx, channel)),
    "batches_running (channel_id=?)",
  ],
  "the next batch on an account": [
    (tx) => batches.findNextOnAccount(tx, { ...tenant, accountId: "a", afterId: "b" }),
    "batches_by_tenant (tenant_id=? AND id>?)",
    "channels_1 (id=?)",
  ],
  "who gets messages of a batch": [
    (tx) => recipients.listReached(tx, batch, { after: 1, limit: 9 }),
    "batch_recipients_1 (batch_id=? AND position>?)",
  ],
  "who has written to a channel": [
    (tx) => inbox.sliceOfWriters(tx, channel, { receivedAt: 1, row: 1 }, 9),
    "inbox_by_age (received_at>?)",
  ],
  "batches of a channel that goes": [(tx) => batches.endBatchesOf(tx, channel, 1), "batches_running (channel_id=?)"],
  "whom a batch writes to next": [
    (tx) => recipients.findNextRecipient(tx, batch),
    "batch_recipients_by_status (batch_id=? AND status=?)",
  ],
  "a recipient of a batch": [
    (tx) => (
      recipients.queueRecipient(tx, { batchId: batch, position: 1 }, message),
      recipients.failRecipient(tx, { batchId: batch, position: 1 }, { code: "c", message: "m" })
    ),
    "batch_recipients_1 (batch_id=? AND position=?)",
  ],
  "a recipient by the message": [
    (tx) => recipients.settleRecipient(tx, message, "SENT"),
    "batch_recipients_by_message (message_id=?)",
  ],
  "the recipients of a batch that ends": [
    (tx) => recipients.cancelPending(tx, batch, 1000),
    "batch_recipients_by_status (batch_id=? AND status=?)",
  ],
  "the recipients of a batch that fails": [
    (tx) => recipients.failPending(tx, batch, { code: "c", message: "m", limit: 1000 }),
    "batch_recipients_by_status (batch_id=? AND status=?)",
  ],
  "messages of a batch that nobody has tried to send": [
    (tx) => recipients.listUntried(tx, batch),
    "batch_recipients_by_status (batch_id=? AND status=?)",
    "messages_1 (id=?)",
  ],
  "how many recipients are in which status": [
    (tx) => recipients.countRecipients(tx, [batch]),
    "COVERING INDEX batch_recipients_by_status (batch_id=?)",
  ],
  "the errors of a batch": [
    (tx) => recipients.listErrors(tx, batch, 1000),
    "batch_recipients_by_status (batch_id=? AND status=?)",
  ],
};

describe("the query for", () => {
  testPlans(temp, PLANS);
});
