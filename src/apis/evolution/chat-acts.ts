import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { ChatAct } from "../../contract/abilities/chats.ts";
import { acceptChatActs, labelsOfChannel } from "../../core/messaging/chats/chat-acts.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { addressOfNumber, numberOf } from "../shared/compatible/addresses.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import { chatsWith, chatView } from "./chat-lookup.ts";
import type { EvolutionEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";

/** A chat by its address, or by a message of it. */
const ChatFields = {
  chat: Type.Optional(Text(0, 256)),
  lastMessage: Type.Optional(
    Type.Object({ key: Type.Optional(Type.Object({ remoteJid: Type.Optional(Text(0, 256)) })) }),
  ),
};
type Named = Static<ReturnType<typeof Type.Object<typeof ChatFields>>>;

/** @throws AppError VALIDATION if neither names the chat */
const namedIn = ({ chat, lastMessage }: Named): string => {
  const named = chat || lastMessage?.key?.remoteJid;
  if (!named) throw invalid(issue("chat", "required", "must be given, or lastMessage.key.remoteJid"));
  return named;
};

/** The chats of an instance as the owner's own app shows them, and its labels. */
export const chatActs = (env: EvolutionEnv, auth: EvolutionAuth) => {
  /** @throws AppError CONVERSATION_NOT_FOUND, also for a group, and what `acceptChatActs` throws */
  const act = async (principal: Principal, request: Request, jid: string, wanted: ChatAct): Promise<void> => {
    const [chat] = await chatsWith(env, principal, { channelId: instanceOf(request).id, jid, limit: 1 });
    if (!chat) throw new AppError("CONVERSATION_NOT_FOUND", { message: "There is no chat with this person." });
    await acceptChatActs(env, principal, chat.conversation.id, [wanted]);
  };
  const write = { ...routeOptions({ scope: "chats.write", link: "required" }) };

  return new Elysia()
    .use(auth)
    .get(
      "/chat/findChatByRemoteJid/:instance",
      async ({ principal, request, query: { remoteJid } }) => {
        const [chat] = await chatsWith(env, principal, {
          channelId: instanceOf(request).id,
          jid: remoteJid,
          limit: 1,
        });
        // as text: Elysia answers a null with an empty body
        return new Response(JSON.stringify(chat ? chatView(chat) : null), {
          headers: { "content-type": "application/json" },
        });
      },
      { query: Type.Object({ remoteJid: Text(1, 256) }), detail: { ...routeOptions({ scope: "chats.read" }) } },
    )
    .post(
      "/chat/archiveChat/:instance",
      async ({ principal, request, body: { archive, ...named } }) => {
        const chatId = namedIn(named);
        await act(principal, request, chatId, { name: "archive", isArchived: archive });
        return status(201, { chatId, archived: true });
      },
      { body: Type.Object({ ...ChatFields, archive: Type.Boolean() }), detail: write },
    )
    .post(
      "/chat/markChatUnread/:instance",
      async ({ principal, request, body }) => {
        const chatId = namedIn(body);
        await act(principal, request, chatId, { name: "mark-unread", isUnread: true });
        return status(201, { chatId, markedChatUnread: true });
      },
      { body: Type.Object(ChatFields), detail: write },
    )
    .get(
      "/label/findLabels/:instance",
      async ({ principal, request }) =>
        (await labelsOfChannel(env, principal, instanceOf(request).id)).map(({ id, name, color }) => ({
          color: String(color),
          name,
          id,
          predefinedId: null,
        })),
      { detail: { ...routeOptions({ scope: "phones.read" }) } },
    )
    .post(
      "/label/handleLabel/:instance",
      async ({ principal, request, body: { number, labelId, action } }) => {
        const known = await labelsOfChannel(env, principal, instanceOf(request).id);
        if (!known.some(({ id }) => id === labelId))
          throw invalid(issue("labelId", "enum", "is no label of the instance"));
        await act(principal, request, number, { name: "label", labelId, isLabelled: action === "add" });
        const numberJid = number.includes("@") ? number : addressOfNumber(numberOf(number));
        return { numberJid, labelId, [action]: true };
      },
      {
        body: Type.Object({ number: Text(1, 256), labelId: Text(1, 200), action: OneOf(["add", "remove"]) }),
        detail: write,
      },
    );
};
