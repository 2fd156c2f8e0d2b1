import { AppError } from "../../../kernel/errors.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  type ConsolePersonRow,
  findConsolePerson,
  findPasskey,
  listPasskeys,
  type PasskeyRow,
  putConsolePerson,
  updatePasskey,
} from "../../../store/tables/tenancy/console-people.ts";
import { hasUsedConsoleFrom, type PersonKey } from "../../../store/tables/tenancy/console-sessions.ts";
import { hasUserSignedInFrom } from "../../../store/tables/tenancy/user-sessions.ts";
import { asPerson, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { type PasskeySite, passkeyIdIn, verifiedCounter } from "./passkeys.ts";
import { recoveryHash } from "./recovery-codes.ts";
import type { Visitor } from "./sessions.ts";
import { totpStepOf } from "./totp.ts";

/** The kinds of second steps of a sign-in. */
export type SecondStep = "totp" | "passkey" | "recovery";
/** One answer to the second step. */
export type StepAnswer =
  | { is: "totp"; code: string }
  | { is: "recovery"; code: string }
  | { is: "passkey"; response: unknown };

/** The fields of a second step at doors without a page, beside their earlier fields. */
export type Codes = { totp?: string | undefined; recovery?: string | undefined };

/** The proof that a person's right answer was used up, in the write that begins the session. */
export type Accepted = { readonly of: PersonKey };
/** A right answer. `accept` uses it up within a write. Undefined if it was used up meanwhile. */
export type Proof = { accept(tx: Tx): Promise<Accepted | undefined> };

export const secondStepRequired = () =>
  new AppError("SECOND_STEP_REQUIRED", {
    message:
      "You have a second step of sign-in: send `totp`, a code of your app, or `recovery`, a recovery code. " +
      "With a passkey alone, sign in at the console.",
  });
export const codeNotRight = () =>
  new AppError("SECOND_STEP_REQUIRED", {
    message: "This code of your second step is not right, or was used already. Send the next one.",
  });

/** A person's possible kinds of second steps; empty for a person without one. */
export const methodsOf = (kept: ConsolePersonRow, passkeys: readonly PasskeyRow[]): SecondStep[] => {
  const own: SecondStep[] = [
    ...(kept.totpSince === null ? [] : ["totp" as const]),
    ...(passkeys.length === 0 ? [] : ["passkey" as const]),
  ];
  return own.length > 0 && kept.recoveryCodes.length > 0 ? [...own, "recovery"] : own;
};

export const hasSecondStep = async (r: Reader, key: PersonKey): Promise<boolean> =>
  methodsOf(await findConsolePerson(r, key), await listPasskeys(r, key)).length > 0;

/**
 * The right code of a person with a second step; undefined for a person without one, whatever was given.
 * @throws AppError SECOND_STEP_REQUIRED if no right code is given, TOO_MANY_GUESSES.
 */
export const codeProof = async (
  env: TenancyEnv,
  key: PersonKey,
  { totp, recovery }: Codes,
  from: Visitor,
): Promise<Proof | undefined> => {
  if (!(await env.db.read((reader) => hasSecondStep(reader, key)))) return undefined;
  if (!totp && !recovery) throw secondStepRequired();
  const proof =
    (totp ? await proofOf(env, { key, answer: { is: "totp", code: totp } }, from) : undefined) ??
    (recovery ? await proofOf(env, { key, answer: { is: "recovery", code: recovery } }, from) : undefined);
  if (!proof) throw codeNotRight();
  return proof;
};

/** `asked`: the challenge that a passkey had to sign, and its site. */
type Proving = { key: PersonKey; answer: StepAnswer; asked?: { site: PasskeySite; challenge: string } };

/** Whether the person has signed in from this source, by a token or at the console. */
const isKnownAt = async (r: Reader, key: PersonKey, source: string): Promise<boolean> =>
  (await hasUsedConsoleFrom(r, [key], source)) ||
  (key.startsWith("user:") && (await hasUserSignedInFrom(r, key.slice("user:".length), source)));

/**
 * Checks an answer; undefined for a wrong one. Wrong answers count for the person and the source.
 * @throws AppError TOO_MANY_GUESSES.
 */
export const proofOf = async (env: TenancyEnv, proving: Proving, from: Visitor): Promise<Proof | undefined> => {
  const { key } = proving;
  let use: Use | undefined;
  const source = sourceOf(from.address);
  // somebody who only knows the password must not keep the owner from taking the second step at a known source
  const isKnown = await env.db.read((reader) => isKnownAt(reader, key, source));
  await env.passwords.guess({ account: `second:${key}`, from, isKnown }, async () => {
    use = await PROOFS[proving.answer.is](env, { ...proving, from });
    return use !== undefined;
  });
  const found = use;
  return found && { accept: async (tx) => ((await found(tx)) ? { of: key } : undefined) };
};

/** Uses a right answer up within a write; false if it was used up meanwhile. */
type Use = (tx: Tx) => Promise<boolean>;

/** TABLE: how each kind of answer is checked. */
const PROOFS: Record<SecondStep, (env: TenancyEnv, asked: Proving & { from: Visitor }) => Promise<Use | undefined>> = {
  async totp(env, { key, answer }) {
    const kept = await env.db.read((reader) => findConsolePerson(reader, key));
    if (answer.is !== "totp" || kept.totp === null || kept.totpSince === null) return undefined;
    const secret = env.secrets.open(totpRow(key), kept.totp);
    const step = await totpStepOf(env, { secret, code: answer.code, after: kept.totpStep });
    if (step === undefined) return undefined;
    return async (tx) => {
      const { totpStep } = await findConsolePerson(tx, key);
      if (totpStep !== null && step <= totpStep) return false; // the same code, at the same time
      await putConsolePerson(tx, key, { totpStep: step });
      return true;
    };
  },
  async recovery(env, { key, answer, from }) {
    const hash = answer.is === "recovery" ? recoveryHash(answer.code) : "";
    const kept = await env.db.read((reader) => findConsolePerson(reader, key));
    if (!kept.recoveryCodes.includes(hash)) return undefined;
    return async (tx) => {
      const { recoveryCodes } = await findConsolePerson(tx, key);
      if (!recoveryCodes.includes(hash)) return false;
      await putConsolePerson(tx, key, { recoveryCodes: recoveryCodes.filter((one) => one !== hash) });
      await recordAct(env, tx, asPerson(key, from), {
        action: "recovery-codes.use",
        target: key,
        details: { left: recoveryCodes.length - 1 },
      });
      return true;
    };
  },
  async passkey(env, { key, answer, asked }) {
    const response = answer.is === "passkey" ? answer.response : undefined;
    const id = passkeyIdIn(response);
    const passkey = id === undefined ? undefined : await env.db.read((reader) => findPasskey(reader, id));
    if (!passkey || !asked || passkey.person !== key) return undefined;
    const counter = await verifiedCounter(asked.site, passkey, { response, challenge: asked.challenge });
    if (counter === undefined) return undefined;
    return async (tx) => {
      if ((await findPasskey(tx, passkey.id))?.person !== key) return false;
      await updatePasskey(tx, passkey.id, { counter, lastUsedAt: env.clock.now() });
      return true;
    };
  },
};

/** The row that a person's TOTP secret is sealed for. */
export const totpRow = (key: PersonKey): string => `console_people:${key}:totp`;
