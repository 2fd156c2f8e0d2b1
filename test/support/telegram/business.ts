import type { Said } from "./people.ts";
import { chatShown } from "./sends.ts";
import { type Bot, messageKey, type State, seconds } from "./state.ts";
import type { Update } from "./updates.ts";

/** Acts around a person's business account (https://core.telegram.org/bots/api#businessconnection). */
export type Business = {
  /** Connects the bot, changes its rights, or ends the connection. */
  connect(id: string, owner: number, rights?: { isEnabled?: boolean; mayReply?: boolean }): Update;
  /** A message in the chat of the account with `customer`: of the customer, or of the owner. */
  say(
    said: Said,
    saying: { connection: string; customer: number; isOwner?: boolean },
  ): {
    messageId: number;
    update: Update;
  };
  /** The bot's own message in the account's chat, as the network reports it to the account's bots. */
  echo(messageId: number, said: Said, saying: { connection: string; customer: number }): Update;
  edit(messageId: number, said: Said, saying: { connection: string; customer: number }): Update;
  remove(messageIds: readonly number[], saying: { connection: string; customer: number }): Update;
};

export const createBusiness = (state: State, bot: Bot): Business => {
  const personOf = (id: number): object => {
    const { first_name, last_name, username } = state.people.get(id) ?? { first_name: "?" };
    return {
      id,
      is_bot: false,
      first_name,
      ...(last_name ? { last_name } : {}),
      ...(username ? { username } : {}),
    };
  };
  const messageOf = (
    messageId: number,
    said: Said,
    { connection, customer, isOwner = false }: { connection: string; customer: number; isOwner?: boolean },
  ): object => ({
    business_connection_id: connection,
    message_id: messageId,
    from: personOf(isOwner ? (bot.connections.get(connection)?.owner ?? 0) : customer),
    chat: chatShown(state, customer),
    date: seconds(state.clock.now()),
    ...said,
  });
  return {
    connect(id, owner, { isEnabled = true, mayReply = true } = {}) {
      const known = bot.connections.get(id);
      const connection = { id, owner, isEnabled, mayReply, atMs: known?.atMs ?? state.clock.now() };
      bot.connections.set(id, connection);
      return bot.updates.push({
        business_connection: {
          id,
          user: personOf(owner),
          user_chat_id: owner,
          date: seconds(connection.atMs),
          is_enabled: isEnabled,
          ...(isEnabled ? { rights: mayReply ? { can_reply: true } : {} } : {}),
        },
      });
    },
    say(said, saying) {
      const messageId = bot.nextMessageId;
      bot.nextMessageId += 1;
      const { connection, customer: chatId } = saying;
      bot.messages.set(messageKey(chatId, messageId, connection), {
        chatId,
        messageId,
        connection,
        isOutgoing: false,
        isDeleted: false,
        atMs: state.clock.now(),
      });
      return { messageId, update: bot.updates.push({ business_message: messageOf(messageId, said, saying) }) };
    },
    echo: (messageId, said, saying) =>
      bot.updates.push({
        business_message: {
          ...messageOf(messageId, said, { ...saying, isOwner: true }),
          sender_business_bot: { id: bot.id, is_bot: true, first_name: bot.username },
        },
      }),
    edit: (messageId, said, saying) =>
      bot.updates.push({
        edited_business_message: { ...messageOf(messageId, said, saying), edit_date: seconds(state.clock.now()) },
      }),
    remove: (messageIds, { connection, customer }) =>
      bot.updates.push({
        deleted_business_messages: {
          business_connection_id: connection,
          chat: chatShown(state, customer),
          message_ids: messageIds,
        },
      }),
  };
};
