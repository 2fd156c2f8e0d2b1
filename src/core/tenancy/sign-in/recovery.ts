import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { emailKeyOf, formerEmailKeyOf, isEmail, plainEmail } from "../../../kernel/texts/emails.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import { deleteSecondSteps } from "../../../store/tables/tenancy/console-people.ts";
import { deleteUserLinks } from "../../../store/tables/tenancy/user-links.ts";
import { findUser, NO_PASSWORD, type UserRow, updateUser } from "../../../store/tables/tenancy/users.ts";
import { asPerson, type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { userWithEmail } from "../people/mailboxes.ts";
import { linkUnknown, mailLink, makeLink, requireMailer, requireUserLink } from "../people/user-links.ts";
import {
  addUser,
  beginSession,
  completeLogin,
  insertInstitution,
  type LoggedIn,
  readInstitutions,
  requireName,
} from "../people/users.ts";
import { hashNewPassword } from "./new-passwords.ts";
import { notingLink } from "./refusals.ts";
import { type Codes, codeProof } from "./second-step.ts";
import { recordSecurityAct } from "./security-notices.ts";
import { endSessions, type Visitor } from "./sessions.ts";

/**
 * Queues a job that mails a link when the e-mail is a user's. The answer and the work are the same for unknown e-mails.
 * @throws AppError MAIL_NOT_CONFIGURED.
 */
export const requestReset = async (env: TenancyEnv, email: string): Promise<void> => {
  requireMailer(env);
  await env.db.write(async (tx) => env.jobs.enqueue(tx, "user.recover", { emailKey: formerEmailKeyOf(email) }));
};

export const recoverUser = async (env: TenancyEnv, job: Job<{ emailKey: string }>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const user = await userWithEmail(tx, job.payload.emailKey);
    if (user) await mailLink(env, tx, user, "reset-password");
    job.end(tx);
  });
  return { is: "settled" };
};

/**
 * Sets a password by a link, ends all sessions of the user and signs in. A mailed link also verifies the e-mail. A link
 * that the operator handed over also ends the second steps of the user's sign-in. A mailed link still requires them.
 * @throws AppError LINK_UNKNOWN, SECOND_STEP_REQUIRED, TOO_MANY_GUESSES.
 */
export const resetPassword = async (
  env: TenancyEnv,
  {
    token,
    password,
    isHeldToList = false,
    ...codes
  }: Codes & { token: string; password: string; isHeldToList?: boolean },
  from: Visitor,
): Promise<LoggedIn> => {
  const link = await notingLink(
    env,
    from,
    env.db.read((reader) => requireUserLink(env, reader, token, "reset-password")),
  );
  const second = link.isMailed ? await codeProof(env, `user:${link.userId}`, codes, from) : undefined;
  const passwordHash = await hashNewPassword(
    env,
    { password, isHeldToList, names: await namesOf(env, link.userId) },
    from,
  );
  const { user, session } = await env.db.write(async (tx) => {
    const { userId, isMailed } = await requireUserLink(env, tx, token, "reset-password");
    const before = await findUser(tx, userId);
    if (!before) throw linkUnknown();
    const user = { ...before, passwordHash, verifiedAt: before.verifiedAt ?? (isMailed ? env.clock.now() : null) };
    await deleteUserLinks(tx, userId, "reset-password");
    await updateUser(tx, userId, { passwordHash, verifiedAt: user.verifiedAt });
    await endSessions(env, tx, userId);
    // the operator handed this link over: its user may have lost the phone too
    if (!isMailed) await deleteSecondSteps(tx, `user:${userId}`);
    await recordSecurityAct(env, tx, asPerson(`user:${userId}`, from), {
      of: `user:${userId}`,
      action: "user.reset-password",
      target: userId,
    });
    return { user, session: await beginSession(env, tx, user, { shown: { is: "first", by: "link", second }, from }) };
  });
  return completeLogin(env, user, session);
};

const namesOf = async (env: TenancyEnv, userId: string): Promise<string[]> =>
  (await readInstitutions(env, userId)).map(({ name }) => name);

export type OperatorLink = { link: string; expiresAt: number };

/**
 * A link that the operator hands over, with which the user chooses a new password.
 * @throws AppError USER_NOT_FOUND.
 */
export const linkForReset = (
  env: TenancyEnv,
  by: Requester,
  email: string,
): Promise<OperatorLink & { email: string }> =>
  env.db.write(async (tx) => {
    const user = await userWithEmail(tx, email);
    if (!user) throw new AppError("USER_NOT_FOUND", { message: "There is no user with this e-mail." });
    await recordAct(env, tx, by, { action: "user.make-link", target: user.id });
    return { email: user.email, ...(await makeLink(env, tx, user, { purpose: "reset-password", isMailed: false })) };
  });

export type NewUser = { name: string; email: string; institutionName: string };

/**
 * Creates a user with an institution, for the operator, even while registration is closed. The user has no password
 * until it chooses one by the link.
 * @throws AppError VALIDATION, EMAIL_IN_USE.
 */
export const createUser = async (
  env: TenancyEnv,
  by: Requester,
  { name, email: given, institutionName }: NewUser,
): Promise<OperatorLink & { userId: string; institutionId: string; email: string }> => {
  const email = plainEmail(given);
  if (!isEmail(email)) throw invalid(issue("email", "format", "must be an e-mail address"));
  requireName("name", name);
  requireName("institutionName", institutionName);
  return env.db.write(async (tx) => {
    const user: UserRow = {
      id: newId(env),
      name,
      email,
      emailKey: emailKeyOf(email),
      passwordHash: NO_PASSWORD,
      verifiedAt: null,
      createdAt: env.clock.now(),
    };
    await addUser(tx, user);
    await recordAct(env, tx, by, { action: "user.create", target: user.id });
    const { id: institutionId } = await insertInstitution(env, tx, by, { name: institutionName, userId: user.id });
    return {
      userId: user.id,
      institutionId,
      email,
      ...(await makeLink(env, tx, user, { purpose: "reset-password", isMailed: false })),
    };
  });
};
