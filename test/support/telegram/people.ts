import { chatShown, pollShown } from "./sends.ts";
import { type Bot, messageKey, type State, seconds } from "./state.ts";
import type { Update } from "./updates.ts";

/**
 * A person's message: the fields of https://core.telegram.org/bots/api#message beside the person, the chat and the
 * time.
 */
export type Said = Readonly<Record<string, unknown>>;
export type Saying = {
  from: number;
  chat?: number;
  messageId?: number;
  at?: number;
  replyTo?: number;
  /** A topic of the group. */
  topic?: number;
  /** In a group, only the writer and the bot see it. */
  isEphemeral?: boolean;
  /** The group or channel in whose name it is written; the network puts a placeholder into `from`. */
  as?: number;
};

/** People's acts on a bot. Each makes one update. */
export type People = {
  say(said: Said, saying: Saying): { messageId: number; update: Update };
  edit(messageId: number, said: Said, saying: Saying): Update;
  press(messageId: number, data: string, saying: Saying & { id?: string }): Update;
  react(messageId: number, emoji: readonly string[], saying: Saying): Update;
  /** A post of a channel; the network names no person. */
  post(said: Said, posting: { channel: number; at?: number }): { messageId: number; update: Update };
  editPost(messageId: number, said: Said, posting: { channel: number }): Update;
  /** Blocks the bot, or lets it write again. */
  block(person: number, isBlocked?: boolean): Update;
  /** Removes the bot from a group, or takes it in again. */
  kick(group: number, isKicked?: boolean): Update;
  /** Makes a group a supergroup with another id. Both chats get a note of it. */
  upgrade(before: number, after: number): Update[];
  vote(pollId: string, positions: readonly number[], person: number): Update[];
};

/** The placeholders in `from`: of anonymous administrators, of channels, and of a channel's posts in its group. */
const PLACEHOLDERS = {
  group: { id: 1_087_968_824, is_bot: true, first_name: "Group", username: "GroupAnonymousBot" },
  channel: { id: 136_817_688, is_bot: true, first_name: "Channel", username: "Channel_Bot" },
} as const;

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
      ...idsOf(messageId, saying),
      ...writerOf(saying),
      chat: chatShown(state, chatId),
      date: dateOf(saying),
      ...topicOf(chatId, saying),
      ...(quoted ? { reply_to_message: quoted } : {}),
      ...said,
    };
  };
  const idsOf = (messageId: number, { isEphemeral }: Saying): object =>
    isEphemeral
      ? {
          message_id: 0,
          ephemeral_message_id: messageId,
          receiver_user: { id: bot.id, is_bot: true, first_name: bot.username, username: bot.username },
        }
      : { message_id: messageId };
  const writerOf = ({ from, as }: Saying): object => {
    if (as === undefined) return { from: shownPerson(state, from) };
    const isChannel = state.groups.get(as)?.isChannel === true;
    return { from: PLACEHOLDERS[isChannel ? "channel" : "group"], sender_chat: chatShown(state, as) };
  };
  /** A message in a topic that answers nothing comes as an answer to the note that the topic was made. */
  const topicOf = (chatId: number, { topic, at }: Saying): object => {
    if (topic === undefined) return {};
    const name = state.groups.get(chatId)?.topics?.get(topic);
    return {
      message_thread_id: topic,
      is_topic_message: true,
      reply_to_message: {
        message_id: topic,
        chat: chatShown(state, chatId),
        date: seconds(at ?? state.clock.now()),
        forum_topic_created: { name, icon_color: 7_322_096 },
      },
    };
  };
  const postOf = (messageId: number, said: Said, { channel, at }: { channel: number; at?: number }): object => ({
    message_id: messageId,
    sender_chat: chatShown(state, channel),
    chat: chatShown(state, channel),
    date: seconds(at ?? state.clock.now()),
    ...said,
  });
  const membership = (chat: number, from: number, [before, after]: readonly [string, string]): Update => {
    const user = { id: bot.id, is_bot: true, first_name: bot.username, username: bot.username };
    return bot.updates.push({
      my_chat_member: {
        chat: chatShown(state, chat),
        from: shownPerson(state, from),
        date: seconds(state.clock.now()),
        old_chat_member: { user, status: before },
        new_chat_member: { user, status: after },
      },
    });
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
      const { text, markup, rich } = bot.messages.get(messageKey(chatId, messageId)) ?? {};
      const message = {
        message_id: messageId,
        chat: chatShown(state, chatId),
        date: dateOf(saying),
        ...(text ? { text } : {}),
        ...(markup ? { reply_markup: markup } : {}),
        ...(rich ? { rich_message: rich } : {}),
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
    post(said, posting) {
      const messageId = bot.nextMessageId;
      bot.nextMessageId += 1;
      return { messageId, update: bot.updates.push({ channel_post: postOf(messageId, said, posting) }) };
    },
    editPost: (messageId, said, posting) =>
      bot.updates.push({
        edited_channel_post: { ...postOf(messageId, said, posting), edit_date: seconds(state.clock.now()) },
      }),
    block(person, isBlocked = true) {
      const known = state.people.get(person);
      if (known) state.people.set(person, { ...known, hasBlocked: isBlocked });
      return membership(person, person, isBlocked ? ["member", "kicked"] : ["kicked", "member"]);
    },
    kick(group, isKicked = true) {
      const known = state.groups.get(group);
      if (known) state.groups.set(group, { ...known, isKicked });
      return membership(group, 1, isKicked ? ["member", "kicked"] : ["left", "member"]);
    },
    upgrade(before, after) {
      const known = state.groups.get(before);
      if (!known) throw new Error(`there is no group ${before}`);
      state.groups.set(after, { id: after, title: known.title });
      const note = (chat: number, said: Said) => ({ message: messageOf(1, said, { from: 1, chat }) });
      const updates = [
        bot.updates.push(note(before, { migrate_to_chat_id: after })),
        bot.updates.push(note(after, { migrate_from_chat_id: before })),
      ];
      state.groups.set(before, { ...known, migratedTo: after });
      return updates;
    },
    vote(pollId, positions, person) {
      const poll = bot.polls.get(pollId);
      if (!poll) throw new Error(`there is no poll ${pollId}`);
      if (positions.length === 0) poll.votes.delete(person);
      else poll.votes.set(person, positions);
      const results = bot.updates.push({ poll: pollShown(poll) });
      if (poll.isAnonymous) return [results];
      const answer = { poll_id: pollId, user: shownPerson(state, person), option_ids: positions };
      return [results, bot.updates.push({ poll_answer: answer })];
    },
  };
};
