import { describe } from "bun:test";
import type { SubscriptionId, TenantId } from "../../../src/kernel/ids.ts";
import type { Tx } from "../../../src/store/engine/db.ts";
import * as eventPages from "../../../src/store/tables/events/event-pages.ts";
import * as events from "../../../src/store/tables/events/events.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const subscription = "s" as SubscriptionId;
const tenant = { tenantId: "t" as TenantId };

const everyEvent = { audience: "gateway", status: undefined, types: undefined, channelId: undefined };
/** A slice with an event in it, so that its row is read too. */
const someEvents = async (tx: Tx) => {
  const event = { id: "e", tenantId: tenant.tenantId, channelId: null, chat: "c", callId: null, messageId: null };
  const seq = await events.insertEvent(tx, {
    ...event,
    direction: null,
    audience: "gateway",
    type: "t",
    body: "{}",
    createdAt: 1,
  });
  for (const status of ["PENDING", "DEAD"] as const) {
    const delivery = { id: status, eventSeq: seq, tenantId: tenant.tenantId, subscriptionId: subscription };
    const unset = { nextAt: null, lastError: null };
    await events.insertDelivery(tx, { ...delivery, ...unset, status, chat: "", url: "u", createdAt: 1 });
  }
  return { before: seq + 1, after: seq - 1, limit: 9 };
};

const PLANS: Plans = {
  "events of a tenant, pending": [
    async (tx) => eventPages.sliceOfEvents(tx, tenant, { ...everyEvent, status: "PENDING" }, await someEvents(tx)),
    "COVERING INDEX deliveries_pending (tenant_id=? AND event_seq>? AND event_seq<?)",
    "PRIMARY KEY (rowid=?)",
    "deliveries_dead (event_seq=?)",
  ],
  "events of a tenant, delivered": [
    async (tx) => eventPages.sliceOfEvents(tx, tenant, { ...everyEvent, status: "DELIVERED" }, await someEvents(tx)),
    "COVERING INDEX events_by_tenant (tenant_id=? AND seq>? AND seq<?)",
    "PRIMARY KEY (rowid=?)",
    "deliveries_dead (event_seq=?)",
  ],
  "events of a tenant, dead": [
    async (tx) => eventPages.sliceOfEvents(tx, tenant, { ...everyEvent, status: "DEAD" }, await someEvents(tx)),
    "COVERING INDEX deliveries_dead_by_tenant (tenant_id=? AND event_seq>? AND event_seq<?)",
    "PRIMARY KEY (rowid=?)",
  ],
  "the names of a family of types": [
    (tx) => eventPages.typesIn(tx, tenant, "gateway", ["call:*"]),
    "COVERING INDEX events_by_type (tenant_id=? AND audience=? AND type>? AND type<?)",
  ],
};

describe("the query for", () => testPlans(temp, PLANS));
