import { DAY_MS, HOUR_MS, iso, utcDayOf } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import {
  findInvoice,
  type InvoiceFilter,
  type InvoiceRow,
  listInvoicesWhere,
} from "../../../store/tables/billing/invoices.ts";
import {
  namesOfTenants,
  type Owed,
  readOwed,
  sumAllCharges,
  sumAllMessages,
  sumInvoiced,
} from "../../../store/tables/billing/takings.ts";
import type { Days } from "../../../store/tables/billing/usage.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { findTenant } from "../../../store/tables/tenancy/tenants.ts";
import { getAccount } from "../../tenancy/accounts/accounts.ts";
import { today } from "../days.ts";
import type { BillingEnv } from "../env.ts";
import { monthOf } from "./costs.ts";
import { inTurns, type Usage, usageBy } from "./summary.ts";

/** A calendar month in UTC, `YYYY-MM`. `isOver`: its numbers change no more. */
type Month = { month: string; isOver: boolean };

/** The last calendar months in UTC, the oldest first and the current one last. */
const lastMonths = ({ clock }: Pick<BillingEnv, "clock">, count: number): (Month & Days)[] => {
  const current = monthOf(utcDayOf(clock.now()));
  const months = [{ ...named(current), isOver: false }];
  while (months.length < count)
    months.unshift({ ...named(monthOf((months[0]?.from ?? current.from) - 1)), isOver: true });
  return months;
};

const named = (days: Days): Days & { month: string } => ({ ...days, month: iso(days.from * DAY_MS).slice(0, 7) });

export type MonthOfAccount = Month & Pick<Usage, "cost" | "sent" | "received" | "charges" | "activeChannels">;

/**
 * The usage of an account in each of the last months, and its cost by today's plan and markup.
 * @throws AppError TENANT_NOT_FOUND.
 */
export const monthsOfAccount = async (
  env: BillingEnv,
  { tenantId }: TenantScope,
  count: number,
): Promise<MonthOfAccount[]> => {
  const account = await env.db.read((reader) => findTenant(reader, tenantId));
  if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
  const months: MonthOfAccount[] = [];
  for (const { month, isOver, ...days } of lastMonths(env, count))
    months.push({ month, isOver, ...(await usageBy(inTurns(env.db), account, days)) });
  return months;
};

type MonthOfAll = Month & Pick<Usage, "sent" | "received" | "charges"> & { invoicedCents: number; paidCents: number };

/** The money of all accounts: their debts, and their usage and invoices in each of the last months. */
export type Takings = { unpaid: Owed; overdue: Owed; months: MonthOfAll[] };

type Used = Pick<Usage, "sent" | "received" | "charges">;

/** How long the sums of a past month are cached: late receipts may still correct them. */
const KEPT_MS = HOUR_MS;
/** The sums of past months, which take a pass over all counts. */
const kept = new WeakMap<BillingEnv["db"], Map<string, { at: number; used: Used }>>();

const usedInMonth = async ({ db, clock }: BillingEnv, { month, isOver, ...days }: Month & Days): Promise<Used> => {
  const known = kept.get(db) ?? new Map<string, { at: number; used: Used }>();
  kept.set(db, known);
  const found = known.get(month);
  if (isOver && found && Math.abs(clock.now() - found.at) < KEPT_MS) return found.used;
  const messages = await db.read((reader) => sumAllMessages(reader, days));
  const used = { ...messages, charges: await db.read((reader) => sumAllCharges(reader, days)) };
  known.set(month, { at: clock.now(), used });
  return used;
};

/**
 * The debts, usage and invoices of all accounts. Each month is a read of its own, so that other work runs in between;
 * the sums of past months may be an hour old.
 */
export const readTakings = async (env: BillingEnv, count: number): Promise<Takings> => {
  const months: MonthOfAll[] = [];
  for (const known of lastMonths(env, count)) {
    const { month, isOver, from, to } = known;
    const used = await usedInMonth(env, known);
    const invoiced = await env.db.read((reader) => sumInvoiced(reader, { from: from * DAY_MS, to: to * DAY_MS }));
    months.push({ month, isOver, ...used, ...invoiced });
  }
  return { ...(await env.db.read((reader) => readOwed(reader, today(env)))), months };
};

export type NamedInvoice = InvoiceRow & { accountName: string };

/**
 * Invoices of one account or of all, newest first.
 * @throws AppError TENANT_NOT_FOUND; VALIDATION for a cursor that is not an invoice.
 */
export const invoicesPage = async (
  env: BillingEnv,
  accountId: string | undefined,
  { cursor, limit, status }: InvoiceFilter,
): Promise<{ items: NamedInvoice[]; nextCursor: string | null }> => {
  const scope = accountId === undefined ? EVERY_TENANT : { tenantId: (await getAccount(env, accountId)).id };
  return env.db.read(async (reader) => {
    if (cursor !== undefined && !(await findInvoice(reader, scope, cursor))) throw unknownCursor();
    const found = await listInvoicesWhere(reader, scope, { status, cursor, limit: limit + 1 });
    const { items, nextCursor } = cutPage(found, limit, ({ id }) => id);
    const names = await namesOfTenants(reader, [...new Set(items.map(({ tenantId }) => tenantId))]);
    return { items: items.map((row) => ({ ...row, accountName: names.get(row.tenantId) ?? "" })), nextCursor };
  });
};
