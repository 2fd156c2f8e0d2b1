import { accountRefusal } from "../../../core/tenancy/accounts/accounts.ts";
import { allowAccount, type LimitEnv } from "../../../core/tenancy/accounts/limits.ts";
import type { Actor } from "../../../core/tenancy/audit/audit.ts";
import type { TenancyEnv } from "../../../core/tenancy/env.ts";
import { type KeyState, mayComeFrom, recogniseKey } from "../../../core/tenancy/keys/keys.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Known, Sender } from "./frame.ts";

type KeyApi = Parameters<typeof recogniseKey>[1];
type Recognised = NonNullable<Awaited<ReturnType<typeof recogniseKey>>>;

/** Why a key opens nothing. `elsewhere`: it is good, but not from this address. */
export type KeyFault = "missing" | "unknown" | "elsewhere" | Exclude<KeyState, "valid">;

/** A good key with its account, and who acts with it. */
export type GoodKey = Pick<Recognised, "key" | "tenant"> & { actor: Actor };

/** `apis`: those whose keys the header may hold. */
type Presented = { apis: readonly KeyApi[]; presented: string | null | undefined; address: string };

/** The key that a request presents, else why it opens nothing. The account's state is not looked at. */
export const recognisePresented = async (
  env: TenancyEnv,
  { apis, presented, address }: Presented,
): Promise<GoodKey | { fault: KeyFault }> => {
  if (!presented) return { fault: "missing" };
  let found: Recognised | undefined;
  for (const api of apis) found ??= await recogniseKey(env, api, presented);
  if (!found) return { fault: "unknown" };
  const { key, tenant, state } = found;
  if (state !== "valid") return { fault: state };
  if (!mayComeFrom(key, address)) return { fault: "elsewhere" };
  return { key, tenant, actor: { name: `key:${key.id}`, address } };
};

export type AccountRefusal = NonNullable<ReturnType<typeof accountRefusal>>;

type AccountTerms = Presented & {
  countsAsSend: boolean;
  /** Where a bad key is logged; undefined where none was presented. */
  door: string | undefined;
  refuseKey(fault: KeyFault): Response;
  refuseClosed(code: AccountRefusal, tenantId: TenantId): Response | Promise<Response>;
  admit(found: GoodKey): ReturnType<Known["admit"]>;
};

/**
 * The sender of a request with an account's key. The account's limits hold for all its keys. Requests to a closed
 * account do not count.
 */
export const senderByKey = async (env: TenancyEnv & LimitEnv, terms: AccountTerms): Promise<Sender> => {
  const found = await recognisePresented(env, terms);
  if ("fault" in found) return { stranger: terms.refuseKey(found.fault), door: terms.door };
  const { tenant, key } = found;
  const closed = accountRefusal(tenant);
  if (closed) return { refused: await terms.refuseClosed(closed, tenant.id) };
  return {
    allow: () => allowAccount(env, tenant.id, terms.countsAsSend),
    admit() {
      env.keyUse.note(key.id);
      return terms.admit(found);
    },
  };
};
