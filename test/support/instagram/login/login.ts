import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { type Effect, json, type Reply } from "../call.ts";
import { loginRefusal } from "../errors.ts";
import { newCode, newToken } from "../ids.ts";
import { type Authorization, BASIC, SCOPES, type Scope } from "../seeds.ts";
import { addToken, type Code, DEFAULT_SCOPES, firstAppId, type State } from "../state.ts";

const CODE_TTL_MS = HOUR_MS;

/** A code as the authorize page gives it, without a browser. Throws an Error without a signed-in account. */
export const authorize = (
  state: State,
  { redirectUri, appId = firstAppId(state), igUserId = signedIn(state), scopes = [...DEFAULT_SCOPES] }: Authorization,
): string => {
  if (!igUserId || !state.accounts.has(igUserId)) throw new Error("no account is signed in: add one first");
  const granted = scopes.filter((scope) => !state.settings.declinedScopes.includes(scope));
  const code: Code = {
    code: newCode(state.random),
    appId,
    igUserId,
    redirectUri,
    scopes: granted,
    issuedAt: state.clock.now(),
    isUsed: false,
  };
  state.codes.set(code.code, code);
  return code.code;
};

const signedIn = ({ settings, accounts }: State): string | undefined =>
  settings.signedInAs || accounts.keys().next().value;

/**
 * `GET /oauth/authorize` of www.instagram.com: the user has answered before the page is seen, and the browser is sent
 * back at once.
 */
export const authorizePage = (state: State, query: URLSearchParams): Effect => {
  const appId = query.get("client_id") ?? "";
  const redirectUri = query.get("redirect_uri") ?? "";
  const app = state.apps.get(appId);
  if (!app) throw loginRefusal("Invalid platform app");
  if (!app.redirectUris.includes(redirectUri)) throw loginRefusal("Invalid redirect_uri");
  if (query.get("response_type") !== "code") throw loginRefusal("Invalid response_type");
  const scopes = scopesOf(query.get("scope") ?? "");
  const run = () => {
    const answer =
      state.settings.authorization === "cancel"
        ? CANCELLED
        : { code: authorize(state, { redirectUri, appId, scopes }) };
    return redirect(redirectUri, { ...answer, ...(query.has("state") ? { state: query.get("state") ?? "" } : {}) });
  };
  return { operation: "authorize", run };
};

const CANCELLED = {
  error: "access_denied",
  error_reason: "user_denied",
  error_description: "The user denied your request.",
};

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** Separated by commas or spaces. */
const scopesOf = (text: string): Scope[] => {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  const known = names.filter(isScope);
  if (known.length < names.length) throw loginRefusal(`Invalid scope: ${names.find((name) => !isScope(name))}`);
  if (!known.includes(BASIC)) throw loginRefusal(`Invalid scope: ${BASIC} is required`);
  return known;
};

/** Instagram puts `#_` behind a code, and leaves its removal to the app. */
const redirect = (uri: string, answer: Record<string, string>): Reply => {
  const query = new URLSearchParams(answer).toString();
  return {
    status: 302,
    body: "",
    headers: { location: `${uri}${uri.includes("?") ? "&" : "?"}${query}${"code" in answer ? "#_" : ""}` },
  };
};

const REQUIRED = ["client_id", "client_secret", "grant_type", "redirect_uri", "code"] as const;

/** `POST /oauth/access_token` of api.instagram.com: a form; the code is used up once a token has been made. */
export const exchangeCode = (state: State, form: Record<string, string>): Effect => {
  for (const name of REQUIRED) if (!form[name]) throw loginRefusal(`Missing required field ${name}`);
  const app = state.apps.get(form["client_id"] ?? "");
  if (!app) throw loginRefusal("Invalid platform app");
  if (form["client_secret"] !== app.appSecret) throw loginRefusal("Error validating client secret.");
  if (form["grant_type"] !== "authorization_code") throw loginRefusal("Invalid grant_type");
  const code = codeOf(state, form["code"] ?? "", app.appId);
  if (form["redirect_uri"] !== code.redirectUri) throw loginRefusal("Redirect URI doesn't match original redirect URI");
  const run = () => {
    code.isUsed = true;
    const { value } = addToken(state, {
      token: newToken(state.random),
      igUserId: code.igUserId,
      appId: code.appId,
      kind: "short",
      scopes: [...code.scopes],
    });
    return json(tokenAnswer(state, code, value));
  };
  return { operation: "code.exchange", igUserId: code.igUserId, run };
};

const codeOf = ({ codes, clock }: State, value: string, appId: string): Code => {
  const code = codes.get(value);
  if (!code || code.appId !== appId || clock.now() - code.issuedAt >= CODE_TTL_MS)
    throw loginRefusal("Matching code was not found or was already used");
  if (code.isUsed) throw loginRefusal("This authorization code has been used");
  return code;
};

const tokenAnswer = ({ settings, accounts }: State, { igUserId, scopes }: Code, token: string): string => {
  const permissions = settings.permissionsAs === "list" ? scopes : scopes.join(",");
  const documented = { access_token: token, user_id: accounts.get(igUserId)?.appScopedId, permissions };
  if (settings.tokenAnswer === "data") return JSON.stringify({ data: [documented] });
  // written by hand: as a number of JavaScript the id would lose its last digits before it is sent
  return `{"access_token": ${JSON.stringify(token)}, "user_id": ${igUserId}, "permissions": ${JSON.stringify(permissions)}}`;
};
