import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { showPresence } from "../../../core/channels/people.ts";
import { requireOpen } from "../../../core/channels/refusals.ts";
import type { AskedAction } from "../../../core/messaging/sending/asked-actions.ts";
import { forwardOf } from "../../../core/messaging/sending/forward.ts";
import { markRead } from "../../../core/messaging/sending/mark-read.ts";
import { acceptOperation } from "../../../core/messaging/sending/operations.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, Text } from "../../../kernel/schema.ts";
import { numberOf } from "../../shared/compatible/addresses.ts";
import { messageIdIn } from "../addresses.ts";
import { type Principal, sessionNamed, sessionOf, type WahaAuth } from "../auth.ts";
import { markChatSeen } from "../chats/seen.ts";
import type { WahaEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { COMMON, OF_CHAT, optionalText, sendEnvelope, sends } from "./sending.ts";

const session = OF_CHAT.session;
const MessageId = Text(1, 512);
const acting = { ...routeOptions({ scope: "messages.write", names: "body" }) };
const onMessage = { ...routeOptions({ scope: "messages.write" }) };
const typing = { ...routeOptions({ scope: "phones.write", link: "required", names: "body" }) };

type Operated = { session: string | undefined; messageId: string; action: AskedAction };

const operate = async (env: WahaEnv, principal: Principal, { session: name, messageId, action }: Operated) => {
  const { id: channelId } = await sessionNamed(env, principal, name);
  await acceptOperation(env, principal, { channelId, messageId: messageIdIn(messageId), action });
};

const SeenBody = Type.Object({
  ...OF_CHAT,
  messageId: optionalText,
  messageIds: Type.Optional(Type.Union([Type.Array(MessageId, { maxItems: 1000 }), Type.Null()])),
  participant: optionalText,
});

/** Acts that name their session in the body. */
export const acts = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .post(
      "/forwardMessage",
      async ({ principal, request, body }) => {
        const named = await sessionNamed(env, principal, body.session);
        const messageId = messageIdIn(body.messageId);
        const envelope = await forwardOf(env, principal, {
          messageId,
          channelId: named.id,
          to: numberOf(body.chatId),
        });
        return sendEnvelope(env, { principal, request }, named, envelope);
      },
      { body: Type.Object({ ...OF_CHAT, messageId: MessageId }), detail: sends },
    )
    .post(
      "/sendPollVote",
      async ({ principal, body }) => {
        const action = { name: "vote", options: body.votes } as const;
        await operate(env, principal, { session: body.session, messageId: body.pollMessageId, action });
        return status(201, { result: true });
      },
      {
        body: Type.Object({
          ...OF_CHAT,
          pollMessageId: MessageId,
          pollServerId: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
          votes: Type.Array(Text(1, 255), { maxItems: 100 }),
        }),
        detail: acting,
      },
    )
    .put(
      "/reaction",
      async ({ principal, body: { session: name, messageId, reaction: emoji } }) => {
        await operate(env, principal, { session: name, messageId, action: { name: "react", emoji } });
        return { id: messageId, reaction: { text: emoji, messageId } };
      },
      { body: Type.Object({ session, messageId: MessageId, reaction: Text(0, 20) }), detail: acting },
    )
    .put(
      "/star",
      async ({ principal, body: { session: name, messageId, star: isStarred } }) => {
        await operate(env, principal, { session: name, messageId, action: { name: "star", isStarred } });
        return { result: true };
      },
      {
        body: Type.Object({ ...OF_CHAT, messageId: MessageId, star: Type.Boolean() }),
        detail: acting,
      },
    );

/** What a chat sees of the session: that it reads and writes. */
export const signs = (env: WahaEnv, auth: WahaAuth) => {
  const show = async (
    principal: Principal,
    body: { session?: string; chatId: string },
    presence: "composing" | "paused",
  ) => {
    const { id } = await sessionNamed(env, principal, body.session);
    await showPresence(env, principal, { id, to: numberOf(body.chatId), presence });
    return status(201, { result: true });
  };

  return new Elysia({ prefix: "/api" })
    .use(auth)
    .post(
      "/sendSeen",
      async ({ principal, body: { session: name, chatId, messageId, messageIds: several } }) => {
        const named = await sessionNamed(env, principal, name);
        requireOpen(named);
        const messageIds = [...(messageId ? [messageId] : []), ...(several ?? [])].map(messageIdIn);
        if (messageIds.length > 0) await markRead(env, principal, { channelId: named.id, messageIds });
        else await markChatSeen(env, principal, { session: named, chatId });
        return status(201, { result: true });
      },
      { body: SeenBody, detail: acting },
    )
    .post("/startTyping", ({ principal, body }) => show(principal, body, "composing"), {
      body: Type.Object(OF_CHAT),
      detail: typing,
    })
    .post("/stopTyping", ({ principal, body }) => show(principal, body, "paused"), {
      body: Type.Object(OF_CHAT),
      detail: typing,
    });
};

/** Acts on one message, by its path. The chat in the path says nothing that the id of the message does not. */
export const messageActs = (env: WahaEnv, auth: WahaAuth) => {
  const operateOn = (request: Request, principal: Principal, messageId: string, action: AskedAction) =>
    acceptOperation(env, principal, { channelId: sessionOf(request).id, messageId: messageIdIn(messageId), action });

  return new Elysia({ prefix: "/api/:session/chats/:chatId/messages/:messageId" })
    .use(auth)
    .put(
      "/",
      async ({ principal, request, params: { messageId }, body: { text, mentions } }) => {
        if (mentions?.length)
          throw invalid(
            issue("mentions", "forbidden", "is not supported: the mentions that the text still names stay"),
          );
        await operateOn(request, principal, messageId, { name: "edit", text });
        return { id: messageId, body: text };
      },
      {
        body: Type.Object({
          text: Text(1, 4096),
          mentions: COMMON.mentions,
          linkPreview: Type.Optional(Type.Unknown()),
          linkPreviewHighQuality: Type.Optional(Type.Unknown()),
        }),
        detail: onMessage,
      },
    )
    .delete(
      "/",
      async ({ principal, request, params: { messageId } }) => {
        await operateOn(request, principal, messageId, { name: "delete" });
        return { id: messageId };
      },
      { detail: onMessage },
    )
    .post(
      "/pin",
      async ({ principal, request, params: { messageId }, body: { duration = 86_400 } }) => {
        await operateOn(request, principal, messageId, { name: "pin", seconds: duration });
        return status(201, { success: true });
      },
      {
        body: Type.Object({
          duration: Type.Optional(Type.Union([Type.Literal(86_400), Type.Literal(604_800), Type.Literal(2_592_000)])),
        }),
        detail: onMessage,
      },
    )
    .post(
      "/unpin",
      async ({ principal, request, params: { messageId } }) => {
        await operateOn(request, principal, messageId, { name: "pin", seconds: null });
        return status(201, { success: true });
      },
      { detail: onMessage },
    );
};
