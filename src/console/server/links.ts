import { visitorOf } from "../../apis/shared/http/request.ts";
import { acceptWithPassword, join } from "../../core/tenancy/people/invitations.ts";
import { resetOperator } from "../../core/tenancy/people/operators.ts";
import { verifyEmail } from "../../core/tenancy/people/user-links.ts";
import { resetPassword } from "../../core/tenancy/sign-in/recovery.ts";
import type { Codes } from "../../core/tenancy/sign-in/second-step.ts";
import { AppError, invalid, refusalText } from "../../kernel/errors.ts";
import { AnyText, issuesOf, Text } from "../../kernel/schema.ts";
import type { ConsoleEnv } from "./env.ts";
import { fieldsIn, refusalOfMany } from "./forms.ts";
import { type LinkPage, linkDone, linkForm, pageLanguage } from "./link-pages.ts";
import type { Answer } from "./page.ts";
import { refused } from "./setup-pages.ts";

const PASSWORD = Text(8, 1024);
const NAME = Text(1, 200);
/** The user's existing password. It is compared only, so the rules for new ones do not apply. */
const ANY = AnyText();

/** A GET changes nothing, because mail programs open links for previews; only the form uses a link up. */
export const linkPage = async (env: ConsoleEnv, request: Request, name: LinkPage): Promise<Answer> => {
  if (request.method === "GET" || request.method === "HEAD") return linkForm(name, pageLanguage(request));
  if (request.method !== "POST")
    return refused(405, "METHOD_NOT_ALLOWED", "This page takes GET and POST.", { allow: "GET, HEAD, POST" });
  const crowded = refusalOfMany(env, request);
  if (crowded) return crowded;
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const { name: given, password, totp, recovery } = await fieldsIn(env, request);
  const codes = { totp: codeIn(totp), recovery: codeIn(recovery) };
  return ACTS[name](env, request, { token, name: given, password, codes }).catch((thrown: unknown) =>
    faultOf(request, name, thrown),
  );
};

type Given = { token: string; name: unknown; password: unknown; codes: Codes };

const codeIn = (value: unknown): string | undefined => (typeof value === "string" ? value.slice(0, 100) : undefined);

const required = (field: string, schema: typeof PASSWORD, value: unknown): string => {
  const issues = issuesOf(schema, value, field);
  if (issues.length > 0) throw invalid(...issues);
  return value as string;
};

/** TABLE: the action of each page's form. */
const ACTS: Record<LinkPage, (env: ConsoleEnv, request: Request, given: Given) => Promise<Answer>> = {
  async "verify-email"(env, request, { token }) {
    await verifyEmail(env, token, visitorOf(request));
    return linkDone(pageLanguage(request), "verified");
  },
  async "reset-password"(env, request, { token, password, codes }) {
    const given = { token, password: required("password", PASSWORD, password), isHeldToList: true, ...codes };
    await resetPassword(env, given, visitorOf(request));
    return linkDone(pageLanguage(request), "reset");
  },
  async operator(env, request, { token, password }) {
    await resetOperator(env, { token, password: required("password", PASSWORD, password) }, visitorOf(request));
    return linkDone(pageLanguage(request), "chosen");
  },
  async invitation(env, request, { token, name, password, codes }) {
    const { institution } =
      name === undefined
        ? await acceptWithPassword(
            env,
            { token, password: required("password", ANY, password), ...codes },
            visitorOf(request),
          )
        : await join(
            env,
            {
              token,
              name: required("name", NAME, name),
              password: required("password", PASSWORD, password),
              isHeldToList: true,
            },
            visitorOf(request),
          );
    return linkDone(pageLanguage(request), { joined: institution.name });
  },
};

const STATUSES: Partial<Record<AppError["code"], number>> = {
  LINK_UNKNOWN: 404,
  LOGIN_REFUSED: 401,
  SECOND_STEP_REQUIRED: 403,
  TOO_MANY_GUESSES: 429,
  EMAIL_NOT_VERIFIED: 403,
  LIMIT_REACHED: 403,
  OVERLOADED: 503,
};

const faultOf = (request: Request, name: LinkPage, thrown: unknown): Answer => {
  if (!(thrown instanceof AppError)) throw thrown;
  const headers: Record<string, string> =
    thrown.retryAfterSeconds === undefined ? {} : { "retry-after": String(thrown.retryAfterSeconds) };
  return linkForm(name, pageLanguage(request), {
    status: STATUSES[thrown.code] ?? 400,
    code: thrown.code,
    message: refusalText(thrown),
    headers,
  });
};
