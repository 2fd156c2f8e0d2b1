import { describe } from "bun:test";
import type { SubscriptionId, TenantId } from "../../../src/kernel/ids.ts";
import { boundsOf } from "../../../src/store/engine/time-bounds.ts";
import * as attempts from "../../../src/store/tables/events/attempts.ts";
import { sliceOfEvents } from "../../../src/store/tables/events/event-pages.ts";
import * as events from "../../../src/store/tables/events/events.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const tenant = { tenantId: "t" as TenantId };
const subscription = "s" as SubscriptionId;
const allEvents = {
  audience: "gateway",
  type: undefined,
  channelId: undefined,
  beforeSeq: undefined,
  limit: 50,
};
const everyEvent = { audience: "gateway", status: undefined, types: undefined, channelId: undefined };
const time = { sinceMs: 1, untilMs: 2, afterSeq: 1, beforeSeq: 9 };

const PLANS: Plans = {
  "where events of a time begin and end": [
    (tx) => boundsOf(tx, "events", { sinceMs: 1, untilMs: 2 }),
    "events_by_age (created_at>?)",
  ],
  "where attempts of a time begin and end": [
    (tx) => boundsOf(tx, "attempts", { sinceMs: 1, untilMs: 2 }),
    "attempts_by_age (at>?)",
  ],
  "events of a tenant, of a type and a time": [
    (tx) => events.listEvents(tx, tenant, { ...allEvents, ...time, type: "message:status" }),
    "events_by_type (tenant_id=? AND audience=? AND type=? AND seq>? AND seq<?)",
  ],
  "events of a tenant, of a time": [
    (tx) => events.listEvents(tx, tenant, { ...allEvents, ...time }),
    "events_by_tenant (tenant_id=? AND seq>? AND seq<?)",
  ],
  "dead letters of a tenant, of a time": [
    (tx) => sliceOfEvents(tx, tenant, { ...everyEvent, ...time, status: "DEAD" }, { before: 9, after: 1, limit: 9 }),
    "deliveries_dead_by_tenant (tenant_id=? AND event_seq>? AND event_seq<?)",
  ],
  "attempts of a webhook, of a time": [
    (tx) => attempts.listAttempts(tx, subscription, { ...time, isDelivered: undefined, limit: 9, offset: 0 }),
    "attempts_by_subscription (subscription_id=? AND id>? AND id<?)",
  ],
};

describe("the query for", () => testPlans(temp, PLANS));
