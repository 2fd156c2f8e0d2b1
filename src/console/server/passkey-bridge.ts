import { TooLarge } from "../../apis/shared/http/body-intake.ts";
import { pathBelow } from "../../apis/shared/http/request.ts";
import { assertionIn } from "../../apis/shared/passkey.ts";
import { isOpenState } from "../../contract/events.ts";
import { assertOnPage, confirmOnPage, passkeyChannel, passkeyPage } from "../../core/channels/pairing/passkey.ts";
import { AppError, reasonOf, refusalText } from "../../kernel/errors.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import type { ConsoleEnv } from "./env.ts";
import { fieldsIn, refusalOfMany } from "./forms.ts";
import { type Answer, respond } from "./page.ts";
import { busyPage, ceremonyPage, faultPage, languageOf, linkedPage, overPage, type Place } from "./passkey-pages.ts";
import { NOT_FOUND, refused } from "./setup-pages.ts";

const PATH = /^\/passkey\/(?<token>[0-9a-f]{64})(?:\/(?<act>assertion|confirm))?$/;

type Asked = { request: Request; token: string; act: string | undefined; place: Place };

/**
 * The page where the owner of a number uses their passkey: `GET /passkey/<token>`, `POST …/assertion` and `POST
 * …/confirm`. The token is the only key to it; on several nodes, the node with the channel's link answers.
 */
export const passkeyBridge =
  (env: ConsoleEnv, { prefix }: { prefix: string }) =>
  async (request: Request): Promise<Response> => {
    const found = PATH.exec(pathBelow(prefix, request))?.groups;
    if (!found?.["token"]) return respond(request, NOT_FOUND);
    const { token, act } = found;
    const place = { path: `${prefix}/passkey/${token}`, language: languageOf(request) };
    const asked = { request, token, act, place };
    try {
      return await answered(env, asked);
    } catch (thrown) {
      return respond(request, faultOf(env, asked, thrown));
    }
  };

const answered = async (env: ConsoleEnv, asked: Asked): Promise<Response> => {
  const { request, token, act } = asked;
  const allowed = act === undefined ? "GET, HEAD" : "POST";
  if (!allowed.includes(request.method))
    return respond(
      request,
      refused(405, "METHOD_NOT_ALLOWED", "This page does not take this method.", { allow: allowed }),
    );
  const { id: channelId } = await passkeyChannel(env, token);
  const requestId = request.headers.get("x-request-id") ?? "";
  const other = await env.elsewhere?.({ request, requestId, link: { channelId, isRequired: true } });
  return other ?? respond(request, await (act === undefined ? shown(env, asked) : acted(env, asked)));
};

const shown = async (env: ConsoleEnv, { token, place }: Asked): Promise<Answer> => {
  const { channel, ceremony } = await passkeyPage(env, token);
  if (ceremony) return ceremonyPage(place, ceremony);
  return channel.state === "CONNECTING" || isOpenState(channel.state) ? linkedPage(place) : overPage(place);
};

const acted = async (env: ConsoleEnv, { request, token, act, place }: Asked): Promise<Answer> => {
  if (act === "confirm") await confirmOnPage(env, token);
  else await assertOnPage(env, token, assertionIn(pastedIn(await fieldsIn(env, request))));
  return busyPage(place, { status: "accepted" });
};

/** The assertion of a form, or of a JSON body. */
const pastedIn = (fields: Record<string, unknown>): unknown => {
  const { assertion } = fields;
  return typeof assertion === "string" ? parsedJson(assertion.trim()) : (assertion ?? fields);
};

/** TABLE: the status of each refusal. An ended link gets the answer of an unknown one. */
const STATUSES: Partial<Record<AppError["code"], number>> = { PASSKEY_NOT_REQUESTED: 409, OVERLOADED: 503 };

const faultOf = (env: ConsoleEnv, { request, place }: Asked, thrown: unknown): Answer => {
  if (thrown instanceof TooLarge)
    return faultPage(place, { status: 413, code: "PAYLOAD_TOO_LARGE", message: "Too much." });
  if (!(thrown instanceof AppError)) {
    env.log.error({ error: reasonOf(thrown) }, "request failed");
    return refused(500, "INTERNAL_ERROR", "Something went wrong here; the log says what.");
  }
  if (thrown.code === "LINK_UNKNOWN") return refusalOfMany(env, request) ?? overPage(place);
  return faultPage(place, { status: STATUSES[thrown.code] ?? 400, code: thrown.code, message: refusalText(thrown) });
};
