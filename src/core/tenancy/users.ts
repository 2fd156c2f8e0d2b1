import { sourceOf } from "../../kernel/client-address.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import { isEmail, issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/db.ts";
import { findTenant, insertTenant, type TenantRow } from "../../store/tenants.ts";
import { findOpenSession, hasSignedInFrom } from "../../store/user-sessions.ts";
import { deleteMember, findUser, findUserByEmail, insertMember, insertUser, isMember, listInstitutionsOf, listMembers, type UserRow } from "../../store/users.ts";
import type { Env } from "../env.ts";
import { recordAct } from "./audit.ts";
import { DEFAULT_BILLING_PLAN } from "./plans.ts";
import { completeToken, lastAsComplete, openSession, pendingToken, type Visitor } from "./sessions.ts";

export type UserView = { id: string; name: string; email: string };
export type InstitutionView = { id: string; name: string };
export type SignedIn = { token: string; user: UserView; institution: InstitutionView };

const userView = ({ id, name, email }: UserRow): UserView => ({ id, name, email });
const institutionView = ({ id, name }: TenantRow): InstitutionView => ({ id, name });

const emailKeyOf = (email: string): string => email.trim().toLowerCase();

/**
 * Makes a user and an institution of which it is the member. Throws VALIDATION for a malformed e-mail or blank names,
 * EMAIL_IN_USE for a known e-mail (whatever the password), REGISTRATION_CLOSED where the operator closed it.
 */
export const register = async (env: Env, input: { name: string; email: string; password: string; institutionName: string }, from: Visitor): Promise<SignedIn> => {
  if (env.config.registration === "closed") throw new AppError("REGISTRATION_CLOSED", { message: "Registration is closed on this server." });
  if (!isEmail(input.email.trim())) throw invalid(issue("email", "format", "must be an e-mail address"));
  for (const field of ["name", "institutionName"] as const) if (input[field].trim() === "") throw invalid(issue(field, "minLength", "must not be blank"));
  const passwordHash = await env.passwords.hash(sourceOf(from.address), input.password); // also for an e-mail in use: the answer must not take less time then
  const createdAt = env.clock.now();
  const user: UserRow = { id: newId(env), name: input.name, email: input.email, emailKey: emailKeyOf(input.email), passwordHash, createdAt };
  const made = await env.db.write(async (tx) => {
    if (!(await insertUser(tx, user))) throw new AppError("EMAIL_IN_USE", { message: "This e-mail is already in use." });
    const institution = await insertInstitution(env, tx, input.institutionName, user.id);
    const sessionId = await openSession(env, tx, user.id, from);
    await lastAsComplete(env, tx, sessionId);
    return { institution, sessionId };
  });
  return signedIn(env, user, made);
};

const insertInstitution = async (env: Env, tx: Tx, name: string, userId: string): Promise<TenantRow> => {
  const createdAt = env.clock.now();
  const tenant: TenantRow = {
    id: newId<TenantId>(env),
    name,
    status: "ACTIVE",
    dunningStage: "NONE",
    planCode: DEFAULT_BILLING_PLAN,
    platformPlan: env.config.defaultPlan,
    billingEmail: null,
    wabaMarkupPct: null,
    reactivatedAt: null,
    reprievedOn: null,
    createdAt,
    updatedAt: createdAt,
  };
  await insertTenant(tx, tenant);
  await insertMember(tx, { tenantId: tenant.id, userId, createdAt });
  const actor = { ...env.actor, name: `user:${userId}` } as const; // who registers is a user from here on
  await recordAct({ ...env, actor }, tx, { action: "institution.create", target: tenant.id, tenantId: tenant.id, details: { plan: tenant.platformPlan } });
  return tenant;
};

const signedIn = async (env: Env, user: UserRow, { institution, sessionId }: { institution: TenantRow; sessionId: string }): Promise<SignedIn> => {
  const token = await completeToken(env, user, sessionId, institution.id);
  return { token, user: userView(user), institution: institutionView(institution) };
};

/** Whether it is the password of the user with this e-mail, where there is one. Throws TOO_MANY_GUESSES and OVERLOADED, alike for a known and an unknown e-mail. */
export const checkPassword = async (
  env: Env,
  { emailKey, user, password, from }: { emailKey: string; user: UserRow | undefined; password: string; from: Visitor },
): Promise<boolean> => {
  const source = sourceOf(from.address);
  const isKnown = await env.db.read((reader) => hasSignedInFrom(reader, emailKey, source));
  return env.passwords.check({ account: sha256(emailKey), source, isKnown }, user?.passwordHash, password);
};

export type LoggedIn = { kind: "complete"; token: string; user: UserView } | { kind: "pending"; token: string; institutions: InstitutionView[] };

const loginRefused = () => new AppError("LOGIN_REFUSED", { message: "The e-mail or the password is wrong." });

/** A user of one institution gets its token; one of several, or of none, gets a pending token and the list. Throws LOGIN_REFUSED alike for an unknown e-mail and a wrong password. */
export const login = async (env: Env, { email, password }: { email: string; password: string }, from: Visitor): Promise<LoggedIn> => {
  const emailKey = emailKeyOf(email);
  const user = await env.db.read((reader) => findUserByEmail(reader, emailKey));
  const isRight = await checkPassword(env, { emailKey, user, password, from });
  if (!user || !isRight) throw loginRefused();
  const { sessionId, institutions } = await env.db.write(async (tx) => {
    if ((await findUser(tx, user.id))?.passwordHash !== user.passwordHash) throw loginRefused(); // changed meanwhile: what was right is no longer
    const sessionId = await openSession(env, tx, user.id, from);
    const institutions = await listInstitutionsOf(tx, user.id);
    if (institutions.length === 1) await lastAsComplete(env, tx, sessionId);
    return { sessionId, institutions };
  });
  const [only] = institutions;
  if (only && institutions.length === 1) {
    const { token, user: view } = await signedIn(env, user, { institution: only, sessionId });
    return { kind: "complete", token, user: view };
  }
  return { kind: "pending", token: await pendingToken(env, user, sessionId), institutions: institutions.map(institutionView) };
};

/** A complete token for one of the user's institutions, of the same session. Throws TENANT_NOT_FOUND for one that it is no member of. */
export const selectInstitution = async (env: Env, { userId, sessionId }: { userId: string; sessionId: string }, institutionId: string): Promise<SignedIn> => {
  const tenantId = institutionId as TenantId;
  const { user, institution } = await env.db.write(async (tx) => {
    const user = (await findOpenSession(tx, userId, sessionId, env.clock.now())) && (await findUser(tx, userId));
    const institution = (await isMember(tx, tenantId, userId)) ? await findTenant(tx, tenantId) : undefined;
    if (!user || !institution) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
    await lastAsComplete(env, tx, sessionId);
    return { user, institution };
  });
  return signedIn(env, user, { institution, sessionId });
};

export const institutionsOf = async (env: Env, userId: string): Promise<InstitutionView[]> =>
  (await env.db.read((reader) => listInstitutionsOf(reader, userId))).map(institutionView);

/** A further institution of a user who is signed in. */
export const createInstitution = async (env: Env, userId: string, name: string): Promise<InstitutionView> =>
  institutionView(await env.db.write((tx) => insertInstitution(env, tx, name, userId)));

export type MemberView = { userId: string; name: string; email: string };
const memberView = ({ id, name, email }: UserRow): MemberView => ({ userId: id, name, email });

/** Throws TENANT_NOT_FOUND when the institution of the path is not the one the caller acts for. */
const requireOwn = (own: TenantId, institutionId: string) => {
  if (own !== institutionId) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
};

export const membersOf = async (env: Env, own: TenantId, institutionId: string): Promise<MemberView[]> => {
  requireOwn(own, institutionId);
  return (await env.db.read((reader) => listMembers(reader, own))).map(memberView);
};

/** Throws USER_NOT_FOUND for an e-mail nobody registered, ALREADY_MEMBER for a member. */
export const addMember = async (env: Env, own: TenantId, institutionId: string, email: string): Promise<MemberView> => {
  requireOwn(own, institutionId);
  return env.db.write(async (tx) => {
    const user = await findUserByEmail(tx, emailKeyOf(email));
    if (!user) throw new AppError("USER_NOT_FOUND", { message: "Nobody is registered with this e-mail." });
    if (!(await insertMember(tx, { tenantId: own, userId: user.id, createdAt: env.clock.now() })))
      throw new AppError("ALREADY_MEMBER", { message: "The user is a member already." });
    await recordAct(env, tx, { action: "member.add", target: user.id, tenantId: own });
    return memberView(user);
  });
};

/** What was assigned to them is nobody's. Throws USER_NOT_FOUND for somebody who is no member, LAST_MEMBER for the only one. */
export const removeMember = async (env: Env, own: TenantId, institutionId: string, userId: string): Promise<void> => {
  requireOwn(own, institutionId);
  await env.db.write(async (tx) => {
    if (!(await isMember(tx, own, userId))) throw new AppError("USER_NOT_FOUND", { message: "There is no such member." });
    if (!(await deleteMember(tx, own, userId))) throw new AppError("LAST_MEMBER", { message: "An institution keeps at least one member." });
    env.jobs.enqueue(tx, "member.forget", { tenantId: own, userId });
    await recordAct(env, tx, { action: "member.remove", target: userId, tenantId: own });
  });
};
