import type { Signup, SignupConfig, UpstreamNumber } from "../../../src/contract/abilities/onboarding.ts";
import type { HttpSend } from "../../../src/contract/ports/http.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { type Graph, type GraphResult, graphClient, isSuccess } from "../../meta/graph.ts";
import { textOf } from "../../meta/json.ts";
import { upstreamResult } from "../errors.ts";
import { NUMBER_FIELDS, phoneNumberOf, profileOf } from "../number.ts";
import type { WabaSettings } from "../plugin.ts";
import { registered, registration } from "./own-number.ts";
import { readSignupEvent } from "./signup-event.ts";

const SIGNUP_FIELDS = [...NUMBER_FIELDS, "platform_type", "is_on_biz_app", "code_verification_status"];
const OFFICIAL_API = "CLOUD_API";
const VERIFIED = "VERIFIED";
const COEXISTENCE = "whatsapp_business_app_onboarding";
const SESSION_INFO_VERSION = "3";

/** The calls of Embedded Signup; the app's own secret is sent only to the network. */
export const wabaSignup = (settings: WabaSettings, send: HttpSend): Signup => {
  const { appId, appSecrets } = settings;
  const [appSecret] = appSecrets;
  const graph = graphClient(send, settings);
  return {
    emptyLabel: "WhatsApp Business",
    hasRandomPins: settings.signupPin === "random",
    readEvent: readSignupEvent,
    ...(appId === undefined || appSecret === undefined
      ? {}
      : { grants: (token) => grantsOf(graph, token, { appId, appSecret }) }),
    config: appId === undefined ? undefined : configOf(settings, appId),
    exchange:
      appId === undefined || appSecret === undefined
        ? undefined
        : async (code) =>
            signupResult(
              await graph({
                method: "GET",
                path: ["oauth", "access_token"],
                query: { client_id: appId, client_secret: appSecret, code },
                token: undefined,
              }),
              (json) => textOf(json["access_token"]),
            ),
    numbers: async (accountId, token) =>
      signupResult(
        await graph({
          method: "GET",
          path: [accountId, "phone_numbers"],
          fields: SIGNUP_FIELDS,
          query: { limit: "100" },
          token,
        }),
        (json) =>
          Array.isArray(json["data"]) ? json["data"].flatMap((number) => numberOf(recordOf(number)) ?? []) : undefined,
      ),
    subscribe: async (accountId, token) =>
      signupResult(await graph({ method: "POST", path: [accountId, "subscribed_apps"], token }), isSuccess),
    register: async (numberId, pin, token) =>
      registered(signupResult(await graph({ ...registration(numberId, pin), token }), isSuccess)),
  };
};

/** No channel's token is used here: a refusal concerns the caller's input. */
const signupResult = <T>(result: GraphResult, read: (json: Json) => T | undefined): UpstreamResult<T> => {
  const settled = upstreamResult(result, read);
  const isTokenRefused = !settled.ok && settled.kind === "token";
  return isTokenRefused && !result.ok && result.fault.kind === "error"
    ? { ok: false, kind: "refused", error: result.fault.said }
    : settled;
};

/**
 * The business accounts that the person granted to the app, by the token's data. A permission without accounts holds
 * for all of the token's.
 */
const grantsOf = async (
  graph: Graph,
  token: string,
  { appId, appSecret }: { appId: string; appSecret: string },
): Promise<UpstreamResult<readonly string[] | "all">> =>
  signupResult(
    await graph({
      method: "GET",
      path: ["debug_token"],
      query: { input_token: token },
      token: `${appId}|${appSecret}`,
    }),
    (json) => grantedIn(recordOf(json["data"]), appId),
  );

const MANAGEMENT = "whatsapp_business_management";

const grantedIn = (data: Json, appId: string): readonly string[] | "all" | undefined => {
  if (typeof data["is_valid"] !== "boolean") return undefined;
  if (!data["is_valid"] || textOf(data["app_id"]) !== appId) return [];
  const granted = listOf(data["granular_scopes"])
    .map(recordOf)
    .filter(({ scope }) => scope === MANAGEMENT);
  if (granted.some(({ target_ids: ids }) => ids === undefined)) return "all";
  return granted.flatMap(({ target_ids: ids }) => listOf(ids).flatMap((id) => textOf(id) ?? []));
};

/** `setup` and `version` select v4: https://developers.facebook.com/docs/whatsapp/embedded-signup/versions */
const configOf = (
  { configId, graphVersion, signup = "coexistence", signupVersion = "v4" }: WabaSettings,
  appId: string,
): SignupConfig => ({
  appId,
  configId: configId ?? null,
  graphVersion,
  extras: {
    setup: {},
    featureType: signup === "coexistence" ? COEXISTENCE : "",
    sessionInfoVersion: SESSION_INFO_VERSION,
    version: signupVersion,
  },
});

const numberOf = (number: Json): UpstreamNumber | undefined => {
  const numberId = textOf(number["id"]);
  if (numberId === undefined) return undefined;
  const platformType = textOf(number["platform_type"]) ?? null;
  const isRegistered = platformType === OFFICIAL_API;
  return {
    numberId,
    phoneNumber: phoneNumberOf(number),
    platformType,
    isRegistered,
    isCoexistent: isRegistered && number["is_on_biz_app"] === true,
    isVerified: (textOf(number["code_verification_status"]) ?? VERIFIED) === VERIFIED,
    profile: profileOf(number),
  };
};
