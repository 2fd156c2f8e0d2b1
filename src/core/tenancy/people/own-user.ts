import { invalid } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { deleteCannedRepliesOf } from "../../../store/tables/conversations/canned-replies.ts";
import { deleteConsolePerson } from "../../../store/tables/tenancy/console-people.ts";
import { deleteConsoleSessions } from "../../../store/tables/tenancy/console-sessions.ts";
import { endInvitationsBy } from "../../../store/tables/tenancy/invitations.ts";
import { type TenantRow, updateTenant } from "../../../store/tables/tenancy/tenants.ts";
import { deleteUserLinks } from "../../../store/tables/tenancy/user-links.ts";
import { deleteUserSessions } from "../../../store/tables/tenancy/user-sessions.ts";
import {
  countOthers,
  deleteMember,
  deleteUser,
  findUser,
  listInstitutionsOf,
  type UserRow,
  updateUser,
} from "../../../store/tables/tenancy/users.ts";
import { type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { hashNewPassword } from "../sign-in/new-passwords.ts";
import { recordSecurityAct } from "../sign-in/security-notices.ts";
import { startUserSession } from "../sign-in/session-start.ts";
import { completeToken, endSessions, lastAsComplete, pendingToken, type Visitor } from "../sign-in/sessions.ts";
import { requireOtherOwner } from "./members.ts";
import { checkPassword, readInstitutions } from "./users.ts";

const wrongPassword = (field: string) => invalid(issue(field, "pattern", "is not the user's password"));

/**
 * The user, after checking its password.
 * @throws AppError VALIDATION for a wrong password, TOO_MANY_GUESSES, OVERLOADED.
 */
const proven = async (
  env: TenancyEnv,
  userId: string,
  given: { field: string; password: string },
  from: Visitor,
): Promise<UserRow> => {
  const user = await env.db.read((reader) => findUser(reader, userId));
  if (!user || !(await checkPassword(env, { emailKey: user.emailKey, user, password: given.password, from })))
    throw wrongPassword(given.field);
  return user;
};

/** Checks within a write that the password has not changed since it was checked. */
const requireUnchanged = async (tx: Tx, { id, passwordHash }: UserRow, field: string): Promise<void> => {
  if ((await findUser(tx, id))?.passwordHash !== passwordHash) throw wrongPassword(field);
};

/** A user who asks for something about themselves. */
type OwnUser = Requester & { userId: string };

type Presented = OwnUser & { institutionId: TenantId | undefined };

/**
 * Ends all sessions of the user and opens one, with a token of the same kind as the presented one.
 * @throws AppError VALIDATION for a wrong password.
 */
export const changePassword = async (
  env: TenancyEnv,
  by: Presented,
  input: { currentPassword: string; newPassword: string },
  from: Visitor,
): Promise<{ token: string }> => {
  const { userId, institutionId } = by;
  const field = "currentPassword";
  const user = await proven(env, userId, { field, password: input.currentPassword }, from);
  const names = (await readInstitutions(env, userId)).map(({ name }) => name);
  const chosen = { password: input.newPassword, isHeldToList: false, names, field: "newPassword" };
  const passwordHash = await hashNewPassword(env, chosen, from);
  const sessionId = await env.db.write(async (tx) => {
    await requireUnchanged(tx, user, field);
    await updateUser(tx, userId, { passwordHash });
    await endSessions(env, tx, userId);
    await deleteUserLinks(tx, userId, "reset-password");
    await recordSecurityAct(env, tx, by, {
      of: `user:${userId}`,
      action: "user.change-password",
      target: userId,
    });
    const opened = await startUserSession(env, tx, userId, { shown: { is: "session" }, from });
    if (institutionId) await lastAsComplete(env, tx, opened);
    return opened;
  });
  return {
    token: await (institutionId
      ? completeToken(env, user, sessionId, institutionId)
      : pendingToken(env, user, sessionId)),
  };
};

/**
 * Deletes the user with everything that belongs only to it. An institution without another member is closed; the
 * operator can open it again.
 * @throws AppError VALIDATION for a wrong password, LAST_OWNER when other members would have no owner.
 */
export const deleteOwnUser = async (env: TenancyEnv, by: OwnUser, password: string, from: Visitor): Promise<void> => {
  const { userId } = by;
  const user = await proven(env, userId, { field: "password", password }, from);
  await env.db.write(async (tx) => {
    await requireUnchanged(tx, user, "password");
    for (const institution of await listInstitutionsOf(tx, userId)) await leave(env, tx, by, institution);
    await deleteUserLinks(tx, userId);
    await deleteUserSessions(tx, userId);
    await deleteConsoleSessions(tx, `user:${userId}`);
    await deleteConsolePerson(tx, `user:${userId}`);
    deleteCannedRepliesOf(tx, `user:${userId}`);
    await deleteUser(tx, userId);
    await recordAct(env, tx, by, { action: "user.delete", target: userId });
  });
};

const leave = async (env: TenancyEnv, tx: Tx, by: OwnUser, { id: tenantId }: TenantRow): Promise<void> => {
  const { userId } = by;
  if ((await countOthers(tx, tenantId, userId)).members > 0) {
    await requireOtherOwner(tx, tenantId, userId);
    env.jobs.enqueue(tx, "member.forget", { tenantId, userId });
  } else {
    await updateTenant(tx, tenantId, { status: "CANCELLED", updatedAt: env.clock.now() });
    await recordAct(env, tx, by, {
      action: "account.change",
      target: tenantId,
      tenantId,
      details: { status: "CANCELLED" },
    });
    tx.afterCommit(() => env.endStreams(tenantId)); // a client whose key is still valid opens its streams again
  }
  await deleteMember(tx, tenantId, userId);
  await endInvitationsBy(tx, { tenantId, userId }, env.clock.now());
  await recordAct(env, tx, by, { action: "member.remove", target: userId, tenantId });
};
