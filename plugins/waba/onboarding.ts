import type { HttpSend } from "../../src/contract/http.ts";
import type { Signup, SignupConfig, UpstreamNumber } from "../../src/contract/onboarding.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import { type Json, recordOf } from "../../src/kernel/json.ts";
import { type GraphResult, graphClient, isSuccess } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { upstreamResult } from "./errors.ts";
import { NUMBER_FIELDS, phoneNumberOf, profileOf } from "./number.ts";
import type { WabaSettings } from "./plugin.ts";

const SIGNUP_FIELDS = [...NUMBER_FIELDS, "platform_type", "is_on_biz_app"];
const OFFICIAL_API = "CLOUD_API";
const PIN_MISMATCH = 133005;
const COEXISTENCE = "whatsapp_business_app_onboarding";
const SESSION_INFO_VERSION = "3";

/** The calls of Embedded Signup; the app's own secret is sent to the network alone. */
export const wabaSignup = (settings: WabaSettings, send: HttpSend): Signup => {
  const { appId, appSecrets } = settings;
  const [appSecret] = appSecrets;
  const graph = graphClient(send, settings);
  return {
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
    async register(numberId, pin, token) {
      const result = signupResult(
        await graph({
          method: "POST",
          path: [numberId, "register"],
          token,
          body: { messaging_product: "whatsapp", pin },
        }),
        isSuccess,
      );
      return isWrongPin(result)
        ? { ok: true, value: "wrong-pin" }
        : result.ok
          ? { ok: true, value: "registered" }
          : result;
    },
  };
};

/** No channel's token is used here: a refusal concerns what the caller has given. */
const signupResult = <T>(result: GraphResult, read: (json: Json) => T | undefined): UpstreamResult<T> => {
  const settled = upstreamResult(result, read);
  const isTokenRefused = !settled.ok && settled.kind === "token";
  return isTokenRefused && !result.ok && result.fault.kind === "error"
    ? { ok: false, kind: "refused", error: result.fault.said }
    : settled;
};

const configOf = ({ configId, graphVersion, signup = "coexistence" }: WabaSettings, appId: string): SignupConfig => ({
  appId,
  configId: configId ?? null,
  graphVersion,
  extras: { featureType: signup === "coexistence" ? COEXISTENCE : "", sessionInfoVersion: SESSION_INFO_VERSION },
});

const isWrongPin = (result: UpstreamResult<true>): boolean =>
  !result.ok && result.kind === "refused" && result.error.code === PIN_MISMATCH;

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
    profile: profileOf(number),
  };
};
