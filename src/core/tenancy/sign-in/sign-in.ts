import { MINUTE_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { gatewaySecret } from "../../../kernel/ids.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import { emailKeyOf } from "../../../kernel/texts/emails.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  findConsolePerson,
  findPasskey,
  listPasskeys,
  type PasskeyRow,
} from "../../../store/tables/tenancy/console-people.ts";
import {
  countStepFailure,
  deleteStep,
  findStep,
  hasUsedConsoleFrom,
  insertStep,
  type PersonKey,
  type SignInStepRow,
} from "../../../store/tables/tenancy/console-sessions.ts";
import { findOperator } from "../../../store/tables/tenancy/operators.ts";
import { findUser, listMemberships } from "../../../store/tables/tenancy/users.ts";
import type { TenancyEnv } from "../env.ts";
import { operatorWithEmail, userWithEmail } from "../people/mailboxes.ts";
import { isKnownFrom } from "../people/users.ts";
import { consolePersonKey } from "./console-sessions.ts";
import { newChallenge, type PasskeySite, passkeyIdIn } from "./passkeys.ts";
import { methodsOf, proofOf, type SecondStep, type StepAnswer } from "./second-step.ts";
import { type Shown, startConsoleSession } from "./session-start.ts";
import type { Visitor } from "./sessions.ts";

/**
 * `cookie`: the value of the new session's cookie. `step`: the value of the cookie of a sign-in that waits for its
 * second step, with what a passkey must sign.
 */
export type SignedInTo =
  | { is: "signed-in"; cookie: string }
  | { is: "second"; step: string; methods: SecondStep[]; challenge: string; passkeys: PasskeyRow[] };

const STEP_MS = 10 * MINUTE_MS;
const MAX_FAILURES = 5;
const MAX_STEPS = 5;

const refused = () => new AppError("LOGIN_REFUSED", { message: "The e-mail or the password is wrong." });
const stepRefused = () =>
  new AppError("SECOND_STEP_REFUSED", { message: "That was not right, or the sign-in took too long. Sign in again." });
const codeRefused = () => new AppError("SECOND_STEP_REFUSED", { message: "This code is not right. Try another one." });

/** The hash of a person's password now. */
const passwordOf = async (r: Reader, key: PersonKey): Promise<string | undefined> => {
  const [kind, id = ""] = key.split(":", 2);
  return (await (kind === "operator" ? findOperator(r, id) : findUser(r, id)))?.passwordHash;
};

/** The name under which guesses at a password count. The APIs count guesses at a user's password too. */
export const guessedOf = (kind: "operator" | "member", emailKey: string): string =>
  kind === "operator" ? `operator:${sha256(emailKey)}` : sha256(emailKey);

/** @throws AppError NO_INSTITUTION for a user without an institution. */
const requireInstitution = async (r: Reader, key: PersonKey): Promise<void> => {
  const [kind, id = ""] = key.split(":", 2);
  if (kind === "user" && (await listMemberships(r, id)).length === 0)
    throw new AppError("NO_INSTITUTION", {
      message: "You belong to no institution any more. Ask an owner for an invitation.",
    });
};

/**
 * Signs in to the console with e-mail and password. If an operator and a user have the same e-mail, the operator comes
 * first if the password is theirs.
 * @throws AppError LOGIN_REFUSED, alike and after the same work for an unknown e-mail and a wrong password;
 *   TOO_MANY_GUESSES, OVERLOADED, NO_INSTITUTION.
 */
export const signIn = async (
  env: TenancyEnv,
  { email, password }: { email: string; password: string },
  from: Visitor,
): Promise<SignedInTo> => {
  const emailKey = emailKeyOf(email);
  const [operator, user] = await env.db.read(async (reader) => [
    await operatorWithEmail(reader, email),
    await userWithEmail(reader, email),
  ]);
  const source = sourceOf(from.address);
  const [isOperatorKnown, isKnown] = await env.db.read(async (reader) => [
    operator !== undefined && (await hasUsedConsoleFrom(reader, [consolePersonKey("operator", operator.id)], source)),
    await isKnownFrom(reader, { userId: user?.id, operatorId: operator?.id }, source),
  ]);
  // anybody may register the operator's e-mail as a user: that does not make them known to the operator's account
  const ofOperator = {
    account: guessedOf("operator", emailKey),
    from,
    isKnown: operator ? isOperatorKnown : isKnown,
  };
  const ofUser = { account: guessedOf("member", emailKey), from, isKnown };
  const found = await env.passwords.which(
    [
      { ...ofOperator, stored: operator?.passwordHash || undefined },
      { ...ofUser, stored: user?.passwordHash || undefined },
    ],
    password,
  );
  const person = found === 0 ? operator : found === 1 ? user : undefined;
  if (!person) throw refused();
  const key = consolePersonKey(found === 0 ? "operator" : "member", person.id);
  return env.db.write(async (tx) => {
    // changed meanwhile: the checked password is no longer valid
    if ((await passwordOf(tx, key)) !== person.passwordHash) throw refused();
    await requireInstitution(tx, key);
    return nextStep(env, tx, key, from);
  });
};

/** The session of a person who has proved the password, or their second step. Within a write. */
const nextStep = async (env: TenancyEnv, tx: Tx, key: PersonKey, from: Visitor): Promise<SignedInTo> => {
  const [kept, passkeys] = [await findConsolePerson(tx, key), await listPasskeys(tx, key)];
  const methods = methodsOf(kept, passkeys);
  if (methods.length === 0)
    return begin(env, tx, key, { shown: { is: "first", by: "password", second: undefined }, from });
  return { is: "second", methods, passkeys, ...(await openStep(env, tx, key)) };
};

const openStep = async (
  env: TenancyEnv,
  tx: Tx,
  person: PersonKey | null,
): Promise<{ step: string; challenge: string }> => {
  const [step, challenge] = [gatewaySecret(env.random), newChallenge(env.random)];
  const row = { hash: sha256(step), person, challenge, expiresAt: env.clock.now() + STEP_MS };
  await insertStep(tx, row, MAX_STEPS);
  return { step, challenge };
};

/** Opens a session under a new value, and records it. Within a write. */
export const begin = async (
  env: TenancyEnv,
  tx: Tx,
  key: PersonKey,
  entry: { shown: Shown; from: Visitor },
): Promise<{ is: "signed-in"; cookie: string }> => ({
  is: "signed-in",
  cookie: await startConsoleSession(env, tx, key, entry),
});

/** Begins a sign-in with a passkey alone. */
export const beginWithPasskey = (env: TenancyEnv): Promise<{ step: string; challenge: string }> =>
  env.db.write((tx) => openStep(env, tx, null));

/** An open step by its cookie's value. @throws AppError SECOND_STEP_REFUSED. */
const stepOf = async (env: TenancyEnv, r: Reader, value: string): Promise<SignInStepRow> => {
  const step = await findStep(r, sha256(value), env.clock.now());
  if (!step || step.failures >= MAX_FAILURES) throw stepRefused();
  return step;
};

/**
 * Takes the second step of a sign-in, or its only step with a passkey. A step allows five wrong answers within ten
 * minutes, and one right answer.
 * @throws AppError SECOND_STEP_REFUSED, TOO_MANY_GUESSES, NO_INSTITUTION.
 */
export const takeSecondStep = async (
  env: TenancyEnv,
  { site, value, answer }: { site: PasskeySite; value: string; answer: StepAnswer },
  from: Visitor,
): Promise<{ is: "signed-in"; cookie: string }> => {
  const step = await env.db.read((reader) => stepOf(env, reader, value));
  const key = step.person ?? (await personOfPasskey(env, answer));
  if (key === undefined) throw codeRefused();
  const proof = await proofOf(env, { key, answer, asked: { site, challenge: step.challenge } }, from);
  const opened = await env.db.write(async (tx) => {
    const accepted = await proof?.accept(tx);
    if (accepted && (await deleteStep(tx, step.hash))) {
      await requireInstitution(tx, key);
      return begin(env, tx, key, { shown: { is: "second", accepted }, from });
    }
    countStepFailure(tx, step.hash);
    return undefined;
  });
  if (!opened) throw codeRefused();
  return opened;
};

const personOfPasskey = async (env: TenancyEnv, answer: StepAnswer): Promise<PersonKey | undefined> => {
  const id = answer.is === "passkey" ? passkeyIdIn(answer.response) : undefined;
  return id === undefined ? undefined : (await env.db.read((reader) => findPasskey(reader, id)))?.person;
};
