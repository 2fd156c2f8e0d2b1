import { describe } from "bun:test";
import type { BatchId, TenantId } from "../../../src/kernel/ids.ts";
import { listNumbersOf, listRecipients } from "../../../src/store/tables/messaging/batch-recipients.ts";
import { listScheduled } from "../../../src/store/tables/messaging/scheduled.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const batch = "b" as BatchId;
const tenant = { tenantId: "t" as TenantId };
const allScheduled = { channelId: undefined, to: undefined, cursor: undefined, limit: 9 };

const plans: Plans = {
  "the recipients of a batch": [
    (tx) => listRecipients(tx, batch, { status: undefined, after: 5, limit: 9 }),
    "batch_recipients_1 (batch_id=? AND position>?)",
  ],
  "everybody of a batch": [(tx) => listNumbersOf(tx, batch), "batch_recipients_by_status (batch_id=?)"],
  "the recipients of a batch by their status": [
    (tx) => listRecipients(tx, batch, { status: "SENT", after: 5, limit: 9 }),
    "batch_recipients_by_status (batch_id=? AND status=? AND position>?)",
  ],
  "scheduled messages by the time of sending": [
    (tx) => listScheduled(tx, tenant, { ...allScheduled, sort: "scheduledAt", status: "PENDING", from: 1 }),
    "scheduled_by_time (tenant_id=? AND scheduled_at>?)",
  ],
};

describe("the query for", () => testPlans(tempDatabases(), plans));
