import { chatShown } from "./sends.ts";
import { type Bot, messageKey, type State, seconds } from "./state.ts";
import type { Update } from "./updates.ts";

/**
 * A person's message: the fields of https://core.telegram.org/bots/api#message beside the person, the chat and the
 * time.
 */
export type Said = Readonly<Record<string, unknown>>;
export type Saying = { from: number; chat?: number; messageId?: number; at?: number; replyTo?: number };

/** People's acts on a bot. Each makes one update. */
export type People = {
  say(said: Said, saying: Saying): { messageId: number; update: Update };
  edit(messageId: number, said: Said, saying: Saying): Update;
  press(messageId: number, data: string, saying: Saying & { id?: string }): Update;
  react(messageId: number, emoji: readonly string[], saying: Saying): Update;
};

const shownPerson = ({ people }: State, id: number): object => {
  const { first_name, last_name, username } = people.get(id) ?? { first_name: "?" };
  return {
    id,
    is_bot: false,
    first_name,
    ...(last_name ? { last_name } : {}),
    ...(username ? { username } : {}),
    language_code: "pt",
  };
};

export const createPeople = (state: State, bot: Bot): People => {
  const dateOf = ({ at }: Saying): number => seconds(at ?? state.clock.now());
  const messageOf = (messageId: number, said: Said, saying: Saying): object => {
    const chatId = saying.chat ?? saying.from;
    const quoted =
      saying.replyTo === undefined
        ? undefined
        : { message_id: saying.replyTo, chat: chatShown(state, chatId), date: dateOf(saying), text: "?" };
    return {
      message_id: messageId,
      from: shownPerson(state, saying.from),
      chat: chatShown(state, chatId),
      date: dateOf(saying),
      ...(quoted ? { reply_to_message: quoted } : {}),
      ...said,
    };
  };
  return {
    say(said, saying) {
      const messageId = saying.messageId ?? bot.nextMessageId;
      bot.nextMessageId = Math.max(bot.nextMessageId, messageId + 1);
      const chatId = saying.chat ?? saying.from;
      bot.messages.set(messageKey(chatId, messageId), {
        chatId,
        messageId,
        isOutgoing: false,
        isDeleted: false,
        atMs: state.clock.now(),
      });
      return { messageId, update: bot.updates.push({ message: messageOf(messageId, said, saying) }) };
    },
    edit: (messageId, said, saying) =>
      bot.updates.push({ edited_message: { ...messageOf(messageId, said, saying), edit_date: dateOf(saying) } }),
    press(messageId, data, saying) {
      const id = saying.id ?? String(4_000_000_000_000 + bot.callbacks.size);
      bot.callbacks.set(id, { isAnswered: false });
      const chatId = saying.chat ?? saying.from;
      const { text, markup } = bot.messages.get(messageKey(chatId, messageId)) ?? {};
      const message = {
        message_id: messageId,
        chat: chatShown(state, chatId),
        date: dateOf(saying),
        ...(text ? { text } : {}),
        ...(markup ? { reply_markup: markup } : {}),
      };
      return bot.updates.push({
        callback_query: { id, from: shownPerson(state, saying.from), message, chat_instance: "1", data },
      });
    },
    react(messageId, emoji, saying) {
      const chat = chatShown(state, saying.chat ?? saying.from);
      const shown = emoji.map((one) => ({ type: "emoji", emoji: one }));
      return bot.updates.push({
        message_reaction: {
          chat,
          message_id: messageId,
          user: shownPerson(state, saying.from),
          date: dateOf(saying),
          old_reaction: [],
          new_reaction: shown,
        },
      });
    },
  };
};
