import { DAY_MS, utcDayOf } from "../../../kernel/clock.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { Days } from "../../../store/tables/billing/usage.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import { listTenants, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import { monthOf } from "../costs/costs.ts";
import type { BillingEnv } from "../env.ts";
import { invoiceTotal, openInvoice, owedFor } from "./invoices.ts";

/** The first day that no closing has billed yet: always the first of a month. */
const CLOSED_UNTIL = "billing-closed-until";
const PAGE = 100;

/** The first day that no closing has billed yet; 0 if it is unknown. */
export const billedUntil = async (r: Reader): Promise<number> => Number((await readMeta(r, CLOSED_UNTIL)) ?? 0);

const today = ({ clock }: Pick<BillingEnv, "clock">): number => utcDayOf(clock.now());

/** Makes the current month the first one to be closed: usage before it is free. Only the first call has an effect. */
export const beginClosing = async (env: BillingEnv): Promise<void> => {
  const isBegun = await env.db.read((reader) => readMeta(reader, CLOSED_UNTIL));
  if (isBegun === undefined) await env.db.write((tx) => writeMeta(tx, CLOSED_UNTIL, String(monthOf(today(env)).from)));
};

/**
 * Closes every past month that is not closed yet: one OPEN invoice for each account that owes for it. Each account is a
 * write of its own, and nothing is invoiced twice. So the job may stop anywhere and run again at any time.
 */
export const closeMonth = async (env: BillingEnv, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const from = Number(await env.db.read((reader) => readMeta(reader, CLOSED_UNTIL)));
  for (let month = monthOf(from); month.to <= today(env); month = monthOf(month.to)) {
    await closeAccounts(env, month);
    await env.db.write((tx) => writeMeta(tx, CLOSED_UNTIL, String(month.to)));
  }
  await env.db.write(async (tx) => job.end(tx));
  return { is: "settled" };
};

const closeAccounts = async (env: BillingEnv, month: Days): Promise<void> => {
  let cursor: string | undefined;
  do {
    const page: TenantRow[] = await env.db.read((reader) =>
      listTenants(reader, { status: undefined, cursor, limit: PAGE }),
    );
    // not durable: the write that stores the month as closed flushes them all to disk
    for (const account of page) await env.db.write((tx) => closeAccount(env, tx, account, month), { isDurable: false });
    cursor = page.length === PAGE ? page.at(-1)?.id : undefined;
  } while (cursor !== undefined);
};

const closeAccount = async (env: BillingEnv, tx: Tx, account: TenantRow, month: Days): Promise<void> => {
  const periodEnd = month.to * DAY_MS;
  if (account.createdAt >= periodEnd) return;
  const { used, owed } = await owedFor(tx, account, month);
  const isIdle = used.sent === 0 && used.charges.length === 0;
  if (account.status === "CANCELLED" && isIdle) return; // a cancelled account pays for its usage, and no further fees
  if (invoiceTotal(owed) > 0)
    await openInvoice(env, tx, {
      tenantId: account.id,
      isManual: false,
      periodStart: month.from * DAY_MS,
      periodEnd,
      breakdown: owed,
    });
};
