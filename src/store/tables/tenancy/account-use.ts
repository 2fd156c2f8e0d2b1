import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import type { Days } from "../billing/usage.ts";

/** What an account has, and what it owes in cents. `overdue`: the part whose day for paying has passed. */
export type AccountUse = {
  phones: number;
  connectedPhones: number;
  members: number;
  sent: number;
  received: number;
  owedCents: number;
  overdueCents: number;
};

const OF = "tenant_id IN (SELECT value FROM json_each(?1))";
const PHONES = `SELECT tenant_id AS id, count(*) AS phones,
  count(*) FILTER (WHERE state IN ('CONNECTED', 'RESTRICTED')) AS connectedPhones FROM channels WHERE ${OF}
  AND environment = 'live' GROUP BY tenant_id`;
const MEMBERS = `SELECT tenant_id AS id, count(*) AS members FROM members WHERE ${OF} GROUP BY tenant_id`;
const MESSAGES = `SELECT tenant_id AS id, sum(sent) AS sent, sum(received) AS received FROM usage_days WHERE ${OF}
  AND day >= ?2 AND day < ?3 GROUP BY tenant_id`;
const OWED = `SELECT tenant_id AS id, sum(total_cents) AS owedCents,
  coalesce(sum(total_cents) FILTER (WHERE due_date < ?2), 0) AS overdueCents FROM invoices WHERE ${OF}
  AND status IN ('OPEN', 'ISSUED', 'OVERDUE') GROUP BY tenant_id`;

const NOTHING: AccountUse = {
  phones: 0,
  connectedPhones: 0,
  members: 0,
  sent: 0,
  received: 0,
  owedCents: 0,
  overdueCents: 0,
};

/** The use of these accounts; messages of these days. `today` is a day, `YYYY-MM-DD`. */
export const readAccountUse = async (
  r: Reader,
  ids: readonly TenantId[],
  { days, today }: { days: Days; today: string },
): Promise<Map<TenantId, AccountUse>> => {
  const of = JSON.stringify(ids);
  const parts = [
    await r.rows<{ id: TenantId }>(PHONES, [of]),
    await r.rows<{ id: TenantId }>(MEMBERS, [of]),
    await r.rows<{ id: TenantId }>(MESSAGES, [of, days.from, days.to]),
    await r.rows<{ id: TenantId }>(OWED, [of, today]),
  ].flat();
  const uses = new Map(ids.map((id) => [id, { ...NOTHING }]));
  for (const { id, ...part } of parts) Object.assign(uses.get(id) ?? {}, part);
  return uses;
};
