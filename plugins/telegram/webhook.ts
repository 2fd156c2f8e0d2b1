import { createHash, timingSafeEqual } from "node:crypto";
import type { ChannelWebhook } from "../../src/contract/plugin.ts";
import { callbackIdOf, eventOf } from "./inbound.ts";
import { parseRecord } from "./json.ts";

/**
 * The header with the secret that `setWebhook` named (https://core.telegram.org/bots/api#setwebhook). It does not sign
 * the body.
 */
const HEADER = "x-telegram-bot-api-secret-token";
const SECRET = /^[A-Za-z0-9_-]{32,256}$/;

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Updates as the network posts them, one per request. */
export const telegramWebhook: ChannelWebhook = {
  isSigned: (headers) => SECRET.test(headers.get(HEADER) ?? ""),
  verify(_rawBody, headers, { webhookSecret = "" }) {
    const given = headers.get(HEADER) ?? "";
    return SECRET.test(webhookSecret) && timingSafeEqual(hashOf(given), hashOf(webhookSecret));
  },
  parse: (rawBody) => [eventOf(parseRecord(rawBody) ?? {})],
  answer(rawBody) {
    const id = callbackIdOf(parseRecord(rawBody) ?? {});
    return id === undefined ? undefined : { method: "answerCallbackQuery", callback_query_id: id };
  },
};
