import { describe } from "bun:test";
import type { Collection } from "../../../src/kernel/collections.ts";
import type { Tx } from "../../../src/store/engine/db.ts";
import { countCollection } from "../../../src/store/laws/collections.ts";
import { deleteStored, largestCount } from "../../../src/store/tables/collections.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();

/** TABLE: the collections that are counted row by row, each with the only index it may use. */
const COUNTED: readonly [Collection, string][] = [
  ["institutions", "COVERING INDEX tenants_by_creator (created_by=?)"],
  ["members", "COVERING INDEX members_by_tenant (tenant_id=?)"],
  ["keys", "api_keys_live (tenant_id=?)"],
  ["channels", "COVERING INDEX channels_by_tenant (tenant_id=?)"],
  ["webhooks", "subscriptions_by_tenant (tenant_id=?)"],
  ["scheduled", "COVERING INDEX scheduled_by_status (tenant_id=? AND status=?)"],
  ["templates", "COVERING INDEX templates_by_tenant (tenant_id=?)"],
  ["flows", "COVERING INDEX flows_by_tenant (tenant_id=?)"],
  ["groups", "groups_by_tenant (tenant_id=?)"],
  ["lookups", "lookups_open (channel_id=?)"],
  ["documents", "COVERING INDEX documents_by_channel (channel_id=?)"],
  ["chunks", "documents_by_channel (channel_id=?)"],
];

const PLANS: Plans = {
  ...Object.fromEntries(
    COUNTED.map(([collection, use]) => [
      `how many ${collection} there are`,
      [(tx: Tx) => countCollection(tx, collection, "o", 9), use],
    ]),
  ),
  "how many there are of what is counted as it changes": [
    (tx) => countCollection(tx, "contacts", "t", 9),
    "tenant_counts_1 (tenant_id=? AND collection=?)",
  ],
  "the largest account": [(tx) => largestCount(tx, "contacts"), "COVERING INDEX tenant_counts_largest (collection=?)"],
  "bytes that have gone": [(tx) => deleteStored(tx, "k"), "stored_items_1 (key=?)"],
};

describe("the query for", () => testPlans(temp, PLANS));
