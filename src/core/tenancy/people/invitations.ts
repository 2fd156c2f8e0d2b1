import { DAY_MS, HOUR_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { gatewaySecret, newId, type TenantId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { emailKeyOf, isEmail, plainEmail } from "../../../kernel/texts/emails.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  deleteInvitation,
  endInvitation,
  findInvitationByToken,
  findInvitationOf,
  type InvitationRow,
  listInvitations,
  pruneInvitations,
  putInvitation,
} from "../../../store/tables/tenancy/invitations.ts";
import { findTenant, type PlatformPlan, type TenantRow, updateTenant } from "../../../store/tables/tenancy/tenants.ts";
import {
  findUser,
  insertMember,
  isMember,
  type Role,
  type UserRow,
  updateUser,
} from "../../../store/tables/tenancy/users.ts";
import { requireRoom, requireWithinLimits } from "../accounts/collections.ts";
import { planLimits } from "../accounts/plans.ts";
import { asPerson, type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { invitationMail } from "../mail/mail-texts.ts";
import { queueMail } from "../mail/mails.ts";
import { hashNewPassword } from "../sign-in/new-passwords.ts";
import { notingLink } from "../sign-in/refusals.ts";
import type { Codes } from "../sign-in/second-step.ts";
import { startUserSession } from "../sign-in/session-start.ts";
import { lastAsComplete, type Visitor } from "../sign-in/sessions.ts";
import { userWithEmail } from "./mailboxes.ts";
import { invitedView, type Member, type MemberView, requireOwn, roleNow } from "./members.ts";
import { requireOwnerFor, requirePower } from "./roles.ts";
import { linkUnknown } from "./user-links.ts";
import { addUser, completeSignIn, openSession, requireName, type SignedIn } from "./users.ts";

const TTL_MS = 7 * DAY_MS;
/** Open invitations per institution. */
const MAX_PENDING = 100;
const MAX_NAME = 80;
/** A mail is not repeated within this time, so that nobody can fill another's mailbox. */
const MAILED_ONCE_IN_MS = HOUR_MS;

/** `link`: present if no mail server delivers it to the invited person. */
export type Invited = MemberView & { link?: string };

type Invitation = { tenantId: TenantId; email: string; role: Role; invitedBy: string | null };

/**
 * Invites a person. The answer and the work are the same for known and unknown e-mails. Repeating it renews the link.
 * @throws AppError VALIDATION, ROLE_REFUSED, EMAIL_NOT_VERIFIED for a caller with an unverified e-mail, ALREADY_MEMBER,
 * LIMIT_REACHED when no more members are allowed, INVITATION_LIMIT_REACHED.
 */
export const inviteMember = async (
  env: TenancyEnv,
  member: Member,
  institutionId: string,
  { email, role }: { email: string; role: Role },
): Promise<Invited> => {
  requireOwn(member.tenantId, institutionId);
  return env.db.write(async (tx) => {
    const own = await roleNow(tx, member);
    requirePower(own, "members.write");
    const before = await findInvitationOf(tx, member.tenantId, emailKeyOf(email));
    requireOwnerFor(own, before && isPending(env, before) ? [before.role, role] : [role]);
    if (member.userId !== null) await requireVerified(env, await findUser(tx, member.userId));
    const { link, ...view } = await putIn(env, tx, member, {
      tenantId: member.tenantId,
      email,
      role,
      invitedBy: member.userId,
    });
    return own === "OWNER" && link !== undefined ? { ...view, link } : view;
  });
};

/**
 * Invites a person for the operator.
 * @throws AppError TENANT_NOT_FOUND for a tenant that is not an institution, VALIDATION, ALREADY_MEMBER, LIMIT_REACHED,
 *   INVITATION_LIMIT_REACHED.
 */
export const inviteAsOperator = (
  env: TenancyEnv,
  by: Requester,
  institutionId: string,
  { email, role }: { email: string; role: Role },
): Promise<Invited> =>
  env.db.write(async (tx) => {
    const tenant = await findTenant(tx, institutionId as TenantId);
    if (!tenant?.platformPlan) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
    return putIn(env, tx, by, { tenantId: tenant.id, email, role, invitedBy: null });
  });

/**
 * Makes an account of the gateway an institution of the platform too, with this plan, and invites the owner. Its
 * phones, keys and bills stay unchanged.
 * @throws AppError TENANT_NOT_FOUND, VALIDATION, JOIN_REFUSED for an institution or an account that was joined with
 *   one, LIMIT_REACHED if the plan allows fewer channels than it has.
 */
export const makeInstitution = (
  env: TenancyEnv,
  by: Requester,
  accountId: string,
  { plan, ownerEmail }: { plan: PlatformPlan; ownerEmail: string },
): Promise<Invited> =>
  env.db.write(async (tx) => {
    const account = await findTenant(tx, accountId as TenantId);
    if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
    const reason =
      account.platformPlan !== null ? "institution" : account.joinedInto !== null ? "already-joined" : null;
    if (reason !== null)
      throw new AppError("JOIN_REFUSED", { message: "The account has its side of the platform.", details: { reason } });
    await requireWithinLimits(env, tx, { tenantId: account.id, channels: planLimits(plan).channels });
    await updateTenant(tx, account.id, { platformPlan: plan, updatedAt: env.clock.now() });
    await recordAct(env, tx, by, {
      action: "account.make-institution",
      target: account.id,
      tenantId: account.id,
      details: { plan },
    });
    env.jobs.enqueue(tx, "contacts.index", { tenantId: account.id, after: 0 });
    return putIn(env, tx, by, { tenantId: account.id, email: ownerEmail, role: "OWNER", invitedBy: null });
  });

/** If mail can be sent, only users with a verified e-mail invite others or accept invitations. */
const requireVerified = async ({ mailer }: TenancyEnv, user: UserRow | undefined): Promise<void> => {
  if (mailer && user?.verifiedAt === null)
    throw new AppError("EMAIL_NOT_VERIFIED", { message: "Verify your own e-mail address first." });
};

/**
 * The earlier invitation of the e-mail, if a new one is allowed.
 * @throws AppError VALIDATION, ALREADY_MEMBER, LIMIT_REACHED, INVITATION_LIMIT_REACHED.
 */
const earlierOf = async (
  env: TenancyEnv,
  tx: Tx,
  { tenantId, email }: Pick<Invitation, "tenantId" | "email">,
): Promise<InvitationRow | undefined> => {
  if (!isEmail(email)) throw invalid(issue("email", "format", "must be an e-mail address"));
  const user = await userWithEmail(tx, email);
  if (user && (await isMember(tx, tenantId, user.id)))
    throw new AppError("ALREADY_MEMBER", { message: "The user is a member already." });
  await requireRoom(env, tx, { collection: "members", owner: tenantId });
  const before = await findInvitationOf(tx, tenantId, emailKeyOf(email));
  if (
    !(before && isPending(env, before)) &&
    (await listInvitations(tx, tenantId, env.clock.now())).length >= MAX_PENDING
  )
    throw new AppError("INVITATION_LIMIT_REACHED", {
      message: `An institution has at most ${MAX_PENDING} invitations that wait to be accepted.`,
    });
  return before;
};

const isPending = ({ clock }: TenancyEnv, { expiresAt }: InvitationRow): boolean => expiresAt > clock.now();

const wasJustMailed = (env: TenancyEnv, { isMailed, createdAt }: InvitationRow): boolean =>
  env.mailer !== undefined && isMailed === 1 && env.clock.now() - createdAt < MAILED_ONCE_IN_MS;

const putIn = async (env: TenancyEnv, tx: Tx, by: Requester, given: Invitation): Promise<Invited> => {
  const { tenantId, role, invitedBy } = given;
  const email = plainEmail(given.email);
  const before = await earlierOf(env, tx, { tenantId, email });
  const { row, link } =
    before && wasJustMailed(env, before)
      ? { row: { ...before, role, invitedBy, expiresAt: before.createdAt + TTL_MS }, link: undefined }
      : newInvitation(env, { ...given, email }, before?.id);
  await putInvitation(tx, row);
  await recordAct(env, tx, by, { action: "member.invite", target: row.id, tenantId, details: { role } });
  if (link === undefined) return invitedView(row);
  if (!env.mailer) return { ...invitedView(row), link };
  const institution = (await findTenant(tx, tenantId))?.name ?? "";
  await queueMail(env, tx, {
    tenantId,
    recipient: email,
    isSecret: true,
    ...invitationMail(asName(institution), link, env.config.language),
  });
  return invitedView(row);
};

const newInvitation = (
  env: TenancyEnv,
  { tenantId, email, role, invitedBy }: Invitation,
  id: string = newId(env),
): { row: InvitationRow; link?: string } => {
  const token = gatewaySecret(env.random);
  const createdAt = env.clock.now();
  const isMailed = env.mailer ? 1 : 0;
  const row = {
    id,
    tenantId,
    email,
    emailKey: emailKeyOf(email),
    role,
    tokenHash: sha256(token),
    isMailed,
    invitedBy,
    createdAt,
    expiresAt: createdAt + TTL_MS,
  };
  return { row, link: env.linkTo("invitation", token) };
};

/** Text of a user in a mail of the server: only a name, without anything that looks like a link. */
const asName = (text: string): string =>
  `"${text
    .replaceAll(/[\p{C}\s"<>:/\\]+/gu, " ")
    .slice(0, MAX_NAME)
    .trim()}"`;

/**
 * Revokes an invitation. Its row stays until it is pruned: it has the time of the last mail, so that a new invitation
 * sends no further mail.
 * @throws AppError LINK_UNKNOWN, ROLE_REFUSED.
 */
export const withdrawInvitation = async (
  env: TenancyEnv,
  member: Member,
  institutionId: string,
  invitationId: string,
): Promise<void> => {
  requireOwn(member.tenantId, institutionId);
  await env.db.write(async (tx) => {
    const own = await roleNow(tx, member);
    requirePower(own, "members.write");
    const taken = await endInvitation(tx, { tenantId: member.tenantId, id: invitationId }, env.clock.now());
    if (!taken) throw new AppError("LINK_UNKNOWN", { message: "There is no such invitation." });
    requireOwnerFor(own, [taken.role]);
    await recordAct(env, tx, member, { action: "member.withdraw", target: invitationId, tenantId: member.tenantId });
  });
};

const lookUp = ({ clock }: TenancyEnv, r: Reader, token: string): Promise<InvitationRow | undefined> =>
  findInvitationByToken(r, sha256(token), clock.now());

const invitationOf = async (env: TenancyEnv, r: Reader, token: string): Promise<InvitationRow> => {
  const found = await lookUp(env, r, token);
  if (!found) throw linkUnknown();
  return found;
};

/**
 * Makes the user a member, and spends the invitation.
 * @throws AppError LIMIT_REACHED when no more members are allowed; then the invitation stays.
 */
const enter = async (
  env: TenancyEnv,
  tx: Tx,
  by: Requester,
  { invitation, user }: { invitation: InvitationRow; user: UserRow },
): Promise<TenantRow> => {
  const { tenantId, role } = invitation;
  if (!(await isMember(tx, tenantId, user.id))) await requireRoom(env, tx, { collection: "members", owner: tenantId });
  await deleteInvitation(tx, invitation);
  if (await insertMember(tx, { tenantId, userId: user.id, role, createdAt: env.clock.now() })) {
    await recordAct(env, tx, by, { action: "member.add", target: user.id, tenantId, details: { role } });
  }
  const institution = await findTenant(tx, tenantId);
  if (!institution) throw new Error("an invitation to no institution");
  return institution;
};

/**
 * Accepts an invitation to the user's own e-mail. The session continues for that institution.
 * @throws AppError LINK_UNKNOWN, also for another person's e-mail; EMAIL_NOT_VERIFIED; LIMIT_REACHED.
 */
export const acceptInvitation = async (
  env: TenancyEnv,
  by: Requester & { userId: string; sessionId: string },
  token: string,
): Promise<SignedIn> => {
  const { sessionId } = by;
  const { user, institution } = await env.db.write((tx) => accept(env, tx, by, token));
  return completeSignIn(env, user, { institution, sessionId });
};

const accept = async (
  env: TenancyEnv,
  tx: Tx,
  by: Requester & { userId: string; sessionId: string },
  token: string,
): Promise<{ user: UserRow; institution: TenantRow }> => {
  const { userId, sessionId } = by;
  const [invitation, user] = [await invitationOf(env, tx, token), await findUser(tx, userId)];
  if (!user || emailKeyOf(user.email) !== emailKeyOf(invitation.email)) throw linkUnknown();
  if (invitation.isMailed === 0) await requireVerified(env, user);
  else if (user.verifiedAt === null) await updateUser(tx, userId, { verifiedAt: env.clock.now() });
  await lastAsComplete(env, tx, sessionId);
  return { user, institution: await enter(env, tx, by, { invitation, user }) };
};

/**
 * Accepts an invitation by signing in. A refusal spends neither the invitation nor a code of the second step.
 * @throws AppError LOGIN_REFUSED, SECOND_STEP_REQUIRED, LINK_UNKNOWN, EMAIL_NOT_VERIFIED, LIMIT_REACHED,
 * TOO_MANY_GUESSES, OVERLOADED.
 */
export const acceptWithPassword = async (
  env: TenancyEnv,
  { token, ...given }: Codes & { token: string; password: string },
  from: Visitor,
): Promise<SignedIn> => {
  const { email } = await notingLink(
    env,
    from,
    env.db.read((reader) => invitationOf(env, reader, token)),
  );
  const { user, ...made } = await openSession(
    env,
    { ...given, email },
    from,
    async (tx, { id: userId }, { sessionId }) => ({
      ...(await accept(env, tx, { userId, sessionId, ...asPerson(`user:${userId}`, from) }, token)),
      sessionId,
    }),
  );
  return completeSignIn(env, user, made);
};

/**
 * An invitation that allows its reader to register: it was mailed, or the operator made it, who may make users anyway.
 * All others are refused with the same words, so that nobody learns which links exist.
 */
const openInvitationOf = async (env: TenancyEnv, r: Reader, token: string): Promise<InvitationRow> => {
  const found = await lookUp(env, r, token);
  if (found && (found.isMailed === 1 || found.invitedBy === null)) return found;
  throw new AppError("LINK_UNKNOWN", {
    message:
      "This link makes no user: it is unknown, has expired, was used, or was not mailed. " +
      "Ask the operator to make you a user, then accept as that user.",
  });
};

/** `isHeldToList`: whether the commonest passwords are refused. */
type Join = { token: string; name: string; password: string; isHeldToList?: boolean };

/**
 * Registers the owner of the mailbox that received an invitation, or the person to whom the operator gave it, even
 * while registration is closed. Only a mailed link proves the mailbox.
 * @throws AppError LINK_UNKNOWN, also for the link of a member that was not mailed. EMAIL_IN_USE when the e-mail is a
 *   user's, who signs in to accept. LIMIT_REACHED.
 */
export const join = async (
  env: TenancyEnv,
  { token, name, password, isHeldToList = false }: Join,
  from: Visitor,
): Promise<SignedIn> => {
  requireName("name", name);
  const { email, emailKey, isMailed, tenantId } = await notingLink(
    env,
    from,
    env.db.read((reader) => openInvitationOf(env, reader, token)),
  );
  const named = await env.db.read((reader) => findTenant(reader, tenantId));
  const names = named ? [named.name] : [];
  const passwordHash = await hashNewPassword(env, { password, isHeldToList, names }, from);
  const createdAt = env.clock.now();
  const verifiedAt = isMailed === 1 ? createdAt : null;
  const user: UserRow = { id: newId(env), name, email, emailKey, passwordHash, verifiedAt, createdAt };
  const made = await env.db.write(async (tx) => {
    const invitation = await openInvitationOf(env, tx, token);
    await addUser(tx, user);
    const institution = await enter(env, tx, asPerson(`user:${user.id}`, from), { invitation, user });
    const sessionId = await startUserSession(env, tx, user.id, { shown: { is: "new" }, from });
    await lastAsComplete(env, tx, sessionId);
    return { institution, sessionId };
  });
  return completeSignIn(env, user, made);
};

/** Deletes invitations that have ended, and that no longer limit mails to their address. True if there may be more. */
export const pruneEnded = (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  pruneInvitations(tx, nowMs - MAILED_ONCE_IN_MS, limit);
