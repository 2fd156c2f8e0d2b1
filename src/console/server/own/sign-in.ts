import { Type } from "@sinclair/typebox";
import { setUpOperator } from "../../../core/tenancy/people/first-start.ts";
import { endOwnConsoleSession, recogniseSession } from "../../../core/tenancy/sign-in/console-sessions.ts";
import { authenticationOptions } from "../../../core/tenancy/sign-in/passkeys.ts";
import { requestReset } from "../../../core/tenancy/sign-in/recovery.ts";
import type { StepAnswer } from "../../../core/tenancy/sign-in/second-step.ts";
import { beginWithPasskey, type SignedInTo, signIn, takeSecondStep } from "../../../core/tenancy/sign-in/sign-in.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { AnyText, issue, Text } from "../../../kernel/schema.ts";
import { LINK_REFUSALS } from "../setup-pages.ts";
import { noCookies, sessionCookies, stepCookie, stepOfRequest } from "./cookies.ts";
import { countSignIn } from "./counting.ts";
import { type Asked, type AskedBy, given, type Own } from "./endpoint.ts";
import { sessionView } from "./session.ts";

export const PASSWORD = Text(8, 1024);
export const PERSON_NAME = Text(1, 200);
export const EMAIL = Text(3, 320);

const Credentials = Type.Object({ email: Text(0, 1000), password: Text(0, 1024) });
const Setup = Type.Object({
  token: AnyText(),
  name: PERSON_NAME,
  email: EMAIL,
  password: PASSWORD,
  account: Type.Optional(Text(0, 120)),
});

/** The answer of a sign-in: the session, or the means for the second step. */
const answered = async (asked: Asked, result: SignedInTo): Promise<Own> => {
  const { place, site } = asked;
  if (result.is === "signed-in") return answerWithSession(asked, result.cookie);
  const { methods, challenge, passkeys, step } = result;
  const passkey = methods.includes("passkey") ? await authenticationOptions(site, challenge, passkeys) : undefined;
  return { body: { second: methods, passkey: passkey ?? null }, cookies: [stepCookie(place.consoleUrl, step)] };
};

/** The session of a new cookie, which no earlier request had. */
export const answerWithSession = async (asked: Asked, cookie: string): Promise<Own> => {
  const person = await recogniseSession(asked.env, cookie);
  if (!person) throw new AppError("LOGIN_REFUSED", { message: "The session has ended already." });
  return { body: await sessionView(asked, person), cookies: sessionCookies(asked.place.consoleUrl, cookie) };
};

/** POST sign-in: e-mail and password. */
export const withPassword = async (asked: Asked): Promise<Own> =>
  answered(asked, await countSignIn(asked, signIn(asked.env, given(asked, Credentials), asked.from), ({ is }) => is));

/** The answer that a body gives to the second step. @throws AppError VALIDATION. */
const answerIn = ({ body }: Pick<Asked, "body">): StepAnswer => {
  const { totp, recovery, passkey } = body;
  if (typeof totp === "string") return { is: "totp", code: totp.slice(0, 100) };
  if (typeof recovery === "string") return { is: "recovery", code: recovery.slice(0, 100) };
  if (typeof passkey === "object" && passkey !== null) return { is: "passkey", response: passkey };
  throw invalid(issue("totp", "required", "or recovery or passkey is required"));
};

/** POST sign-in/second: a code, a recovery code, or the answer of a passkey. */
export const withSecond = async (asked: Asked): Promise<Own> => {
  const value = stepOfRequest(asked.request, asked.place.consoleUrl) ?? "";
  const answer = answerIn(asked);
  const step = takeSecondStep(asked.env, { site: asked.site, value, answer }, asked.from);
  const { cookie } = await countSignIn(asked, step, () => "signed-in");
  return answerWithSession(asked, cookie);
};

/** POST sign-in/passkey: the challenge for a passkey. Its signature goes to the second step. */
export const passkeyOptions = async ({ env, place, site }: Asked): Promise<Own> => {
  const { step, challenge } = await beginWithPasskey(env);
  return {
    body: { passkey: await authenticationOptions(site, challenge) },
    cookies: [stepCookie(place.consoleUrl, step)],
  };
};

/** POST sign-in/forgot: mails a user a link for a new password. The same answer for every e-mail. */
export const forgot = async (asked: Asked): Promise<Own> => {
  await requestReset(asked.env, given(asked, Type.Object({ email: EMAIL })).email);
  return {};
};

export const signOut = async ({ env, place, person }: AskedBy): Promise<Own> => {
  await endOwnConsoleSession(env, person, person.sessionId);
  return { cookies: noCookies(place.consoleUrl) };
};

/** POST setup: the first operator, with the link of the first start. */
export const setup = async (asked: Asked): Promise<Own> => {
  const { token, account, ...operator } = given(asked, Setup);
  const result = await setUpOperator(
    asked.env,
    { token, operator: { ...operator, account: account || undefined } },
    asked.from,
  );
  if (result === "unknown") asked.env.refusals.note(asked.from);
  if (typeof result === "string") return { status: LINK_REFUSALS[result].status, body: LINK_REFUSALS[result].json };
  return { ...(await answerWithSession(asked, result.cookie)), status: 201 };
};
