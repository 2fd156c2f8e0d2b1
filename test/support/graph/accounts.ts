import { businessAccountOf, type Call, type Effect, isExpired, ok, SUCCESS } from "./call.ts";
import { GraphError } from "./errors.ts";
import { type Fields, textOf } from "./shape.ts";
import type { State, Token } from "./state.ts";
import { accountIdOf } from "./values.ts";
import type { TargetOf, Webhooks } from "./webhooks/webhooks.ts";

/** `GET /{account}/subscribed_apps` */
export const listSubscriptions = (call: Call): Effect => {
  const account = businessAccountOf(call);
  const data = [...account.subscriptions.values()].map(({ appId, overrideUri }) => ({
    whatsapp_business_api_data: {
      id: appId,
      name: `App ${appId}`,
      link: `https://www.facebook.com/games/?app_id=${appId}`,
    },
    ...(overrideUri === undefined ? {} : { override_callback_uri: overrideUri }),
  }));
  return { operation: "subscription.list", run: () => ok({ data }) };
};

/**
 * `POST /{account}/subscribed_apps`: subscribes the token's app. The handshake verifies an override at once, or refuses
 * it.
 */
export const subscribe =
  (webhooks: Webhooks) =>
  (call: Call): Effect => {
    const account = businessAccountOf(call);
    const { override_callback_uri: uri, verify_token: verifyToken } = call.body;
    if (uri !== undefined && (typeof uri !== "string" || uri.length > 200 || !URL.canParse(uri)))
      throw new GraphError(100, { details: "Param override_callback_uri must be a URL of at most 200 characters." });
    const { appId } = call.token;
    const run = async () => {
      if (uri !== undefined) await verifyOverride(webhooks, uri, textOf(verifyToken));
      account.subscriptions.set(appId, { appId, ...(uri === undefined ? {} : { overrideUri: uri }) });
      return SUCCESS;
    };
    return { operation: "subscription.add", run };
  };

const verifyOverride = async (webhooks: Webhooks, url: string, verifyToken: string): Promise<void> => {
  const { isVerified, status } = await webhooks.verify(verifyToken, url);
  if (isVerified) return;
  throw new GraphError(2200, {
    message: `(#2200) Callback verification failed with the following errors: HTTP Status Code = ${status ?? "none"}`,
  });
};

/** `DELETE /{account}/subscribed_apps`: unsubscribes the token's app. */
export const unsubscribe = (call: Call): Effect => {
  const account = businessAccountOf(call);
  const run = () => {
    account.subscriptions.delete(call.token.appId);
    return SUCCESS;
  };
  return { operation: "subscription.remove", run };
};

/**
 * The override of the account's subscription, or the configured address; null when the account's app has to be
 * subscribed and is not.
 */
export const webhookTarget =
  (state: State): TargetOf =>
  (configuredUrl, { phoneNumberId, businessAccountId }) => {
    const accountId =
      businessAccountId ?? (phoneNumberId === undefined ? undefined : accountIdOf(state, phoneNumberId));
    const subscriptions =
      accountId === undefined ? [] : [...(state.accounts.get(accountId)?.subscriptions.values() ?? [])];
    if (accountId !== undefined && state.settings.isSubscriptionRequired && subscriptions.length === 0) return null;
    return subscriptions.find((one) => one.overrideUri !== undefined)?.overrideUri ?? configuredUrl ?? null;
  };

/** `GET /debug_token?input_token=`: the data of a token. An unknown one is answered as not valid. */
export const debugToken = ({ state, query }: Call): Effect => {
  const value = query.get("input_token");
  if (!value) throw new GraphError(100, { message: "(#100) The parameter input_token is required" });
  const token = state.tokens.get(value);
  const data = token
    ? tokenView(state, token)
    : { is_valid: false, scopes: [], error: { code: 190, message: "Invalid OAuth access token." } };
  return { operation: "token.debug", run: () => ok({ data }) };
};

const tokenView = (state: State, token: Token): Fields => {
  const targets = token.grantedIds ?? [...token.businessAccountIds].reverse();
  return viewOfToken(state, token, targets);
};

const viewOfToken = (state: State, token: Token, targets: readonly string[]): Fields => ({
  app_id: token.appId,
  type: "SYSTEM_USER",
  application: `App ${token.appId}`,
  data_access_expires_at: 0,
  expires_at: Math.floor(token.expiresAt / 1000),
  is_valid: !token.isInvalid && !isExpired(state, token),
  issued_at: Math.floor(token.issuedAt / 1000),
  scopes: token.scopes,
  // the newest account comes first
  granular_scopes: token.scopes.map((scope) => ({ scope, target_ids: targets })),
  user_id: "122000000000001",
});
