import { createHash, timingSafeEqual } from "node:crypto";
import type { ChannelWebhook, WebhookRequest } from "../../src/contract/webhooks.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { callbackIdOf, eventsOf } from "./inbound.ts";
import { parseRecord } from "./json.ts";

/**
 * The header with the secret that `setWebhook` named (https://core.telegram.org/bots/api#setwebhook). It does not sign
 * the body.
 */
const HEADER = "x-telegram-bot-api-secret-token";
const SECRET = /^[A-Za-z0-9_-]{32,256}$/;

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

const updateIn = ({ rawBody }: WebhookRequest): Json => parseRecord(new TextDecoder().decode(rawBody)) ?? {};

/** Updates as the network posts them, one per request. */
export const telegramWebhook = {
  isSigned: ({ headers }) => SECRET.test(headers.get(HEADER) ?? ""),
  verify({ headers }, { webhookSecret = "" }) {
    const given = headers.get(HEADER) ?? "";
    return SECRET.test(webhookSecret) && timingSafeEqual(hashOf(given), hashOf(webhookSecret));
  },
  parse: (request) => eventsOf(updateIn(request)),
  answer(request) {
    const id = callbackIdOf(updateIn(request));
    if (id === undefined) return undefined;
    return { body: JSON.stringify({ method: "answerCallbackQuery", callback_query_id: id }) };
  },
} satisfies ChannelWebhook;
