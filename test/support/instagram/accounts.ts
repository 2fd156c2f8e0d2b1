import { textOf } from "../graph/shape.ts";
import type { TargetOf } from "../graph/webhooks/webhooks.ts";
import { accountOf, type Call, type Effect, json, selected } from "./call.ts";
import { invalid, unsupported } from "./errors.ts";
import { pictureUrl } from "./messages/media.ts";
import { MESSAGES } from "./seeds.ts";
import type { State } from "./state.ts";

/** `GET /me?fields=` and `GET /{account}?fields=` */
export const getAccount = (call: Call): Effect => {
  const { seed, appScopedId } = accountOf(call);
  const { state, query } = call;
  const view = selected(query, {
    id: appScopedId,
    user_id: seed.igUserId,
    username: seed.username ?? `account.${seed.igUserId.slice(-4)}`,
    name: seed.name ?? "Test Business",
    account_type: seed.accountType ?? "BUSINESS",
    profile_picture_url: pictureUrl(state, seed.igUserId),
    followers_count: seed.followersCount ?? 0,
  });
  return {
    operation: "account.get",
    igUserId: seed.igUserId,
    run: () => json(state.settings.meAnswer === "data" ? { data: [view] } : view),
  };
};

const FIELDS = [
  "messages",
  "messaging_postbacks",
  "messaging_seen",
  "messaging_referral",
  "messaging_optins",
  "messaging_handover",
  "message_reactions",
  "message_edit",
  "message_echoes",
  "standby",
  "comments",
  "live_comments",
  "mentions",
  "story_insights",
];

/**
 * `POST /{account}/subscribed_apps`: subscribes the token's app to fields. Refused under `me`, whatever Meta's sample
 * shows.
 */
export const subscribe = (call: Call): Effect => {
  const { subscriptions, seed } = accountOf(call, MESSAGES);
  const { node, method, query, body, token } = call;
  if (node === "me") throw unsupported(method);
  const fields = fieldsOf(query.get("subscribed_fields") ?? body["subscribed_fields"]);
  const unknown = fields.find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw invalid(
      `Param subscribed_fields[${fields.indexOf(unknown)}] must be one of {${FIELDS.join(", ").toUpperCase()}} - got "${unknown}".`,
    );
  if (fields.length === 0) throw invalid("The parameter subscribed_fields is required.");
  const run = () => {
    subscriptions.set(token.appId, fields);
    return json({ success: true });
  };
  return { operation: "subscription.add", igUserId: seed.igUserId, run };
};

/** A comma list, or an array in a JSON body. */
const fieldsOf = (value: unknown): string[] => {
  const names = Array.isArray(value) ? value.map(String) : textOf(value).split(",");
  return names.map((name) => name.trim()).filter((name) => name !== "");
};

/** `GET /{account}/subscribed_apps` */
export const listSubscriptions = (call: Call): Effect => {
  const { subscriptions, seed } = accountOf(call, MESSAGES);
  const data = () => [...subscriptions].map(([id, subscribed_fields]) => ({ subscribed_fields, id }));
  return { operation: "subscription.list", igUserId: seed.igUserId, run: () => json({ data: data() }) };
};

/** `DELETE /{account}/subscribed_apps`: unsubscribes the token's app. */
export const unsubscribe = (call: Call): Effect => {
  const { subscriptions, seed } = accountOf(call, MESSAGES);
  const run = () => {
    subscriptions.delete(call.token.appId);
    return json({ success: true });
  };
  return { operation: "subscription.remove", igUserId: seed.igUserId, run };
};

/** The configured address; null when the account's app has to be subscribed and is not. */
export const webhookTarget =
  ({ accounts, settings }: State): TargetOf =>
  (configuredUrl, { businessAccountId = "" }) => {
    const isSubscribed = (accounts.get(businessAccountId)?.subscriptions.size ?? 0) > 0;
    return settings.isSubscriptionRequired && businessAccountId !== "" && !isSubscribed
      ? null
      : (configuredUrl ?? null);
  };
