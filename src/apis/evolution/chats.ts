import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { setBlocked, showPresence } from "../../core/channels/people.ts";
import { lookUpNow } from "../../core/messaging/lookup.ts";
import { markPlayed, markRead } from "../../core/messaging/sending/mark-read.ts";
import { acceptOperation } from "../../core/messaging/sending/operations.ts";
import { OneOf, Text } from "../../kernel/schema.ts";
import { addressOfNumber, numberOf } from "../shared/compatible/addresses.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { messageView } from "./message-views.ts";
import { routeOptions } from "./route-options.ts";

const Key = Type.Object({
  id: Text(1, 256),
  remoteJid: Type.Optional(Type.String()),
  fromMe: Type.Optional(Type.Boolean()),
});
const PRESENCES = ["available", "unavailable", "composing", "recording", "paused"] as const;
const PresenceFields = { presence: Type.Optional(OneOf(PRESENCES)) };

const linked = routeOptions({ scope: "phones.write", link: "required" });
const acting = routeOptions({ scope: "messages.write" });

const isGroup = (number: string): boolean => number.endsWith("@g.us");

/** Which numbers are on the network, in the order of the question. A group's address is never looked up. */
const whatsappNumbers = async (
  env: EvolutionEnv,
  principal: Principal,
  { channelId, numbers }: { channelId: string; numbers: readonly string[] },
) => {
  const people = numbers.filter((number) => !isGroup(number));
  const asked = people.map(numberOf);
  const results = people.length === 0 ? [] : await lookUpNow(env, principal, { channelId, numbers: asked });
  const foundBy = new Map(people.map((number, index) => [number, results[index]]));
  return numbers.map((number) => {
    const found = foundBy.get(number);
    const digits = numberOf(number).replace(/\D/g, "");
    return {
      jid: found?.jid ?? (isGroup(number) ? number : addressOfNumber(digits)),
      exists: found?.exists ?? false,
      number,
    };
  });
};

const UpdateBody = Type.Object({ number: Type.Optional(Type.String()), key: Key, text: Text(1, 4096) });

/** Acts in chats. */
export const chats = (env: EvolutionEnv, auth: EvolutionAuth) => {
  const operated = (
    request: Request,
    { id, remoteJid = "" }: Static<typeof Key>,
    said: { type: string; content: unknown },
  ) =>
    messageView({
      key: { remoteJid, fromMe: true, id },
      pushName: null,
      status: "PENDING",
      said,
      at: env.clock.now(),
      instanceId: instanceOf(request).id,
    });

  return new Elysia({ prefix: "/chat" })
    .use(auth)
    .post(
      "/whatsappNumbers/:instance",
      ({ principal, request, body: { numbers } }) =>
        whatsappNumbers(env, principal, { channelId: instanceOf(request).id, numbers }),
      {
        body: Type.Object({ numbers: Type.Array(Text(1, 64), { minItems: 1, maxItems: 100 }) }),
        detail: { ...routeOptions({ scope: "lookup.write", link: "required" }) },
      },
    )
    .post(
      "/markMessageAsRead/:instance",
      async ({ principal, request, body: { readMessages } }) => {
        const messageIds = readMessages.filter(({ fromMe }) => fromMe !== true).map(({ id }) => id);
        await markRead(env, principal, { channelId: instanceOf(request).id, messageIds });
        return status(201, { message: "Read messages", read: "success" });
      },
      { body: Type.Object({ readMessages: Type.Array(Key, { minItems: 1, maxItems: 100 }) }), detail: { ...acting } },
    )
    .post(
      "/markMessageAsPlayed/:instance",
      async ({ principal, request, body: { playedMessages } }) => {
        const messageIds = playedMessages.filter(({ fromMe }) => fromMe !== true).map(({ id }) => id);
        await markPlayed(env, principal, { channelId: instanceOf(request).id, messageIds });
        return status(201, { message: "Played messages", played: "success" });
      },
      { body: Type.Object({ playedMessages: Type.Array(Key, { minItems: 1, maxItems: 100 }) }), detail: { ...acting } },
    )
    .delete(
      "/deleteMessageForEveryone/:instance",
      async ({ principal, request, body }) => {
        const { id: channelId } = instanceOf(request);
        await acceptOperation(env, principal, { channelId, messageId: body.id, action: { name: "delete" } });
        return status(
          201,
          operated(request, body, { type: "protocolMessage", content: { key: body, type: "REVOKE" } }),
        );
      },
      { body: Key, detail: { ...acting } },
    )
    .post(
      "/updateMessage/:instance",
      async ({ principal, request, body: { key, text } }) => {
        const { id: channelId } = instanceOf(request);
        await acceptOperation(env, principal, { channelId, messageId: key.id, action: { name: "edit", text } });
        return operated(request, key, { type: "editedMessage", content: { conversation: text } });
      },
      { body: UpdateBody, detail: { ...acting } },
    )
    .post(
      "/sendPresence/:instance",
      async ({ principal, request, body: { number, options, presence = options?.presence ?? "composing" } }) => {
        await showPresence(env, principal, { id: instanceOf(request).id, to: numberOf(number), presence });
        return status(201, { presence });
      },
      {
        body: Type.Object({
          number: Text(1, 256),
          ...PresenceFields,
          options: Type.Optional(Type.Object(PresenceFields)),
        }),
        detail: { ...linked },
      },
    )
    .post(
      "/updateBlockStatus/:instance",
      async ({ principal, request, body: { number, status: wanted } }) => {
        const { id } = instanceOf(request);
        await setBlocked(env, principal, { id, to: numberOf(number), isBlocked: wanted === "block" });
        return status(201, { block: "success" });
      },
      { body: Type.Object({ number: Text(1, 256), status: OneOf(["block", "unblock"]) }), detail: { ...linked } },
    );
};
