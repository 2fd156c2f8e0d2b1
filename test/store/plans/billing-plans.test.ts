import { describe } from "bun:test";
import type { ChannelId, InvoiceId, TenantId } from "../../../src/kernel/ids.ts";
import * as invoices from "../../../src/store/tables/billing/invoices.ts";
import * as processor from "../../../src/store/tables/billing/processor.ts";
import * as usage from "../../../src/store/tables/billing/usage.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const tenant = { tenantId: "t" as TenantId };
const channel = "c" as ChannelId;

const PLANS: Plans = {
  "a message that is counted": [
    (tx) => usage.countMessage(tx, "sent", { ...tenant, day: 1, channelId: channel }),
    "channels_1 (id=?)",
  ],
  "messages of some days": [
    (tx) => usage.sumMessages(tx, tenant, { from: 1, to: 2 }),
    "usage_days_1 (tenant_id=? AND day>? AND day<?)",
  ],
  "what is charged for on some days": [
    (tx) => usage.sumConversations(tx, tenant, { from: 1, to: 2 }),
    "usage_conversations_1 (tenant_id=? AND day>? AND day<?)",
  ],
  "windows of a while ago": [(tx) => usage.pruneChargeWindows(tx, 1, 9), "charge_windows_by_start (started_at<?)"],
  "old usage of a tenant": [
    (tx) => usage.pruneUsage(tx, tenant.tenantId, 1, 9),
    "invoices_unpaid_by_tenant (tenant_id=?)",
    ...["usage_days", "usage_conversations", "llm_usage", "daily_sends"].map(
      (table) => `${table}_1 (tenant_id=? AND day<?)`,
    ),
  ],
  "an invoice": [(tx) => invoices.findInvoice(tx, tenant, "i"), "invoices_1 (id=?)"],
  "the last invoices": [(tx) => invoices.listInvoices(tx, tenant, 9), "invoices_by_tenant (tenant_id=?)"],
  "invoices of a span": [
    (tx) => invoices.listInvoicesOf(tx, tenant, { from: 1, to: 2 }),
    "invoices_by_tenant (tenant_id=?)",
  ],
  "the change of an invoice": [
    (tx) => invoices.updateInvoice(tx, "i" as InvoiceId, ["OPEN"], { status: "VOID" }),
    "invoices_1 (id=?)",
  ],
  "an invoice by its charge": [
    (tx) => invoices.findInvoiceByCharge(tx, EVERY_TENANT, "pay_1"),
    "invoices_by_charge (gateway_charge_id=?)",
  ],
  "unpaid invoices with a charge, next page": [
    (tx) => invoices.listCharged(tx, EVERY_TENANT, { after: "i", limit: 9 }),
    "invoices_charged (id>?)",
  ],
  "who pays": [(tx) => processor.findBillingCustomer(tx, tenant), "billing_customers_1 (tenant_id=?)"],
  "an event of the processor": [(tx) => processor.findProcessorEvent(tx, "e"), "processor_events_1 (id=?)"],
  "an event of the processor that is applied": [(tx) => processor.markApplied(tx, "e", 1), "processor_events_1 (id=?)"],
  "the changes of a charge": [(tx) => processor.listChangesOf(tx, "pay_1"), "processor_events_by_charge (charge_id=?)"],
  "old events of the processor": [
    (tx) => processor.pruneProcessorEvents(tx, 1, 9),
    "processor_events_by_age (received_at<?)",
    "jobs_unique (unique_key=?)",
  ],
};

describe("the query for", () => testPlans(tempDatabases(), PLANS));
