import type { SignupEvent } from "../../../src/contract/abilities/onboarding.ts";
import { isRecord, type Json, recordOf } from "../../../src/kernel/texts/json.ts";
import { parseRecord, textOf } from "../../meta/json.ts";

const TYPE = "WA_EMBEDDED_SIGNUP";
const COEXISTENCE = "FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING";

/**
 * TABLE: the events of Embedded Signup's session information, of v2 to v4:
 * https://developers.facebook.com/docs/whatsapp/embedded-signup/implementation
 */
const RESULTS: ReadonlyMap<string, SignupEvent["result"]> = new Map([
  ["FINISH", "FINISHED"],
  ["FINISH_ONLY_WABA", "FINISHED"],
  [COEXISTENCE, "FINISHED"],
  ["FINISH_OBO_MIGRATION", "FINISHED"],
  ["FINISH_GRANT_ONLY_API_ACCESS", "FINISHED"],
  ["CANCEL", "CANCELLED"],
  ["ERROR", "FAILED"],
]);

/**
 * Reads a message of the network's page, an object or its JSON. An event that reports an error is `FAILED`, even under
 * the name CANCEL. Never throws.
 */
export const readSignupEvent = (message: unknown): SignupEvent => {
  const said = typeof message === "string" ? (parseRecord(message) ?? {}) : recordOf(message);
  const event = textOf(said["event"]) ?? null;
  const data = recordOf(said["data"]);
  const error = errorOf(said, data);
  const result = said["type"] === TYPE ? RESULTS.get(event ?? "") : undefined;
  return {
    result: result === "CANCELLED" && error ? "FAILED" : (result ?? "OTHER"),
    event,
    accountId: textOf(data["waba_id"]) ?? textOf(said["waba_id"]) ?? null,
    numberId: textOf(data["phone_number_id"]) ?? textOf(said["phone_number_id"]) ?? null,
    businessId: textOf(data["business_id"]) ?? null,
    isCoexistent: event === COEXISTENCE,
    step: textOf(data["current_step"]) ?? null,
    error,
  };
};

const MAX_TEXT = 1000;

/** Under `data`, or beside it, as older forms have it. */
const errorOf = (said: Json, data: Json): SignupEvent["error"] => {
  const holder = [data, said].find((one) => textOf(one["error_message"]) !== undefined || isRecord(one["error"]));
  if (!holder)
    return said["event"] === "ERROR" ? { code: null, message: "The sign-up failed.", sessionId: null } : null;
  const message = textOf(holder["error_message"]) ?? textOf(recordOf(holder["error"])["message"]);
  return {
    code: textOf(holder["error_code"]) ?? textOf(holder["error_id"]) ?? null,
    message: (message ?? "The sign-up failed.").slice(0, MAX_TEXT),
    sessionId: textOf(holder["session_id"]) ?? null,
  };
};
