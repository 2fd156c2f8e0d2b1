import { MINUTE_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { emailKeyOf, isEmail, plainEmail } from "../../../kernel/texts/emails.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { listPasskeys, putConsolePerson } from "../../../store/tables/tenancy/console-people.ts";
import {
  endConsoleSessions,
  findSessionByHash,
  forgetSessions,
  takeSessionChallenge,
  updateConsoleSession,
} from "../../../store/tables/tenancy/console-sessions.ts";
import { deleteOperatorLinks, findOperator, updateOperator } from "../../../store/tables/tenancy/operators.ts";
import { deleteUserLinks } from "../../../store/tables/tenancy/user-links.ts";
import { findUser, updateUser } from "../../../store/tables/tenancy/users.ts";
import { recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import type { AskingPerson, ConsolePerson } from "../sign-in/console-sessions.ts";
import { hashNewPassword } from "../sign-in/new-passwords.ts";
import { authenticationOptions, newChallenge, type PasskeySite, passkeyUnusable } from "../sign-in/passkeys.ts";
import { proofOf } from "../sign-in/second-step.ts";
import { notify, recordSecurityAct } from "../sign-in/security-notices.ts";
import { startConsoleSession } from "../sign-in/session-start.ts";
import { endSessions, type Visitor } from "../sign-in/sessions.ts";
import { guessedOf } from "../sign-in/sign-in.ts";
import { operatorWithEmail, userWithEmail } from "./mailboxes.ts";
import { greetUser } from "./user-links.ts";
import { emailInUse, requireName } from "./users.ts";

/** How long a browser may take to make or use a passkey. */
const CHALLENGE_MS = 5 * MINUTE_MS;

/** A person's changes of their own profile. */
export type ProfileChanges = {
  name?: string | undefined;
  email?: string | undefined;
  language?: string | null | undefined;
  theme?: string | null | undefined;
};

const requireFree = async (tx: Tx, { kind, id }: ConsolePerson, email: string): Promise<void> => {
  const other = await (kind === "operator" ? operatorWithEmail(tx, email) : userWithEmail(tx, email));
  if (other && other.id !== id) throw emailInUse();
};

/**
 * Changes a person's name, e-mail, language or theme. A user's new e-mail must be verified again.
 * @throws AppError VALIDATION, EMAIL_IN_USE.
 */
export const changeProfile = async (
  env: TenancyEnv,
  person: AskingPerson,
  { name, email: given, language, theme }: ProfileChanges,
): Promise<void> => {
  const email = given === undefined ? undefined : plainEmail(given);
  if (name !== undefined) requireName("name", name);
  if (email !== undefined && !isEmail(email)) throw invalid(issue("email", "format", "must be an e-mail address"));
  await env.db.write(async (tx) => {
    if (language !== undefined || theme !== undefined)
      await putConsolePerson(tx, person.key, {
        ...(language === undefined ? {} : { language }),
        ...(theme === undefined ? {} : { theme }),
      });
    if (name !== undefined) await update(tx, person, { name });
    if (email !== undefined && emailKeyOf(email) !== emailKeyOf(person.email))
      await changeEmail(env, tx, person, email);
    if (name === undefined && email === undefined) return;
    const changed = [...(name === undefined ? [] : ["name"]), ...(email === undefined ? [] : ["email"])];
    const action = person.kind === "operator" ? "operator.change" : "user.change";
    await recordAct(env, tx, person, { action, target: person.id, details: { changed } });
  });
};

const update = async (tx: Tx, { kind, id }: ConsolePerson, changes: Parameters<typeof updateOperator>[2]) => {
  forgetSessions(tx);
  await (kind === "operator" ? updateOperator(tx, id, changes) : updateUser(tx, id, changes));
};

const changeEmail = async (env: TenancyEnv, tx: Tx, person: AskingPerson, email: string): Promise<void> => {
  const emailKey = emailKeyOf(email);
  await requireFree(tx, person, email);
  await notify(env, tx, person, { of: person.key, notice: "email", email: person.email });
  await update(tx, person, { email, emailKey });
  if (person.kind === "operator") return deleteOperatorLinks(tx, person.id);
  await updateUser(tx, person.id, { verifiedAt: null });
  await deleteUserLinks(tx, person.id); // they went to the other mailbox
  const user = await findUser(tx, person.id);
  if (user) await greetUser(env, tx, user);
};

/**
 * Sets a person's password, and ends all their sessions, tokens of the APIs too. Resolves with the cookie of the one
 * session that is then open.
 */
export const changeOwnPassword = async (
  env: TenancyEnv,
  person: AskingPerson,
  password: string,
  from: Visitor,
): Promise<string> => {
  const names = person.kind === "member" ? person.institutions.map(({ tenant }) => tenant.name) : [];
  const passwordHash = await hashNewPassword(env, { password, isHeldToList: true, names }, from);
  return env.db.write(async (tx) => {
    await update(tx, person, { passwordHash });
    if (person.kind === "operator") {
      await deleteOperatorLinks(tx, person.id);
      await endConsoleSessions(tx, person.key, env.clock.now());
    } else {
      await deleteUserLinks(tx, person.id, "reset-password");
      await endSessions(env, tx, person.id);
    }
    const action = person.kind === "operator" ? "operator.change-password" : "user.change-password";
    await recordSecurityAct(env, tx, person, { of: person.key, action, target: person.id });
    return startConsoleSession(env, tx, person.key, { shown: { is: "session" }, from });
  });
};

/** A challenge for a passkey, stored with the session. */
export const challengeFor = async (env: TenancyEnv, { sessionId }: ConsolePerson): Promise<string> => {
  const challenge = newChallenge(env.random);
  const challengeUntil = env.clock.now() + CHALLENGE_MS;
  await env.db.write((tx) => updateConsoleSession(tx, sessionId, { challenge, challengeUntil }));
  return challenge;
};

/** The challenge of a session, which works once. Within a write. @throws AppError PASSKEY_UNUSABLE. */
export const takeChallenge = async (tx: Tx, sessionId: string, challenge: string): Promise<void> => {
  if (!(await takeSessionChallenge(tx, sessionId, challenge))) throw passkeyUnusable();
};

/** The challenge that the session waits for. @throws AppError PASSKEY_UNUSABLE. */
export const openChallenge = async (env: TenancyEnv, cookieValue: string): Promise<string> => {
  const row = await env.db.read((reader) => findSessionByHash(reader, sha256(cookieValue)));
  if (!row?.challenge || (row.challengeUntil ?? 0) <= env.clock.now()) throw passkeyUnusable();
  return row.challenge;
};

/** The options with which a browser proves the person of this session with a passkey. */
export const proofOptions = async (env: TenancyEnv, person: ConsolePerson, site: PasskeySite) => {
  const passkeys = await env.db.read((reader) => listPasskeys(reader, person.key));
  return authenticationOptions(site, await challengeFor(env, person), passkeys);
};

const passwordOf = async (r: Reader, { kind, id }: ConsolePerson): Promise<string | undefined> =>
  (await (kind === "operator" ? findOperator(r, id) : findUser(r, id)))?.passwordHash;

const refused = () => new AppError("LOGIN_REFUSED", { message: "That is not your password." });

/**
 * Proves the person of a session, with the password or a passkey: dangerous acts are then open for ten minutes.
 * @throws AppError LOGIN_REFUSED for a wrong password, PASSKEY_UNUSABLE, TOO_MANY_GUESSES.
 */
export const proveAgain = async (
  env: TenancyEnv,
  person: ConsolePerson,
  proof: { password: string } | { passkey: unknown; site: PasskeySite; cookie: string },
  from: Visitor,
): Promise<void> => {
  const strong = (tx: Tx) => updateConsoleSession(tx, person.sessionId, { strongAt: env.clock.now() });
  if ("password" in proof) {
    const stored = await env.db.read((reader) => passwordOf(reader, person));
    const trial = {
      account: guessedOf(person.kind, emailKeyOf(person.email)),
      from,
      isKnown: true,
    };
    if (!(await env.passwords.check(trial, stored || undefined, proof.password))) throw refused();
    return env.db.write(strong);
  }
  const challenge = await openChallenge(env, proof.cookie);
  const answer = { is: "passkey" as const, response: proof.passkey };
  const proven = await proofOf(env, { key: person.key, answer, asked: { site: proof.site, challenge } }, from);
  if (!proven) throw passkeyUnusable();
  await env.db.write(async (tx) => {
    await takeChallenge(tx, person.sessionId, challenge);
    if (!(await proven.accept(tx))) throw passkeyUnusable();
    await strong(tx);
  });
};
