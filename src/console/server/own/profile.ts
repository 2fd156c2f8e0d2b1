import { Type } from "@sinclair/typebox";
import { qrPng } from "../../../apis/shared/qr.ts";
import {
  changeOwnPassword,
  changeProfile,
  proofOptions,
  proveAgain,
} from "../../../core/tenancy/people/own-profile.ts";
import {
  endOtherConsoleSessions,
  endOwnConsoleSession,
  readConsoleSessions,
  requireStrong,
  STRONG_MS,
} from "../../../core/tenancy/sign-in/console-sessions.ts";
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  readSecurity,
  removePasskey,
  renewCodes,
  stopTotp,
} from "../../../core/tenancy/sign-in/own-security.ts";
import { iso } from "../../../kernel/clock.ts";
import { Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { sessionCookieOf } from "../own-requests.ts";
import { type AskedBy, given, mayHavePasskeys, type Own } from "./endpoint.ts";
import { answerWithSession, EMAIL, PASSWORD, PERSON_NAME } from "./sign-in.ts";

const LANGUAGES = ["pt", "en", "es"] as const;
const THEMES = ["light", "dark"] as const;

const Changes = Type.Object({
  name: Type.Optional(PERSON_NAME),
  email: Type.Optional(EMAIL),
  language: Type.Optional(Nullable(OneOf(LANGUAGES))),
  theme: Type.Optional(Nullable(OneOf(THEMES))),
});
const NewPassword = Type.Object({ password: PASSWORD });
const Proof = Type.Union([Type.Object({ password: Text(0, 1024) }), Type.Object({ passkey: Type.Object({}) })]);
const Code = Type.Object({ code: Text(1, 100) });
const NewPasskey = Type.Object({ name: Text(1, 100), passkey: Type.Object({}) });

const cookieOf = ({ request, place }: AskedBy): string => sessionCookieOf(request, place.consoleUrl) ?? "";

/** GET profile: the person, the protection of their sign-in, and their open sessions. */
export const profile = async ({ env, place, person }: AskedBy): Promise<Own> => {
  const [{ totpSince, passkeys, recoveryCodes }, sessions] = await Promise.all([
    readSecurity(env, person),
    readConsoleSessions(env, person.key),
  ]);
  const { kind, id, name, email, language, theme, strongAt } = person;
  return {
    body: {
      person: { kind, id, name, email, language, theme },
      strongUntil: iso(strongAt + STRONG_MS),
      mayHavePasskeys: mayHavePasskeys(place),
      totp: totpSince === null ? null : { since: iso(totpSince) },
      passkeys: passkeys.map((one) => ({
        id: one.id,
        name: one.name,
        createdAt: iso(one.createdAt),
        lastUsedAt: one.lastUsedAt === null ? null : iso(one.lastUsedAt),
      })),
      recoveryCodes,
      sessions: sessions.map((one) => ({
        id: one.id,
        isCurrent: one.id === person.sessionId,
        address: one.address,
        userAgent: one.userAgent,
        createdAt: iso(one.createdAt),
        seenAt: iso(one.seenAt),
      })),
    },
  };
};

/** PATCH profile. A new password would go to the new e-mail, so its change takes a fresh proof. */
export const changeOwn = async (asked: AskedBy): Promise<Own> => {
  const changes = given(asked, Changes);
  if (changes.email !== undefined) requireStrong(asked.env, asked.person);
  await changeProfile(asked.env, asked.person, changes);
  return signedInAgain(asked);
};

/** The session in its new state, under the same cookie. */
const signedInAgain = async (asked: AskedBy): Promise<Own> => {
  const { body } = await answerWithSession(asked, cookieOf(asked));
  return body ? { body } : {};
};

export const changePassword = async (asked: AskedBy): Promise<Own> => {
  const { password } = given(asked, NewPassword);
  return answerWithSession(asked, await changeOwnPassword(asked.env, asked.person, password, asked.from));
};

export const postProofOptions = async ({ env, person, site }: AskedBy): Promise<Own> => ({
  body: { passkey: await proofOptions(env, person, site) },
});

export const prove = async (asked: AskedBy): Promise<Own> => {
  const { env, person, site, from } = asked;
  const proof = given(asked, Proof);
  await proveAgain(env, person, "password" in proof ? proof : { ...proof, site, cookie: cookieOf(asked) }, from);
  return { body: { strongUntil: iso(env.clock.now() + STRONG_MS) } };
};

/** POST profile/totp: the secret for the app, once, as text and as a QR code. */
export const postTotp = async ({ env, person }: AskedBy): Promise<Own> => {
  const { secret, address } = await beginTotp(env, person);
  return { body: { secret, address, qr: await qrPng(address) } };
};

export const postTotpCode = async (asked: AskedBy): Promise<Own> => ({
  body: { recoveryCodes: await confirmTotp(asked.env, asked.person, given(asked, Code).code) },
});

export const deleteTotp = async ({ env, person }: AskedBy): Promise<Own> => {
  await stopTotp(env, person);
  return {};
};

export const postRecoveryCodes = async ({ env, person }: AskedBy): Promise<Own> => ({
  body: { recoveryCodes: await renewCodes(env, person) },
});

export const postPasskeyOptions = async ({ env, person, site }: AskedBy): Promise<Own> => ({
  body: { passkey: await beginPasskey(env, person, site) },
});

export const postPasskey = async (asked: AskedBy): Promise<Own> => {
  const { name, passkey: response } = given(asked, NewPasskey);
  const { env, person, site } = asked;
  const recoveryCodes = await addPasskey(env, person, { site, cookie: cookieOf(asked), name, response });
  return { status: 201, body: { recoveryCodes } };
};

export const deletePasskey = async ({ env, person, id }: AskedBy): Promise<Own> => {
  await removePasskey(env, person, id);
  return {};
};

export const deleteSession = async ({ env, person, id }: AskedBy): Promise<Own> => {
  await endOwnConsoleSession(env, person, id);
  return {};
};

export const deleteOtherSessions = async ({ env, person }: AskedBy): Promise<Own> => {
  await endOtherConsoleSessions(env, person);
  return {};
};
