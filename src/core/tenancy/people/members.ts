import { AppError } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { endInvitationsBy, type InvitationRow, listInvitations } from "../../../store/tables/tenancy/invitations.ts";
import {
  changeMemberRole,
  countOthers,
  deleteMember,
  findRole,
  findUser,
  listMembers,
  type Role,
  type UserRow,
} from "../../../store/tables/tenancy/users.ts";
import { type Caller, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { endSessionsOfOutsider } from "../sign-in/console-sessions.ts";
import { requireOwnerFor, requirePower } from "./roles.ts";

/** A caller who is a user, and their role in the institution. `userId` is null for an operator, who is not a member. */
export type Member = Caller & { userId: string | null; role: Role };

/** `active`: a member. `invited`: a person who has not accepted yet. Whether the e-mail is a user's is not shown. */
export type MemberView =
  | { state: "active"; userId: string; name: string; email: string; role: Role }
  | { state: "invited"; userId: null; name: null; email: string; role: Role; invitationId: string; expiresAt: number };

const memberView = ({ id: userId, name, email }: UserRow, role: Role): MemberView => ({
  userId,
  name,
  email,
  role,
  state: "active",
});

export const invitedView = ({ id: invitationId, email, role, expiresAt }: InvitationRow): MemberView => ({
  userId: null,
  name: null,
  email,
  role,
  state: "invited",
  invitationId,
  expiresAt,
});

/** @throws AppError TENANT_NOT_FOUND when the institution of the path is not the caller's. */
export const requireOwn = (own: TenantId, institutionId: string) => {
  if (own !== institutionId) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
};

/** Members in the order of joining, then invited persons. */
export const readMembers = async (env: TenancyEnv, own: TenantId, institutionId: string): Promise<MemberView[]> => {
  requireOwn(own, institutionId);
  return env.db.read(async (reader) => [
    ...(await listMembers(reader, own)).map((row) => memberView(row, row.role)),
    ...(await listInvitations(reader, own, env.clock.now())).map(invitedView),
  ]);
};

/**
 * The caller's current role, within a write: it may have changed since the request came. An operator keeps theirs.
 * @throws AppError TENANT_NOT_FOUND.
 */
export const roleNow = async (tx: Tx, { tenantId, userId, role: given }: Member): Promise<Role> => {
  if (userId === null) return given;
  const role = await findRole(tx, tenantId, userId);
  if (!role) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
  return role;
};

const roleOfMember = async (tx: Tx, tenantId: TenantId, userId: string): Promise<Role> => {
  const role = await findRole(tx, tenantId, userId);
  if (!role) throw new AppError("USER_NOT_FOUND", { message: "There is no such member." });
  return role;
};

/** @throws AppError LAST_OWNER when there is no other owner. */
export const requireOtherOwner = async (tx: Tx, tenantId: TenantId, userId: string): Promise<void> => {
  if ((await countOthers(tx, tenantId, userId)).owners === 0)
    throw new AppError("LAST_OWNER", { message: "An institution keeps at least one owner." });
};

/**
 * Changes the role of a member.
 * @throws AppError USER_NOT_FOUND, ROLE_REFUSED, LAST_OWNER for the only owner.
 */
export const changeRole = async (
  env: TenancyEnv,
  member: Member,
  institutionId: string,
  { userId, role }: { userId: string; role: Role },
): Promise<MemberView> => {
  requireOwn(member.tenantId, institutionId);
  return env.db.write(async (tx) => {
    const own = await roleNow(tx, member);
    requirePower(own, "members.write");
    const before = await roleOfMember(tx, member.tenantId, userId);
    const user = await findUser(tx, userId);
    if (!user) throw new Error("a member without a user");
    requireOwnerFor(own, before === role ? [] : [before, role]);
    if (before === "OWNER" && role !== "OWNER") await requireOtherOwner(tx, member.tenantId, userId);
    await changeMemberRole(tx, member.tenantId, userId, role);
    if (before === role) return memberView(user, role);
    // the new role may lack the power to invite
    await endInvitationsBy(tx, { tenantId: member.tenantId, userId }, env.clock.now());
    await recordAct(env, tx, member, {
      action: "member.change-role",
      target: userId,
      tenantId: member.tenantId,
      details: { from: before, to: role },
    });
    return memberView(user, role);
  });
};

/**
 * Removes a member; every member may leave. Conversations that were assigned to them become unassigned.
 * @throws AppError USER_NOT_FOUND, ROLE_REFUSED, LAST_MEMBER for the only member, LAST_OWNER for the only owner.
 */
export const removeMember = async (
  env: TenancyEnv,
  member: Member,
  institutionId: string,
  userId: string,
): Promise<void> => {
  const { tenantId } = member;
  requireOwn(tenantId, institutionId);
  await env.db.write(async (tx) => {
    const own = await roleNow(tx, member);
    if (userId !== member.userId) requirePower(own, "members.write");
    const role = await roleOfMember(tx, tenantId, userId);
    requireOwnerFor(own, [role]);
    if ((await countOthers(tx, tenantId, userId)).members === 0)
      throw new AppError("LAST_MEMBER", { message: "An institution keeps at least one member." });
    if (role === "OWNER") await requireOtherOwner(tx, tenantId, userId);
    await deleteMember(tx, tenantId, userId);
    await endSessionsOfOutsider(env, tx, userId);
    await endInvitationsBy(tx, { tenantId, userId }, env.clock.now());
    env.jobs.enqueue(tx, "member.forget", { tenantId, userId });
    await recordAct(env, tx, member, { action: "member.remove", target: userId, tenantId });
  });
};
