import { TooLarge } from "../../apis/shared/http/body-intake.ts";
import { addressOf } from "../../apis/shared/http/request.ts";
import { awaitedPairing, MAX_WAIT_SECONDS, shownPairing } from "../../apis/shared/pairing.ts";
import {
  channelOfPairingLink,
  linkView,
  requestCodeByLink,
  wakePairing,
} from "../../core/channels/pairing/pairing-links.ts";
import { allowAddress } from "../../core/tenancy/accounts/limits.ts";
import { iso } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError, reasonOf } from "../../kernel/errors.ts";
import { issuesOf, PhoneNumber } from "../../kernel/schema.ts";
import { programPage } from "./assets.ts";
import type { ConsoleEnv } from "./env.ts";
import { fieldsIn, refusalOfMany } from "./forms.ts";
import { respond } from "./page.ts";

const PATH = /^\/pair\/(?<token>[0-9a-f]{32})(?:\/(?<act>state|start|code))?$/;
/** The number of codes to type that one link may request in a minute. The network itself allows fewer. */
const CODES_PER_MINUTE = 5;

/** The headers that keep the page out of caches and search engines, and its address out of referrers. */
const PRIVATE = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };

type Asked = { request: Request; token: string; act: string | undefined; prefix: string };

/**
 * The page of a pairing link: `GET /pair/<token>`, and its requests: `GET …/state`, `POST …/start` and `POST …/code`.
 * The token is the only key to it, and no cookie is read. On several nodes, the node with the channel's link answers.
 * Undefined for other paths.
 */
export const pairPage = async (
  env: ConsoleEnv,
  request: Request,
  { prefix, pathname }: { prefix: string; pathname: string },
): Promise<Response | undefined> => {
  const path = pathname.slice(prefix.length);
  if (!path.startsWith("/pair/")) return undefined;
  const { token, act } = PATH.exec(path)?.groups ?? {};
  const answer =
    token === undefined
      ? unknown(env, request)
      : await answered(env, { request, token, act, prefix }).catch((thrown: unknown) =>
          refusalOf(env, request, thrown),
        );
  for (const [name, value] of Object.entries(PRIVATE)) answer.headers.set(name, value);
  return answer;
};

const refused = (status: number, code: string, message: string, details: object = {}): Response =>
  Response.json({ error: { code, message, details } }, { status });

/** Guesses are counted by address. An ended link gets the answer of an unknown one. */
const unknown = (env: ConsoleEnv, request: Request): Response => {
  const crowded = refusalOfMany(env, request);
  if (crowded) return respond(request, crowded);
  return refused(404, "LINK_UNKNOWN", "This link is not known, has expired or was taken back.");
};

const answered = async (env: ConsoleEnv, asked: Asked): Promise<Response> => {
  const { request, token, act, prefix } = asked;
  const isRead = act === undefined || act === "state";
  if (!(isRead ? ["GET", "HEAD"] : ["POST"]).includes(request.method))
    return refused(405, "METHOD_NOT_ALLOWED", "This page does not take this method.");
  // the page is the same for every link, so that programs that open links learn and change nothing
  if (act === undefined) return programPage(prefix, "pair");
  const { id: channelId } = await channelOfPairingLink(env, token);
  const requestId = request.headers.get("x-request-id") ?? "";
  const other = await env.elsewhere?.({ request, requestId, link: { channelId, isRequired: true } });
  if (other) return other;
  if (act === "state") return Response.json(await stateFor(env, request, token));
  if (act === "start") await wakePairing(env, token);
  else await askForCode(env, request, token);
  return Response.json({ status: "accepted" }, { status: 202 });
};

/** The page shows the code itself as a picture alone. */
const stateFor = async (env: ConsoleEnv, request: Request, token: string): Promise<object> => {
  const { searchParams } = new URL(request.url);
  const asked = Math.floor(Number(searchParams.get("wait") ?? 0) || 0);
  const waiting = {
    seen: searchParams.get("seen") ?? undefined,
    waitSeconds: Math.min(MAX_WAIT_SECONDS, Math.max(0, asked)),
  };
  const view = await awaitedPairing(env, request, () => linkView(env, token), waiting);
  const { qr: _, ...shown } = await shownPairing(view);
  return { ...shown, label: view.label, expiresAt: iso(view.expiresAt) };
};

const NUMBER = PhoneNumber({ min: 8, max: 20, takesBarePlus: true });

const askForCode = async (env: ConsoleEnv, request: Request, token: string): Promise<void> => {
  const at = `pair/${sha256(token).slice(0, 16)}`;
  if (allowAddress(env, { at, address: "link", perMinute: CODES_PER_MINUTE }).isExceeded)
    throw new AppError("TOO_MANY_GUESSES", { message: "Too many codes were asked for. Try again in a minute." });
  const { phoneNumber } = await fieldsIn(env, request);
  const issues = issuesOf(NUMBER, phoneNumber, "phoneNumber");
  if (issues.length > 0) throw new AppError("VALIDATION", { message: "This is no phone number.", issues });
  await requestCodeByLink(env, token, phoneNumber as string);
};

/** TABLE: the status of each refusal; any other one is 409. */
const STATUSES: Partial<Record<AppError["code"], number>> = {
  VALIDATION: 400,
  TOO_MANY_GUESSES: 429,
  PAIRING_NOT_READY: 425,
  PAIRING_IN_PROGRESS: 425,
  ADAPTER_MISSING: 503,
  OVERLOADED: 503,
};

const refusalOf = (env: ConsoleEnv, request: Request, thrown: unknown): Response => {
  if (thrown instanceof TooLarge) return refused(413, "PAYLOAD_TOO_LARGE", "That is too much.");
  if (!(thrown instanceof AppError)) {
    env.log.error({ error: reasonOf(thrown), address: addressOf(request) }, "request failed");
    return refused(500, "INTERNAL_ERROR", "Something went wrong here; the log says what.");
  }
  if (thrown.code === "LINK_UNKNOWN") return unknown(env, request);
  return refused(STATUSES[thrown.code] ?? 409, thrown.code, thrown.message, thrown.details);
};
