import { utcDayOf } from "../../../kernel/clock.ts";
import { type AccountUse, readAccountUse } from "../../../store/tables/tenancy/account-use.ts";
import { type Account, accountsPage, getAccount } from "../../tenancy/accounts/accounts.ts";
import { today } from "../days.ts";
import type { BillingEnv } from "../env.ts";
import { monthOf } from "./costs.ts";

/** An account with its things, its messages of this month, and its debts. */
export type UsedAccount = Account & { use: AccountUse };

const withUse = async (env: BillingEnv, accounts: readonly Account[]): Promise<UsedAccount[]> => {
  const ids = accounts.map(({ id }) => id);
  const at = { days: monthOf(utcDayOf(env.clock.now())), today: today(env) };
  const uses = await env.db.read((reader) => readAccountUse(reader, ids, at));
  return accounts.flatMap((account) => {
    const use = uses.get(account.id);
    return use ? [{ ...account, use }] : [];
  });
};

/** Accounts with their use, newest first. @throws AppError VALIDATION for a cursor that is not an account. */
export const usedAccountsPage = async (
  env: BillingEnv,
  filter: Parameters<typeof accountsPage>[1],
): Promise<{ items: UsedAccount[]; nextCursor: string | null }> => {
  const { items, nextCursor } = await accountsPage(env, filter);
  return { items: await withUse(env, items), nextCursor };
};

/** @throws AppError TENANT_NOT_FOUND. */
export const usedAccount = async (env: BillingEnv, id: string): Promise<UsedAccount> => {
  const account = await getAccount(env, id);
  const [used] = await withUse(env, [account]);
  if (!used) throw new Error("the use of an account was not read");
  return used;
};
