import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId, type TenantId } from "../../../kernel/ids.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import { issue } from "../../../kernel/schema.ts";
import { emailKeyOf, isEmail, plainEmail } from "../../../kernel/texts/emails.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { hasUsedConsoleFrom, type PersonKey } from "../../../store/tables/tenancy/console-sessions.ts";
import { findTenant, insertTenant, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import { findOpenSession, hasUserSignedInFrom } from "../../../store/tables/tenancy/user-sessions.ts";
import {
  findUser,
  insertMember,
  insertUser,
  isMember,
  listInstitutionsOf,
  type UserRow,
} from "../../../store/tables/tenancy/users.ts";
import { requireRoom } from "../accounts/collections.ts";
import { DEFAULT_BILLING_PLAN } from "../accounts/plans.ts";
import { asPerson, type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { hashNewPassword } from "../sign-in/new-passwords.ts";
import { type Codes, codeProof } from "../sign-in/second-step.ts";
import { type Shown, startUserSession } from "../sign-in/session-start.ts";
import { completeToken, lastAsComplete, pendingToken, type Visitor } from "../sign-in/sessions.ts";
import { userWithEmail } from "./mailboxes.ts";
import { greetUser } from "./user-links.ts";

export type UserView = { id: string; name: string; email: string };
export type InstitutionView = { id: string; name: string };
export type SignedIn = { token: string; user: UserView; institution: InstitutionView };

const userView = ({ id, name, email }: UserRow): UserView => ({ id, name, email });
const institutionView = ({ id, name }: TenantRow): InstitutionView => ({ id, name });

/** @throws AppError VALIDATION for a blank name. */
export const requireName = (field: string, name: string): void => {
  if (name.trim() === "") throw invalid(issue(field, "minLength", "must not be blank"));
};

/**
 * Registers a user, with an institution that the user owns.
 * @throws AppError VALIDATION for a malformed e-mail or blank names, EMAIL_IN_USE for a known e-mail (with any
 *   password), REGISTRATION_CLOSED when the operator has closed it.
 */
export const register = async (
  env: TenancyEnv,
  input: { name: string; email: string; password: string; institutionName: string },
  from: Visitor,
): Promise<SignedIn> => {
  if (env.config.registration === "closed")
    throw new AppError("REGISTRATION_CLOSED", { message: "Registration is closed on this server." });
  const email = plainEmail(input.email);
  if (!isEmail(email)) throw invalid(issue("email", "format", "must be an e-mail address"));
  for (const field of ["name", "institutionName"] as const) requireName(field, input[field]);
  // also for a known e-mail: the answer must take the same time
  const passwordHash = await hashNewPassword(
    env,
    { password: input.password, isHeldToList: false, names: [input.institutionName] },
    from,
  );
  const createdAt = env.clock.now();
  const user: UserRow = {
    id: newId(env),
    name: input.name,
    email,
    emailKey: emailKeyOf(email),
    passwordHash,
    verifiedAt: null,
    createdAt,
  };
  const made = await env.db.write(async (tx) => {
    await addUser(tx, user);
    const institution = await insertInstitution(env, tx, asPerson(`user:${user.id}`, from), {
      name: input.institutionName,
      userId: user.id,
    });
    await greetUser(env, tx, user);
    const sessionId = await startUserSession(env, tx, user.id, { shown: { is: "new" }, from });
    await lastAsComplete(env, tx, sessionId);
    return { institution, sessionId };
  });
  return completeSignIn(env, user, made);
};

/**
 * Adds a user within a write.
 * @throws AppError EMAIL_IN_USE if the mailbox belongs to another user, however it is spelled.
 */
export const addUser = async (tx: Tx, user: UserRow): Promise<void> => {
  if ((await userWithEmail(tx, user.email)) || !(await insertUser(tx, user))) throw emailInUse();
};

export const emailInUse = () => new AppError("EMAIL_IN_USE", { message: "This e-mail is already in use." });

/** Creates an institution of the user, within a write. */
export const insertInstitution = async (
  env: TenancyEnv,
  tx: Tx,
  by: Requester,
  { name, userId }: { name: string; userId: string },
): Promise<TenantRow> => {
  const createdAt = env.clock.now();
  const tenant: TenantRow = {
    id: newId<TenantId>(env),
    name,
    status: "ACTIVE",
    dunningStage: "NONE",
    planCode: DEFAULT_BILLING_PLAN,
    platformPlan: env.config.defaultPlan,
    createdBy: userId,
    billingEmail: null,
    wabaMarkupPct: null,
    reactivatedAt: null,
    reprievedOn: null,
    joinedInto: null,
    createdAt,
    updatedAt: createdAt,
  };
  await requireRoom(env, tx, { collection: "institutions", owner: userId });
  await insertTenant(tx, tenant);
  await insertMember(tx, { tenantId: tenant.id, userId, role: "OWNER", createdAt });
  await recordAct(env, tx, by, {
    action: "institution.create",
    target: tenant.id,
    tenantId: tenant.id,
    details: { plan: tenant.platformPlan },
  });
  return tenant;
};

/** The session, token and institution of a user who has signed in. */
export const completeSignIn = async (
  env: TenancyEnv,
  user: UserRow,
  { institution, sessionId }: { institution: TenantRow; sessionId: string },
): Promise<SignedIn> => {
  const token = await completeToken(env, user, sessionId, institution.id);
  return { token, user: userView(user), institution: institutionView(institution) };
};

/** Whether a person has signed in from this source, by a token or at the console. */
export const isKnownFrom = async (
  r: Reader,
  { userId = "", operatorId }: { userId: string | undefined; operatorId?: string | undefined },
  source: string,
): Promise<boolean> => {
  const persons: PersonKey[] = [
    ...(userId === "" ? [] : [`user:${userId}` as const]),
    ...(operatorId === undefined ? [] : [`operator:${operatorId}` as const]),
  ];
  return (await hasUserSignedInFrom(r, userId, source)) || hasUsedConsoleFrom(r, persons, source);
};

/**
 * Whether the password is that of the user with this e-mail.
 * @throws AppError TOO_MANY_GUESSES, OVERLOADED, alike for known and unknown e-mails.
 */
export const checkPassword = async (
  env: TenancyEnv,
  { emailKey, user, password, from }: { emailKey: string; user: UserRow | undefined; password: string; from: Visitor },
): Promise<boolean> => {
  const source = sourceOf(from.address);
  const isKnown = await env.db.read((reader) => isKnownFrom(reader, { userId: user?.id }, source));
  // no password is right for a user without one
  return env.passwords.check({ account: sha256(emailKey), from, isKnown }, user?.passwordHash || undefined, password);
};

export type LoggedIn =
  | { kind: "complete"; token: string; user: UserView }
  | { kind: "pending"; token: string; institutions: InstitutionView[] };

const loginRefused = () => new AppError("LOGIN_REFUSED", { message: "The e-mail or the password is wrong." });

type Credentials = Codes & { email: string; password: string };

/**
 * @throws AppError LOGIN_REFUSED, alike for an unknown e-mail and a wrong password; SECOND_STEP_REQUIRED for the right
 * password of a user with a second step, without a right code of it; TOO_MANY_GUESSES, OVERLOADED.
 */
export const login = async (env: TenancyEnv, credentials: Credentials, from: Visitor): Promise<LoggedIn> => {
  const { user, session } = await openSession(env, credentials, from, async (_, user, session) => ({ user, session }));
  return completeLogin(env, user, session);
};

/**
 * Opens a session with e-mail and password. `then` belongs to the same write.
 * @throws AppError LOGIN_REFUSED, SECOND_STEP_REQUIRED, TOO_MANY_GUESSES, OVERLOADED.
 */
export const openSession = async <Result>(
  env: TenancyEnv,
  { email, password, ...codes }: Credentials,
  from: Visitor,
  then: (tx: Tx, user: UserRow, session: OpenedSession) => Promise<Result>,
): Promise<Result> => {
  const emailKey = emailKeyOf(email);
  const user = await env.db.read((reader) => userWithEmail(reader, email));
  const isRight = await checkPassword(env, { emailKey, user, password, from });
  if (!user || !isRight) throw loginRefused();
  const second = await codeProof(env, `user:${user.id}`, codes, from);
  return env.db.write(async (tx) => {
    // changed meanwhile: the checked password is no longer valid
    if ((await findUser(tx, user.id))?.passwordHash !== user.passwordHash) throw loginRefused();
    return then(tx, user, await beginSession(env, tx, user, { shown: { is: "first", by: "password", second }, from }));
  });
};

type OpenedSession = { sessionId: string; institutions: TenantRow[] };

/** Opens the session of a login, within a write. @throws AppError SECOND_STEP_REQUIRED. */
export const beginSession = async (
  env: TenancyEnv,
  tx: Tx,
  { id }: UserRow,
  entry: { shown: Shown; from: Visitor },
): Promise<OpenedSession> => {
  const sessionId = await startUserSession(env, tx, id, entry);
  const institutions = await listInstitutionsOf(tx, id);
  if (institutions.length === 1) await lastAsComplete(env, tx, sessionId);
  return { sessionId, institutions };
};

/**
 * A user with one institution gets its complete token. A user with several, or none, gets a pending token and the list.
 */
export const completeLogin = async (
  env: TenancyEnv,
  user: UserRow,
  { sessionId, institutions }: OpenedSession,
): Promise<LoggedIn> => {
  const [only] = institutions;
  if (only && institutions.length === 1) {
    const { token, user: view } = await completeSignIn(env, user, { institution: only, sessionId });
    return { kind: "complete", token, user: view };
  }
  return {
    kind: "pending",
    token: await pendingToken(env, user, sessionId),
    institutions: institutions.map(institutionView),
  };
};

/**
 * A complete token for one of the user's institutions, in the same session.
 * @throws AppError TENANT_NOT_FOUND when the user is not a member of it.
 */
export const selectInstitution = async (
  env: TenancyEnv,
  { userId, sessionId }: { userId: string; sessionId: string },
  institutionId: string,
): Promise<SignedIn> => {
  const tenantId = institutionId as TenantId;
  const { user, institution } = await env.db.write(async (tx) => {
    const user = (await findOpenSession(tx, userId, sessionId, env.clock.now())) && (await findUser(tx, userId));
    const institution = (await isMember(tx, tenantId, userId)) ? await findTenant(tx, tenantId) : undefined;
    if (!user || !institution) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
    await lastAsComplete(env, tx, sessionId);
    return { user, institution };
  });
  return completeSignIn(env, user, { institution, sessionId });
};

export const readInstitutions = async (env: TenancyEnv, userId: string): Promise<InstitutionView[]> =>
  (await env.db.read((reader) => listInstitutionsOf(reader, userId))).map(institutionView);

/**
 * Creates another institution of a user who has signed in.
 * @throws AppError LIMIT_REACHED when the user has made the maximum number.
 */
export const createInstitution = async (
  env: TenancyEnv,
  by: Requester & { userId: string },
  name: string,
): Promise<InstitutionView> =>
  institutionView(await env.db.write((tx) => insertInstitution(env, tx, by, { name, userId: by.userId })));
