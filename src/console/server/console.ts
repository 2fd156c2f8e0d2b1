import { TooLarge } from "../../apis/shared/http/body-intake.ts";
import { pathBelow, visitorOf } from "../../apis/shared/http/request.ts";
import { forgetSetUp, setUp, setUpAgain, setupLinkState, viaSetupLink } from "../../core/tenancy/people/first-start.ts";
import { AppError, reasonOf, refusalText } from "../../kernel/errors.ts";
import type { Addresses } from "../../kernel/network/addresses.ts";
import type { ConsoleEnv } from "./env.ts";
import { fieldsIn, refusalOfMany } from "./forms.ts";
import { home } from "./home-page.ts";
import { isLinkPage } from "./link-pages.ts";
import { linkPage } from "./links.ts";
import { ownEndpoints } from "./own/own.ts";
import { type Answer, respond } from "./page.ts";
import { program } from "./program.ts";
import { done, form, KEPT, LINK_REFUSALS, NOT_FOUND, refused } from "./setup-pages.ts";

/** The console: the start page, the `setup` page of the first start, and the pages of links from e-mails. */
export const consolePages = (env: ConsoleEnv, { prefix }: { prefix: string }, addresses: Addresses) => {
  const own = ownEndpoints(env, { prefix, consoleUrl: addresses.consoleUrl });
  return async (request: Request): Promise<Response> => {
    const answer = await own(request);
    if (answer) return answer;
    const path = pathBelow(prefix, request);
    const shown = await program(request, path, prefix);
    if (shown) return shown;
    const page = path.slice(1);
    if (isLinkPage(page))
      return respond(request, await linkPage(env, request, page).catch((thrown: unknown) => answerOf(env, thrown)));
    switch (path) {
      case "":
      case "/":
        return respond(request, home(addresses));
      case "/setup":
        return respond(request, await setup(env, request, prefix).catch((thrown: unknown) => answerOf(env, thrown)));
      default:
        return respond(request, NOT_FOUND);
    }
  };
};

/** A GET changes nothing; only the form uses the link up. */
const setup = async (env: ConsoleEnv, request: Request, prefix: string): Promise<Answer> => {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const shown = await resultFor(env, request);
  if (shown) return shown;
  if (request.method === "POST") return takeForm(env, request, { token, prefix });
  if (request.method !== "GET" && request.method !== "HEAD")
    return refused(405, "METHOD_NOT_ALLOWED", "This page takes GET and POST.", { allow: "GET, HEAD, POST" });
  const state = await setupLinkState(env, token);
  return state === "open" ? form() : refusalOf(env, request, state);
};

const takeForm = async (
  env: ConsoleEnv,
  request: Request,
  { token, prefix }: { token: string; prefix: string },
): Promise<Answer> => {
  const state = await setupLinkState(env, token); // without a valid link the form is not read
  if (state !== "open") return refusalOf(env, request, state);
  const result = await setUp(env, viaSetupLink(visitorOf(request)), {
    token,
    name: await nameIn(env, request),
  });
  if (typeof result === "string") return refusalOf(env, request, result);
  const isSecure = new URL(env.gatewayUrl()).protocol === "https:";
  const cookie = `${VIEW_COOKIE}=${result.viewToken}; Path=${prefix}/setup; Max-Age=1800; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return { ...done(result, env.gatewayUrl()), headers: { "set-cookie": cookie } };
};

/** The cookie with the view token of `setUp`, in the browser that sent the form. */
const VIEW_COOKIE = "recado-setup";

/**
 * The page with the results of the set-up, for the browser that made it, also after a reload. Undefined for others. Its
 * form deletes the results.
 */
const resultFor = async (env: ConsoleEnv, request: Request): Promise<Answer | undefined> => {
  const viewToken = new Bun.CookieMap(request.headers.get("cookie") ?? "").get(VIEW_COOKIE);
  const made = viewToken ? await setUpAgain(env, viewToken) : undefined;
  if (!viewToken || !made) return undefined;
  const { kept } = request.method === "POST" ? await fieldsIn(env, request) : {};
  if (kept === undefined) return done(made, env.gatewayUrl());
  await forgetSetUp(env, viewToken);
  return KEPT;
};

/** Counts only requests with an unknown token. */
const refusalOf = (env: ConsoleEnv, request: Request, state: keyof typeof LINK_REFUSALS): Answer => {
  if (state !== "unknown") return LINK_REFUSALS[state];
  env.refusals.note(visitorOf(request));
  return refusalOfMany(env, request) ?? LINK_REFUSALS[state];
};

/** The trimmed name of a form. The rule for names refuses a missing or invalid one. */
const nameIn = async (env: ConsoleEnv, request: Request): Promise<unknown> => {
  const { name } = await fieldsIn(env, request);
  return typeof name === "string" ? name.trim() : name;
};

const answerOf = (env: ConsoleEnv, thrown: unknown): Answer => {
  if (thrown instanceof TooLarge) return refused(413, "PAYLOAD_TOO_LARGE", "That is too much for one form.");
  if (thrown instanceof AppError && thrown.code === "VALIDATION") return form(refusalText(thrown));
  if (thrown instanceof AppError && thrown.code === "BODY_TIMEOUT")
    return refused(408, "REQUEST_TIMEOUT", thrown.message);
  if (thrown instanceof AppError)
    return refused(503, "UNAVAILABLE", thrown.message, { "retry-after": String(thrown.retryAfterSeconds ?? 1) });
  env.log.error({ error: reasonOf(thrown) }, "request failed");
  return refused(500, "INTERNAL_ERROR", "Something went wrong here; the log says what.");
};
