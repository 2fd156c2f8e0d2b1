import { hashPassword, isPassword } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import { isEmail, issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/db.ts";
import { findTenant, insertTenant, type TenantRow } from "../../store/tenants.ts";
import { deleteMember, findUser, findUserByEmail, insertMember, insertUser, isMember, listInstitutionsOf, listMembers, type UserRow } from "../../store/users.ts";
import type { Env } from "../env.ts";
import { recordAct } from "./audit.ts";
import { requireRoom } from "./collections.ts";
import { DEFAULT_BILLING_PLAN } from "./plans.ts";

const COMPLETE_TOKEN_SECONDS = 7 * 24 * 3600;
const PENDING_TOKEN_SECONDS = 10 * 60;

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
export const register = async (env: Env, input: { name: string; email: string; password: string; institutionName: string }): Promise<SignedIn> => {
  if (env.config.registration === "closed") throw new AppError("REGISTRATION_CLOSED", { message: "Registration is closed on this server." });
  if (!isEmail(input.email.trim())) throw invalid(issue("email", "format", "must be an e-mail address"));
  for (const field of ["name", "institutionName"] as const) if (input[field].trim() === "") throw invalid(issue(field, "minLength", "must not be blank"));
  const passwordHash = await hashPassword(input.password);
  const createdAt = env.clock.now();
  const user: UserRow = { id: newId(env), name: input.name, email: input.email, emailKey: emailKeyOf(input.email), passwordHash, createdAt };
  const institution = await env.db.write(async (tx) => {
    if (!(await insertUser(tx, user))) throw new AppError("EMAIL_IN_USE", { message: "This e-mail is already in use." });
    return insertInstitution(env, tx, input.institutionName, user.id);
  });
  return signedIn(env, user, institution);
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
    createdBy: userId,
    billingEmail: null,
    wabaMarkupPct: null,
    reactivatedAt: null,
    createdAt,
    updatedAt: createdAt,
  };
  await requireRoom(env, tx, { collection: "institutions", owner: userId });
  await insertTenant(tx, tenant);
  await insertMember(tx, { tenantId: tenant.id, userId, createdAt });
  const actor = { ...env.actor, name: `user:${userId}` } as const; // who registers is a user from here on
  await recordAct({ ...env, actor }, tx, { action: "institution.create", target: tenant.id, tenantId: tenant.id, details: { plan: tenant.platformPlan } });
  return tenant;
};

const signedIn = async (env: Env, user: UserRow, institution: TenantRow): Promise<SignedIn> => {
  const token = await env.tokens.sign({ kind: "complete", userId: user.id, email: user.email, institutionId: institution.id }, COMPLETE_TOKEN_SECONDS);
  return { token, user: userView(user), institution: institutionView(institution) };
};

// A password hash of nobody's: an unknown e-mail must cost as much time as a wrong password.
let nobodysHash: Promise<string> | undefined;

export type LoggedIn = { kind: "complete"; token: string; user: UserView } | { kind: "pending"; token: string; institutions: InstitutionView[] };

/** A user of one institution gets its token; one of several, or of none, gets a pending token and the list. Throws LOGIN_REFUSED alike for an unknown e-mail and a wrong password. */
export const login = async (env: Env, input: { email: string; password: string }): Promise<LoggedIn> => {
  const user = await env.db.read((reader) => findUserByEmail(reader, emailKeyOf(input.email)));
  nobodysHash ??= hashPassword("nobody's password");
  const isRight = await isPassword(user?.passwordHash ?? (await nobodysHash), input.password);
  if (!user || !isRight) throw new AppError("LOGIN_REFUSED", { message: "The e-mail or the password is wrong." });
  const institutions = await env.db.read((reader) => listInstitutionsOf(reader, user.id));
  const [only] = institutions;
  if (only && institutions.length === 1) return { kind: "complete", ...(await signedIn(env, user, only)) };
  const token = await env.tokens.sign({ kind: "pending", userId: user.id, email: user.email }, PENDING_TOKEN_SECONDS);
  return { kind: "pending", token, institutions: institutions.map(institutionView) };
};

/** A complete token for one of the user's institutions. Throws TENANT_NOT_FOUND for one that it is no member of. */
export const selectInstitution = async (env: Env, userId: string, institutionId: string): Promise<SignedIn> => {
  const [user, institution] = await env.db.read(async (reader) => [
    await findUser(reader, userId),
    (await isMember(reader, institutionId as TenantId, userId)) ? await findTenant(reader, institutionId as TenantId) : undefined,
  ]);
  if (!user || !institution) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
  return signedIn(env, user, institution);
};

export const institutionsOf = async (env: Env, userId: string): Promise<InstitutionView[]> =>
  (await env.db.read((reader) => listInstitutionsOf(reader, userId))).map(institutionView);

/** A further institution of a user who is signed in. Throws LIMIT_REACHED for one who has made as many as a user may. */
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

/** Throws USER_NOT_FOUND for an e-mail nobody registered, ALREADY_MEMBER for a member, and LIMIT_REACHED. */
export const addMember = async (env: Env, own: TenantId, institutionId: string, email: string): Promise<MemberView> => {
  requireOwn(own, institutionId);
  return env.db.write(async (tx) => {
    const user = await findUserByEmail(tx, emailKeyOf(email));
    if (!user) throw new AppError("USER_NOT_FOUND", { message: "Nobody is registered with this e-mail." });
    if (!(await isMember(tx, own, user.id))) await requireRoom(env, tx, { collection: "members", owner: own });
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

/** Who presents a user token: with the institution it acts for, or without one while it is pending. Undefined when it is not valid, or the institution is no longer the user's. */
export const recogniseToken = async (env: Env, token: string): Promise<{ userId: string; institution: TenantRow | undefined } | undefined> => {
  const claims = await env.tokens.verify(token);
  if (!claims) return undefined;
  if (claims.kind === "pending") return { userId: claims.userId, institution: undefined };
  const tenantId = claims.institutionId as TenantId;
  const institution = await env.db.read(async (reader) => ((await isMember(reader, tenantId, claims.userId)) ? findTenant(reader, tenantId) : undefined));
  return institution && { userId: claims.userId, institution };
};
