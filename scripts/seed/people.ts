import { changeAccount } from "../../src/core/billing/accounts.ts";
import { createPlan } from "../../src/core/billing/costs/plans.ts";
import { changeInstitutionPlan, createAccount } from "../../src/core/tenancy/accounts/accounts.ts";
import { type Caller, callerIn, LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { issueGatewayKey, issuePlatformKey, PERMISSIONS } from "../../src/core/tenancy/keys/keys.ts";
import { acceptWithPassword, inviteMember } from "../../src/core/tenancy/people/invitations.ts";
import type { Member } from "../../src/core/tenancy/people/members.ts";
import type { Role } from "../../src/core/tenancy/people/roles.ts";
import { register } from "../../src/core/tenancy/people/users.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import type { Stage } from "./stage.ts";

/** The password of every seeded user. */
export const PASSWORD = "recado-seed-1";

export type User = { name: string; email: string; role: Role; id: string };
export type Institution = { scope: Caller; name: string; users: User[]; key: string; testKey: string };
export type Account = { scope: Caller; name: string; key: string };

/** The institution that the seed makes; its users have others of their own. */
export const INSTITUTION = "Padaria Aurora";

const VISITOR = { address: "127.0.0.1", userAgent: null, door: "seed" };
const OWNER = { name: "Ana Ribeiro", email: "ana@aurora.example" };
const OTHERS: readonly { name: string; email: string; role: Role }[] = [
  { name: "Bruno Lima", email: "bruno@aurora.example", role: "ADMIN" },
  { name: "Carla Souza", email: "carla@aurora.example", role: "MEMBER" },
  { name: "Davi Nunes", email: "davi@aurora.example", role: "VIEWER" },
];

/** Makes the institution with one user of each role, and a key for each environment. */
export const makeInstitution = async ({ env }: Stage): Promise<Institution> => {
  const name = INSTITUTION;
  const made = await register(env, { ...OWNER, password: PASSWORD, institutionName: name }, VISITOR);
  const tenantId = made.institution.id as TenantId;
  const scope = callerIn(tenantId, LOCAL);
  await changeInstitutionPlan(env, LOCAL, tenantId, "PROFESSIONAL");
  const users: User[] = [{ ...OWNER, role: "OWNER", id: made.user.id }];
  for (const one of OTHERS)
    users.push({ ...one, id: await join(env, { ...scope, userId: made.user.id, role: "OWNER" }, one) });
  const wanted = { permissions: [...PERMISSIONS], rateLimit: 1000 };
  const live = await issuePlatformKey(env, scope, { ...wanted, name: "Shop system" });
  const test = await issuePlatformKey(env, scope, { ...wanted, name: "Sandbox", environment: "test" });
  return { scope, name, users, key: live.key, testKey: test.key };
};

/** Registers a user whom the owner then invites. Resolves with the user's id. */
const join = async (
  env: Stage["env"],
  owner: Member,
  { name, email, role }: (typeof OTHERS)[number],
): Promise<string> => {
  const { user } = await register(env, { name, email, password: PASSWORD, institutionName: name }, VISITOR);
  const { link } = await inviteMember(env, owner, owner.tenantId, { email, role });
  const token = new URL(link ?? "").searchParams.get("token") ?? "";
  await acceptWithPassword(env, { token, password: PASSWORD }, VISITOR);
  return user.id;
};

/** Makes the gateway account on a separate plan, with its key. */
export const makeAccount = async ({ env }: Stage): Promise<Account> => {
  const name = "Aurora Entregas";
  const terms = { monthlyFeeCents: 9900, includedMessages: 20, overageCents: 12, perPhoneMonthCents: 1500 };
  const plan = await createPlan(env, LOCAL, { code: "small-company", kind: "custom", ...terms });
  const account = await createAccount(env, LOCAL, { name, planCode: plan.code });
  await changeAccount(env, LOCAL, account.id, { billingEmail: "financeiro@aurora.example" });
  const scope = callerIn(account.id, LOCAL);
  const { key } = await issueGatewayKey(env, scope, { name: "Delivery system" });
  return { scope, name, key };
};
