import type { ApiEnv } from "../../apis/shared/api-env.ts";
import { addressOf } from "../../apis/shared/http/request.ts";
import { allowAddress, secondsUntilReset } from "../../core/tenancy/accounts/limits.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import type { Answer } from "./page.ts";
import { refused } from "./setup-pages.ts";

const MAX_FORM_BYTES = 16 * 1024;

/** The fields of a request's body, a form or JSON. */
export const fieldsIn = async (
  { intake }: Pick<ApiEnv, "intake">,
  request: Request,
): Promise<Record<string, unknown>> => {
  const text = new TextDecoder().decode(await intake.read(request, MAX_FORM_BYTES));
  const isJson = request.headers.get("content-type")?.startsWith("application/json") ?? false;
  const fields: unknown = isJson ? parsedJson(text) : Object.fromEntries(new URLSearchParams(text));
  return (fields ?? {}) as Record<string, unknown>;
};

/** Counts a request by its IP address, so that tokens cannot be guessed. Returns the refusal of too many requests. */
export const refusalOfMany = (env: ApiEnv, request: Request): Answer | undefined => {
  const allowance = allowAddress(env, {
    at: "console",
    address: addressOf(request),
    perMinute: env.rates.addressPerMinute,
  });
  if (!allowance.isExceeded) return undefined;
  return refused(429, "RATE_LIMITED", "Too many requests. Try again in a minute.", {
    "retry-after": String(secondsUntilReset(env, allowance)),
  });
};
