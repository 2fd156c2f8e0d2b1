import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  deletePasskey,
  deleteSecondSteps,
  findConsolePerson,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  putConsolePerson,
} from "../../../store/tables/tenancy/console-people.ts";
import { recordAct, type SecurityAction } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { challengeFor, openChallenge, takeChallenge } from "../people/own-profile.ts";
import type { AskingPerson, ConsolePerson } from "./console-sessions.ts";
import { type PasskeySite, passkeyUnusable, registeredPasskey, registrationOptions } from "./passkeys.ts";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";
import { totpRow } from "./second-step.ts";
import { notify, recordSecurityAct } from "./security-notices.ts";
import { newTotpSecret, totpAddress, totpStepOf } from "./totp.ts";

/** The second steps of a person's sign-in. `recoveryCodes`: the number of unused codes. */
export type Security = { totpSince: number | null; passkeys: PasskeyRow[]; recoveryCodes: number };

const MAX_PASSKEYS = 20;
const ISSUER = "Recado";

export const readSecurity = (env: TenancyEnv, { key }: ConsolePerson): Promise<Security> =>
  env.db.read(async (reader) => {
    const { totpSince, recoveryCodes } = await findConsolePerson(reader, key);
    return { totpSince, passkeys: await listPasskeys(reader, key), recoveryCodes: recoveryCodes.length };
  });

const record = (env: TenancyEnv, tx: Tx, person: AskingPerson, action: SecurityAction): Promise<void> =>
  recordSecurityAct(env, tx, person, { of: person.key, action, target: person.key });

const alreadyOn = () => invalid(issue("totp", "forbidden", "is on already; stop it first"));
const wrongCode = () => new AppError("SECOND_STEP_REFUSED", { message: "This code is not right. Try the next one." });

/**
 * Begins to set up an authenticator app. Sign-ins need it once the person has entered a code that it shows.
 * @throws AppError VALIDATION if an app is set up already.
 */
export const beginTotp = async (
  env: TenancyEnv,
  { key, email }: ConsolePerson,
): Promise<{ secret: string; address: string }> => {
  const secret = newTotpSecret(env.random);
  await env.db.write(async (tx) => {
    if ((await findConsolePerson(tx, key)).totpSince !== null) throw alreadyOn();
    await putConsolePerson(tx, key, { totp: env.secrets.seal(totpRow(key), secret), totpStep: null });
  });
  return { secret, address: await totpAddress(secret, { label: email, issuer: ISSUER }) };
};

/**
 * Completes the set-up of an authenticator app with its first code. Resolves with recovery codes if the person has none
 * yet.
 * @throws AppError SECOND_STEP_REFUSED for a wrong code, VALIDATION if an app is set up already.
 */
export const confirmTotp = async (env: TenancyEnv, person: AskingPerson, code: string): Promise<string[]> => {
  const { key } = person;
  const { totp, totpSince } = await env.db.read((reader) => findConsolePerson(reader, key));
  if (totpSince !== null) throw alreadyOn();
  if (totp === null) throw wrongCode();
  const step = await totpStepOf(env, { secret: env.secrets.open(totpRow(key), totp), code, after: null });
  if (step === undefined) throw wrongCode();
  return env.db.write(async (tx) => {
    if ((await findConsolePerson(tx, key)).totp !== totp) throw wrongCode(); // another app was begun meanwhile
    await putConsolePerson(tx, key, { totpSince: env.clock.now(), totpStep: step });
    await record(env, tx, person, "totp.start");
    return codesIfMissing(env, tx, person);
  });
};

export const stopTotp = (env: TenancyEnv, person: AskingPerson): Promise<void> =>
  env.db.write(async (tx) => {
    await putConsolePerson(tx, person.key, { totp: null, totpSince: null, totpStep: null });
    await record(env, tx, person, "totp.stop");
    await deleteUselessCodes(tx, person);
  });

/** Deletes the recovery codes of a person without a second step, because the codes would be another password. */
const deleteUselessCodes = async (tx: Tx, { key }: ConsolePerson): Promise<void> => {
  const { totpSince } = await findConsolePerson(tx, key);
  if (totpSince === null && (await listPasskeys(tx, key)).length === 0) await deleteSecondSteps(tx, key);
};

const codesIfMissing = async (env: TenancyEnv, tx: Tx, person: AskingPerson): Promise<string[]> => {
  const { recoveryCodes } = await findConsolePerson(tx, person.key);
  return recoveryCodes.length > 0 ? [] : replaceCodes(env, tx, person);
};

const replaceCodes = async (env: TenancyEnv, tx: Tx, person: AskingPerson): Promise<string[]> => {
  const codes = newRecoveryCodes(env.random);
  await putConsolePerson(tx, person.key, { recoveryCodes: codes.map(recoveryHash) });
  await recordAct(env, tx, person, { action: "recovery-codes.create", target: person.key });
  return codes;
};

/** Makes ten recovery codes, which are shown only now. Earlier codes are void. @throws AppError SECOND_STEP_MISSING. */
export const renewCodes = (env: TenancyEnv, person: AskingPerson): Promise<string[]> =>
  env.db.write(async (tx) => {
    const { totpSince } = await findConsolePerson(tx, person.key);
    if (totpSince === null && (await listPasskeys(tx, person.key)).length === 0)
      throw new AppError("SECOND_STEP_MISSING", {
        message: "Recovery codes replace an app for codes or a passkey, and you have neither.",
      });
    await notify(env, tx, person, { of: person.key, notice: "second-step" });
    return replaceCodes(env, tx, person);
  });

/** The options with which a browser makes a passkey. @throws AppError LIMIT_REACHED. */
export const beginPasskey = async (env: TenancyEnv, person: ConsolePerson, site: PasskeySite) => {
  const passkeys = await env.db.read((reader) => listPasskeys(reader, person.key));
  if (passkeys.length >= MAX_PASSKEYS)
    throw new AppError("LIMIT_REACHED", { message: `You have ${MAX_PASSKEYS} passkeys. Remove one first.` });
  return registrationOptions(site, { ...person, passkeys }, await challengeFor(env, person));
};

/**
 * Adds the passkey that a browser has made. Resolves with recovery codes if the person has none yet.
 * @throws AppError PASSKEY_UNUSABLE.
 */
export const addPasskey = async (
  env: TenancyEnv,
  person: AskingPerson,
  { site, cookie, name, response }: { site: PasskeySite; cookie: string; name: string; response: unknown },
): Promise<string[]> => {
  const challenge = await openChallenge(env, cookie);
  const made = await registeredPasskey(site, response, challenge);
  const row = { ...made, person: person.key, name, createdAt: env.clock.now(), lastUsedAt: null };
  return env.db.write(async (tx) => {
    await takeChallenge(tx, person.sessionId, challenge);
    if (!(await insertPasskey(tx, row))) throw passkeyUnusable();
    await record(env, tx, person, "passkey.add");
    return codesIfMissing(env, tx, person);
  });
};

/** @throws AppError PASSKEY_NOT_FOUND. */
export const removePasskey = (env: TenancyEnv, person: AskingPerson, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    if (!(await deletePasskey(tx, person.key, id)))
      throw new AppError("PASSKEY_NOT_FOUND", { message: "You have no such passkey." });
    await record(env, tx, person, "passkey.remove");
    await deleteUselessCodes(tx, person);
  });
