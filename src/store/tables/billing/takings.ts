import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import { statement } from "../../engine/statement.ts";
import type { ChargeSum } from "./charges.ts";
import type { Days } from "./usage.ts";

/** The number of invoices that wait to be paid, and their cents. */
export type Owed = { count: number; cents: number };

const UNPAID = "status IN ('OPEN', 'ISSUED', 'OVERDUE')";

type Sums = { n: number; cents: number; late: number; lateCents: number };
const owed = statement<Sums, { today: string }>(
  `SELECT count(*) AS n, coalesce(sum(total_cents), 0) AS cents, count(*) FILTER (WHERE due_date < :today) AS late,
    coalesce(sum(total_cents) FILTER (WHERE due_date < :today), 0) AS lateCents FROM invoices WHERE ${UNPAID}`,
);

/** The debts of all accounts, and the part that was due before `today`. */
export const readOwed = async (r: Reader, today: string): Promise<{ unpaid: Owed; overdue: Owed }> => {
  const { n = 0, cents = 0, late = 0, lateCents = 0 } = (await owed.get(r, { today })) ?? {};
  return { unpaid: { count: n, cents }, overdue: { count: late, cents: lateCents } };
};

type Messages = { sent: number; received: number };
const messages = statement<Messages, Days>(
  `SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(received), 0) AS received FROM tenants
    JOIN usage_days ON tenant_id = tenants.id AND day >= :from AND day < :to`,
);

/** The messages of all accounts in these days. */
export const sumAllMessages = async (r: Reader, days: Days): Promise<Messages> =>
  (await messages.get(r, days)) ?? { sent: 0, received: 0 };

const charges = statement<ChargeSum, Days>(
  `SELECT category, state, currency, sum(count) AS count, sum(micros) AS micros FROM tenants
    JOIN charge_days ON tenant_id = tenants.id AND day >= :from AND day < :to
    GROUP BY category, state, currency HAVING sum(count) > 0`,
);

/**
 * The charges of networks to all accounts in these days, by category, state and currency. Bound: one row per category,
 * state and currency.
 */
export const sumAllCharges = (r: Reader, days: Days): Promise<ChargeSum[]> => charges.all(r, days);

type Invoiced = { invoicedCents: number; paidCents: number };
type Span = { from: number; to: number };
const invoiced = statement<Invoiced, Span>(
  `SELECT coalesce(sum(total_cents), 0) AS invoicedCents,
    coalesce(sum(total_cents) FILTER (WHERE status = 'PAID'), 0) AS paidCents FROM invoices
    WHERE period_start >= :from AND period_start < :to AND status <> 'VOID'`,
);

/** The cents of all invoices whose periods began between two times, and of the paid invoices among them. */
export const sumInvoiced = async (r: Reader, span: Span): Promise<Invoiced> =>
  (await invoiced.get(r, span)) ?? { invoicedCents: 0, paidCents: 0 };

const names = statement<{ id: TenantId; name: string }, { ids: readonly TenantId[] }>(
  "SELECT id, name FROM tenants WHERE id IN (SELECT value FROM json_each(:ids))",
);

/** The names of accounts. Bound: the ids of the caller. */
export const namesOfTenants = async (r: Reader, ids: readonly TenantId[]): Promise<Map<TenantId, string>> =>
  new Map((await names.all(r, { ids })).map(({ id, name }) => [id, name]));
