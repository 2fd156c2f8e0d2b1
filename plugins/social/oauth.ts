import type { GrantedAccount, OAuth } from "../../src/contract/abilities/oauth.ts";
import type { Http, HttpSend } from "../../src/contract/ports/http.ts";
import type { UpstreamFailure, UpstreamResult } from "../../src/contract/upstream.ts";
import { type Clock, iso, SECOND_MS } from "../../src/kernel/clock.ts";
import { listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { withoutTrailing } from "../../src/kernel/texts/texts.ts";
import { type Graph, graphClient, isSuccess } from "../meta/graph.ts";
import { numberOf, parseRecord, textOf } from "../meta/json.ts";
import { upstreamResult } from "./errors.ts";
import type { SocialSettings } from "./plugin.ts";

const SCOPES = ["instagram_business_basic", "instagram_business_manage_messages"];
const COMMENTS_SCOPE = "instagram_business_manage_comments";

/** The permissions that an owner is asked for. */
const scopesOf = ({ comments }: SocialSettings): string[] => [...SCOPES, ...(comments ? [COMMENTS_SCOPE] : [])];
const ME_FIELDS = ["user_id", "username", "name", "account_type"];
const WEBHOOK_FIELDS = [
  "messages",
  "messaging_postbacks",
  "messaging_seen",
  "message_reactions",
  "message_edit",
  "messaging_referral",
];
/**
 * Fields that an app may lack: those for conversation control, and comments, which need a permission of their own.
 * Everything else works without them.
 */
const SHARED_FIELDS = ["messaging_handover", "standby"];
const COMMENT_FIELDS = ["comments", "live_comments"];

/** A token with its expiry, in milliseconds. */
export type Token = { accessToken: string; issuedAt: number; expiresAt: number };

/** The three steps of a consent: code → short token → token of 60 days; then the account, and its webhooks. */
export const socialOAuth = (settings: SocialSettings, http: Http, clock: Clock): OAuth => {
  const { appId, appSecrets, redirectUris } = settings;
  const [appSecret] = appSecrets;
  // this host documents no proof of the app's secret: none is sent
  const graph = graphClient(http.trusted, { ...settings, appSecrets: [] });
  return {
    config:
      appId === undefined || appSecret === undefined
        ? undefined
        : { appId, authorizeUrl: authorizeUrlOf(settings, appId), scopes: scopesOf(settings), redirectUris },
    async exchange(code, redirectUri) {
      if (appId === undefined || appSecret === undefined)
        return { ok: false, kind: "credentials", reason: "no app is configured" };
      const short = await shortToken(http.trusted, settings.tokenUrl, {
        client_id: appId,
        client_secret: appSecret,
        redirect_uri: redirectUri,
        code: withoutFragment(code),
      });
      if (!short.ok) return short;
      const token = await longToken(http.trusted, settings, clock, {
        grant_type: "ig_exchange_token",
        client_secret: appSecret,
        access_token: short.value,
      });
      return asConsent(token.ok ? await accountOf(graph, settings, token.value) : token);
    },
  };
};

/** No channel has a token to replace yet: a refused token means a failed consent. */
const asConsent = (result: UpstreamResult<GrantedAccount>): UpstreamResult<GrantedAccount> =>
  result.ok || result.kind !== "token"
    ? result
    : { ok: false, kind: "refused", error: { code: null, error_subcode: null, message: result.reason } };

const authorizeUrlOf = (settings: SocialSettings, appId: string): string => {
  const query = new URLSearchParams({ client_id: appId, response_type: "code", scope: scopesOf(settings).join(",") });
  return `${withoutTrailing(settings.authorizeUrl, "/")}/oauth/authorize?${query.toString()}`;
};

/** The browser passes the code on with the fragment that the network appends to it. */
const withoutFragment = (code: string): string => code.replace(/#_$/, "");

/** Answers in its own shape, `{error_type, code, error_message}`; a success is flat or wrapped in `data`. */
const shortToken = async (
  send: HttpSend,
  tokenUrl: string,
  form: Record<string, string>,
): Promise<UpstreamResult<string>> => {
  const answer = await send({
    method: "POST",
    url: `${withoutTrailing(tokenUrl, "/")}/oauth/access_token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...form, grant_type: "authorization_code" }).toString(),
  });
  if (!answer.ok) return unavailable(`no answer came (${answer.failure})`);
  const json = parseRecord(new TextDecoder().decode(answer.body)) ?? {};
  const token = textOf(json["access_token"]) ?? textOf(recordOf(listOf(json["data"])[0])["access_token"]);
  if (answer.status < 300 && token !== undefined) return { ok: true, value: token };
  const message = textOf(json["error_message"]);
  if (message === undefined) return unavailable(`HTTP ${answer.status}`);
  return { ok: false, kind: "refused", error: { code: numberOf(json["code"]) ?? null, error_subcode: null, message } };
};

/** Exchanges or refreshes a token: the new one is valid for 60 days. */
export const longToken = async (
  send: HttpSend,
  { graphUrl }: SocialSettings,
  clock: Clock,
  query: Record<string, string>,
): Promise<UpstreamResult<Token>> => {
  const edge = query["grant_type"] === "ig_refresh_token" ? "refresh_access_token" : "access_token";
  const issuedAt = clock.now();
  // without a version, and with the token in the query, as in the documents
  const result = await graphClient(send, { graphUrl, graphVersion: "" })({
    method: "GET",
    path: [edge],
    query,
    token: query["access_token"] ?? "",
  });
  return upstreamResult(result, (json) => {
    const [accessToken, seconds] = [textOf(json["access_token"]), numberOf(json["expires_in"])];
    return accessToken === undefined || seconds === undefined
      ? undefined
      : { accessToken, issuedAt, expiresAt: issuedAt + seconds * SECOND_MS };
  });
};

/** The account of a token. The id in paths and webhooks is `user_id`, not `id`. */
const accountOf = async (
  graph: Graph,
  settings: SocialSettings,
  token: Token,
): Promise<UpstreamResult<GrantedAccount>> => {
  const me = await readAccount(graph, token.accessToken);
  if (!me.ok) return me;
  const { igUserId, profile } = me.value;
  const subscribed = await subscribe(graph, settings, { igUserId, token: token.accessToken });
  if (!subscribed.ok) return subscribed;
  return {
    ok: true,
    value: {
      numberId: igUserId,
      profile: { ...profile, ...expiryOf(token), igWebhookConfigured: true },
      credentials: { igUserId, ...fieldsOf(token) },
    },
  };
};

/** An account as the network describes it: flat, or wrapped in `data`. */
export const readAccount = async (
  graph: Graph,
  token: string,
): Promise<UpstreamResult<{ igUserId: string; profile: Record<string, unknown> }>> =>
  upstreamResult(await graph({ method: "GET", path: ["me"], fields: ME_FIELDS, token }), (json) => {
    const me = json["user_id"] === undefined ? recordOf(listOf(json["data"])[0]) : json;
    const igUserId = textOf(me["user_id"]);
    if (igUserId === undefined) return undefined;
    return {
      igUserId,
      profile: {
        igUsername: textOf(me["username"]) ?? null,
        igAccountType: textOf(me["account_type"])?.toUpperCase() ?? null,
      },
    };
  });

/** By the account's own id: the network refuses `me` here, unlike the samples. */
const subscribeTo = async (
  graph: Graph,
  { igUserId, token }: { igUserId: string; token: string },
  fields: readonly string[],
): Promise<UpstreamResult<true>> =>
  upstreamResult(
    await graph({
      method: "POST",
      path: [igUserId, "subscribed_apps"],
      query: { subscribed_fields: fields.join(",") },
      token,
    }),
    isSuccess,
  );

/**
 * Subscribes the account to messages, to conversation control and, if the operator wants them, to comments. An app that
 * lacks one of the last two is subscribed to messages alone: `basic`.
 */
export const subscribe = async (
  graph: Graph,
  { comments }: Pick<SocialSettings, "comments">,
  account: { igUserId: string; token: string },
): Promise<UpstreamResult<"all" | "basic">> => {
  const all = await subscribeTo(graph, account, [
    ...WEBHOOK_FIELDS,
    ...SHARED_FIELDS,
    ...(comments ? COMMENT_FIELDS : []),
  ]);
  if (all.ok) return { ok: true, value: "all" };
  if (all.kind !== "refused") return all;
  const basic = await subscribeTo(graph, account, WEBHOOK_FIELDS);
  return basic.ok ? { ok: true, value: "basic" } : basic;
};

/** The token as the vault keeps it. */
export const fieldsOf = ({ accessToken, issuedAt, expiresAt }: Token): Record<string, string> => ({
  accessToken,
  tokenIssuedAt: String(issuedAt),
  tokenExpiresAt: String(expiresAt),
});
export const expiryOf = ({ expiresAt }: Token): Record<string, unknown> => ({ igTokenExpiresAt: iso(expiresAt) });

const unavailable = (reason: string): UpstreamFailure => ({
  ok: false,
  kind: "unavailable",
  reason,
  mayHaveHappened: true,
});
