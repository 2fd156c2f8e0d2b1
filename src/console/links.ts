import { acceptWithPassword, join } from "../core/tenancy/invitations.ts";
import { allowAddress, secondsUntilReset } from "../core/tenancy/limits.ts";
import { resetPassword } from "../core/tenancy/recovery.ts";
import { verifyEmail } from "../core/tenancy/user-links.ts";
import { actingAs, type FaceEnv } from "../faces/shared/face-env.ts";
import { addressOf, visitorOf } from "../faces/shared/request.ts";
import { AppError, invalid, refusalText } from "../kernel/errors.ts";
import { parsedJson } from "../kernel/json.ts";
import { AnyText, issuesOf, Text } from "../kernel/schema.ts";
import { type LinkPage, linkDone, linkForm } from "./link-pages.ts";
import type { Answer } from "./page.ts";
import { refused } from "./setup-pages.ts";

const MAX_FORM_BYTES = 16 * 1024;
const PASSWORD = Text(8, 1024);
const NAME = Text(1, 200);
/** Of today: it is compared, not made. */
const ANY = AnyText();

/** Looking changes nothing, for whoever previews links; only the form spends one. */
export const linkPage = async (env: FaceEnv, request: Request, name: LinkPage): Promise<Answer> => {
  if (request.method === "GET" || request.method === "HEAD") return linkForm(name);
  if (request.method !== "POST") return refused(405, "METHOD_NOT_ALLOWED", "This page takes GET and POST.", { allow: "GET, HEAD, POST" });
  const allowance = allowAddress(env, { at: "console", address: addressOf(request), perMinute: env.rates.addressPerMinute });
  const wait = { "retry-after": String(secondsUntilReset(env, allowance)) };
  if (allowance.isExceeded) return refused(429, "RATE_LIMITED", "Too many requests. Try again in a minute.", wait);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return ACTS[name](env, request, { token, ...(await fieldsIn(env, request)) }).catch((thrown: unknown) => faultOf(name, thrown));
};

type Given = { token: string; name: unknown; password: unknown };

const required = (field: string, schema: typeof PASSWORD, value: unknown): string => {
  const issues = issuesOf(schema, value, field);
  if (issues.length > 0) throw invalid(...issues);
  return value as string;
};

/** TABLE: what the form of each page does. */
const ACTS: Record<LinkPage, (env: FaceEnv, request: Request, given: Given) => Promise<Answer>> = {
  async "verify-email"(env, request, { token }) {
    await verifyEmail(env, token, visitorOf(request));
    return linkDone("Your e-mail address is verified.");
  },
  async "reset-password"(env, request, { token, password }) {
    await resetPassword(env, { token, password: required("password", PASSWORD, password) }, visitorOf(request));
    return linkDone("Your new password is set. Sign in with it.");
  },
  async invitation(env, request, { token, name, password }) {
    const acting = actingAs(env, { actor: { name: "system", address: addressOf(request) } });
    const { institution } =
      name === undefined
        ? await acceptWithPassword(acting, { token, password: required("password", ANY, password) }, visitorOf(request))
        : await join(acting, { token, name: required("name", NAME, name), password: required("password", PASSWORD, password) }, visitorOf(request));
    return linkDone(`You are a member of ${institution.name}. Sign in to go on.`);
  },
};

/** The fields as a form or JSON has them. */
const fieldsIn = async ({ intake }: FaceEnv, request: Request): Promise<Omit<Given, "token">> => {
  const text = new TextDecoder().decode(await intake.read(request, MAX_FORM_BYTES));
  const isJson = request.headers.get("content-type")?.startsWith("application/json") ?? false;
  const fields: unknown = isJson ? parsedJson(text) : Object.fromEntries(new URLSearchParams(text));
  const { name, password } = (fields ?? {}) as { name?: unknown; password?: unknown };
  return { name, password };
};

const STATUSES: Partial<Record<AppError["code"], number>> = {
  LINK_UNKNOWN: 404,
  LOGIN_REFUSED: 401,
  TOO_MANY_GUESSES: 429,
  EMAIL_NOT_VERIFIED: 403,
  LIMIT_REACHED: 403,
  OVERLOADED: 503,
};

const faultOf = (name: LinkPage, thrown: unknown): Answer => {
  if (!(thrown instanceof AppError)) throw thrown;
  const headers: Record<string, string> = thrown.retryAfterSeconds === undefined ? {} : { "retry-after": String(thrown.retryAfterSeconds) };
  return linkForm(name, { status: STATUSES[thrown.code] ?? 400, code: thrown.code, message: refusalText(thrown), headers });
};
