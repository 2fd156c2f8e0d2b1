import type { TenantId } from "../../../kernel/ids.ts";
import { findTenant, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import { findRole, type Role } from "../../../store/tables/tenancy/users.ts";
import type { TenancyEnv } from "../env.ts";

/**
 * A person who is signed in to the console. An operator runs the server; a member is a user of one or more
 * institutions. `strongAt`: when the person last proved who they are in this session.
 */
export type SignedInPerson = {
  kind: "operator" | "member";
  id: string;
  name: string;
  sessionId: string;
  strongAt: number;
};

/** An account in which a person acts, with their role there. */
export type ActingIn = { tenant: TenantRow; role: Role };

/**
 * The account that a person names. Undefined if there is none, or if a member does not belong to it: both look the
 * same. An operator acts in every account, with an owner's rights.
 */
export const actingIn = (
  env: Pick<TenancyEnv, "db">,
  { kind, id }: Pick<SignedInPerson, "kind" | "id">,
  accountId: string,
): Promise<ActingIn | undefined> =>
  env.db.read(async (reader) => {
    const tenantId = accountId as TenantId;
    const role = kind === "operator" ? "OWNER" : await findRole(reader, tenantId, id);
    const tenant = role && (await findTenant(reader, tenantId));
    return role && tenant && { tenant, role };
  });
