import type { Account } from "../../core/tenancy/accounts/accounts.ts";

/** The scope of an account that an administrator named. */
export const scopeOf = ({ id }: Account) => ({ tenantId: id });
