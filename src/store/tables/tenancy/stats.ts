import { countAtMost } from "../../engine/bounded-counts.ts";
import type { Reader } from "../../engine/db.ts";
import { statement } from "../../engine/statement.ts";

/** Totals over all accounts. Deliveries and jobs are counted up to 10,000, which stands for more. */
export type Stats = {
  accounts: number;
  suspendedAccounts: number;
  channels: number;
  connectedChannels: number;
  sentToday: number;
  receivedToday: number;
  pendingDeliveries: number;
  deadDeliveries: number;
  jobs: number;
  unpaidInvoices: number;
};

/** An account is suspended as `isSuspended` (core/tenancy/accounts/accounts.ts) defines it. */
const totals = statement<Stats, { day: number }>(`SELECT
  (SELECT count(*) FROM tenants) AS accounts,
  (SELECT count(*) FROM tenants WHERE status <> 'CANCELLED'
  AND (status = 'SUSPENDED' OR dunning_stage = 'SUSPENDED')) AS suspendedAccounts,
  (SELECT count(*) FROM channels) AS channels,
  (SELECT count(*) FROM channels WHERE state IN ('CONNECTED', 'RESTRICTED')) AS connectedChannels,
  (SELECT coalesce(sum(sent), 0) FROM tenants JOIN usage_days ON tenant_id = tenants.id AND day = :day) AS sentToday,
  (SELECT coalesce(sum(received), 0) FROM tenants JOIN usage_days ON tenant_id = tenants.id
  AND day = :day) AS receivedToday,
  ${countAtMost("deliveries WHERE status = 'PENDING'")} AS pendingDeliveries,
  ${countAtMost("deliveries WHERE status = 'DEAD'")} AS deadDeliveries,
  ${countAtMost("jobs")} AS jobs,
  (SELECT count(*) FROM invoices WHERE status IN ('OPEN', 'ISSUED', 'OVERDUE')) AS unpaidInvoices`);

/** The current totals. `day` is days since the epoch. */
export const readStats = async (r: Reader, day: number): Promise<Stats> => {
  const counted = await totals.get(r, { day });
  if (!counted) throw new Error("counting gave no row");
  return counted;
};
