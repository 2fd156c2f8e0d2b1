import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import type { ChargeSum } from "./charges.ts";
import type { Days } from "./usage.ts";

/** Invoices that wait to be paid: how many, and their cents. */
export type Owed = { count: number; cents: number };

const UNPAID = "status IN ('OPEN', 'ISSUED', 'OVERDUE')";

/** What all accounts owe, and the part whose day for paying was before `today`. */
export const readOwed = async (r: Reader, today: string): Promise<{ unpaid: Owed; overdue: Owed }> => {
  const [sums] = await r.rows<{ n: number; cents: number; late: number; lateCents: number }>(
    `SELECT count(*) AS n, coalesce(sum(total_cents), 0) AS cents, count(*) FILTER (WHERE due_date < ?1) AS late,
      coalesce(sum(total_cents) FILTER (WHERE due_date < ?1), 0) AS lateCents FROM invoices WHERE ${UNPAID}`,
    [today],
  );
  const { n = 0, cents = 0, late = 0, lateCents = 0 } = sums ?? {};
  return { unpaid: { count: n, cents }, overdue: { count: late, cents: lateCents } };
};

/** The messages of all accounts in these days. */
export const sumAllMessages = async (r: Reader, { from, to }: Days): Promise<{ sent: number; received: number }> =>
  (
    await r.rows<{ sent: number; received: number }>(
      `SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(received), 0) AS received FROM tenants
        JOIN usage_days ON tenant_id = tenants.id AND day >= ?1 AND day < ?2`,
      [from, to],
    )
  )[0] ?? { sent: 0, received: 0 };

/** What networks charged all accounts in these days, by category, state and currency. */
export const sumAllCharges = (r: Reader, { from, to }: Days): Promise<ChargeSum[]> =>
  r.rows<ChargeSum>(
    `SELECT category, state, currency, sum(count) AS count, sum(micros) AS micros FROM tenants
      JOIN charge_days ON tenant_id = tenants.id AND day >= ?1 AND day < ?2
      GROUP BY category, state, currency HAVING sum(count) > 0`,
    [from, to],
  );

/** The cents of the invoices of periods that began between two times, and those of them that were paid. */
export const sumInvoiced = async (
  r: Reader,
  { from, to }: { from: number; to: number },
): Promise<{ invoicedCents: number; paidCents: number }> =>
  (
    await r.rows<{ invoicedCents: number; paidCents: number }>(
      `SELECT coalesce(sum(total_cents), 0) AS invoicedCents,
        coalesce(sum(total_cents) FILTER (WHERE status = 'PAID'), 0) AS paidCents FROM invoices
        WHERE period_start >= ?1 AND period_start < ?2 AND status <> 'VOID'`,
      [from, to],
    )
  )[0] ?? { invoicedCents: 0, paidCents: 0 };

/** The names of accounts. */
export const namesOfTenants = async (r: Reader, ids: readonly TenantId[]): Promise<Map<TenantId, string>> =>
  new Map(
    (
      await r.rows<{ id: TenantId; name: string }>(
        "SELECT id, name FROM tenants WHERE id IN (SELECT value FROM json_each(?1))",
        [JSON.stringify(ids)],
      )
    ).map(({ id, name }) => [id, name]),
  );
