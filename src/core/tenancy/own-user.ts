import { sourceOf } from "../../kernel/client-address.ts";
import { invalid } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/db.ts";
import { findUser, type UserRow, updateUser } from "../../store/users.ts";
import type { Env } from "../env.ts";
import { recordAct } from "./audit.ts";
import { completeToken, endSessions, lastAsComplete, openSession, pendingToken, type Visitor } from "./sessions.ts";
import { checkPassword } from "./users.ts";

const wrongPassword = (field: string) => invalid(issue(field, "pattern", "is not the user's password"));

/** The user, who has shown its password anew. Throws VALIDATION for a wrong one, TOO_MANY_GUESSES, OVERLOADED. */
const proven = async (env: Env, userId: string, given: { field: string; password: string }, from: Visitor): Promise<UserRow> => {
  const user = await env.db.read((reader) => findUser(reader, userId));
  if (!user || !(await checkPassword(env, { emailKey: user.emailKey, user, password: given.password, from }))) throw wrongPassword(given.field);
  return user;
};

/** What was proven holds still, within a write. */
const requireUnchanged = async (tx: Tx, { id, passwordHash }: UserRow, field: string): Promise<void> => {
  if ((await findUser(tx, id))?.passwordHash !== passwordHash) throw wrongPassword(field);
};

type Presented = { userId: string; institutionId: TenantId | undefined };

/** Ends all sessions of the user and opens one, whose token is of the kind that was presented. Throws VALIDATION for a wrong password. */
export const changePassword = async (
  env: Env,
  { userId, institutionId }: Presented,
  input: { currentPassword: string; newPassword: string },
  from: Visitor,
): Promise<{ token: string }> => {
  const field = "currentPassword";
  const user = await proven(env, userId, { field, password: input.currentPassword }, from);
  const passwordHash = await env.passwords.hash(sourceOf(from.address), input.newPassword);
  const sessionId = await env.db.write(async (tx) => {
    await requireUnchanged(tx, user, field);
    await updateUser(tx, userId, { passwordHash });
    await endSessions(env, tx, userId);
    await recordAct(env, tx, { action: "user.change-password", target: userId });
    const opened = await openSession(env, tx, userId, from);
    if (institutionId) await lastAsComplete(env, tx, opened);
    return opened;
  });
  return { token: await (institutionId ? completeToken(env, user, sessionId, institutionId) : pendingToken(env, user, sessionId)) };
};
