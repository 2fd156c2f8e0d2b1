import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { Presence } from "../../../contract/abilities/people.ts";
import { showPresence, watchPresence } from "../../../core/channels/people.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../../kernel/schema.ts";
import { numberOf } from "../../shared/compatible/addresses.ts";
import { sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";

/** TABLE: WAHA's words for presences. */
const PRESENCES = {
  online: "available",
  offline: "unavailable",
  typing: "composing",
  recording: "recording",
  paused: "paused",
} as const satisfies Record<string, Presence>;
type Word = keyof typeof PRESENCES;
const WORDS = Object.keys(PRESENCES) as Word[];

const Body = Type.Object({ presence: OneOf(WORDS), chatId: Type.Optional(Text(0, 256)) });
const linked = { ...routeOptions({ scope: "phones.write", link: "required" }) };

/**
 * The chat in which a presence is shown.
 * @throws AppError VALIDATION for a presence in a chat without the chat, and for one of the whole account with a chat
 */
const placeOf = (presence: Word, chatId: string | undefined): string | undefined => {
  const isOfAccount = presence === "online" || presence === "offline";
  if (isOfAccount && chatId)
    throw invalid(issue("chatId", "forbidden", `must be left out: "${presence}" is shown to everybody`));
  if (!isOfAccount && !chatId) throw invalid(issue("chatId", "required", `is required for "${presence}"`));
  return chatId ? numberOf(chatId) : undefined;
};

/** What the session shows of itself, and what it gets to see of others. Presences are not kept: they come as events. */
export const presence = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/:session/presence" })
    .use(auth)
    .post(
      "/",
      async ({ principal, request, body: { presence: word, chatId } }) => {
        const to = placeOf(word, chatId);
        await showPresence(env, principal, { id: sessionOf(request).id, to, presence: PRESENCES[word] });
        return status(201, "");
      },
      { body: Body, detail: linked },
    )
    .get(
      "/:chatId",
      async ({ principal, request, params: { chatId } }) => {
        await watchPresence(env, principal, { id: sessionOf(request).id, to: numberOf(chatId) });
        return { id: chatId, presences: [] };
      },
      { detail: linked },
    )
    .post(
      "/:chatId/subscribe",
      async ({ principal, request, params: { chatId } }) => {
        await watchPresence(env, principal, { id: sessionOf(request).id, to: numberOf(chatId) });
        return status(201, "");
      },
      { detail: linked },
    );
