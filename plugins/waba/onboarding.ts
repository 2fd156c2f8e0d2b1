import type { HttpSend } from "../../src/contract/http.ts";
import type { Signup, SignupConfig, UpstreamNumber } from "../../src/contract/onboarding.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import { graphClient, upstreamResult } from "./graph.ts";
import { type Json, listOf, recordOf, textOf } from "./json.ts";
import type { WabaSettings } from "./plugin.ts";

/** What is asked about a number wherever it is met. */
export const NUMBER_FIELDS = ["id", "display_phone_number", "verified_name", "quality_rating", "throughput"];
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
            upstreamResult(await graph({ method: "GET", path: ["oauth", "access_token"], query: { client_id: appId, client_secret: appSecret, code }, token: appSecret }), (json) =>
              textOf(json["access_token"]),
            ),
    numbers: async (accountId, token) =>
      upstreamResult(await graph({ method: "GET", path: [accountId, "phone_numbers"], fields: SIGNUP_FIELDS, query: { limit: "100" }, token }), (json) =>
        listOf(json["data"]).flatMap((number) => numberOf(recordOf(number)) ?? []),
      ),
    subscribe: async (accountId, token) => upstreamResult(await graph({ method: "POST", path: [accountId, "subscribed_apps"], token }), isSuccess),
    async register(numberId, pin, token) {
      const result = upstreamResult(await graph({ method: "POST", path: [numberId, "register"], token, body: { messaging_product: "whatsapp", pin } }), isSuccess);
      return isWrongPin(result) ? { ok: true, value: "wrong-pin" } : result.ok ? { ok: true, value: "registered" } : result;
    },
  };
};

const configOf = ({ configId, graphVersion, signup = "coexistence" }: WabaSettings, appId: string): SignupConfig => ({
  appId,
  configId: configId ?? null,
  graphVersion,
  extras: { featureType: signup === "coexistence" ? COEXISTENCE : "", sessionInfoVersion: SESSION_INFO_VERSION },
});

export const isSuccess = (answer: Json): true | undefined => (answer["success"] === true ? true : undefined);

const isWrongPin = (result: UpstreamResult<true>): boolean => !result.ok && result.kind === "refused" && result.error.code === PIN_MISMATCH;

const numberOf = (number: Json): UpstreamNumber | undefined => {
  const numberId = textOf(number["id"]);
  if (numberId === undefined) return undefined;
  const platformType = textOf(number["platform_type"]) ?? null;
  const isRegistered = platformType === OFFICIAL_API;
  return { numberId, phoneNumber: phoneNumberOf(number), platformType, isRegistered, isCoexistent: isRegistered && number["is_on_biz_app"] === true, profile: profileOf(number) };
};

export const phoneNumberOf = (number: Json): string | null => textOf(number["display_phone_number"])?.replace(/\D/g, "") || null;

/** Facts of a number that a face shows. */
export const profileOf = (number: Json): Record<string, unknown> => ({
  wabaQualityRating: textOf(number["quality_rating"]) ?? null,
  wabaThroughputLevel: textOf(recordOf(number["throughput"])["level"]) ?? null,
  wabaVerifiedName: textOf(number["verified_name"]) ?? null,
});
