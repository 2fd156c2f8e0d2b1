import { badRequest, forbidden, migrated } from "./errors.ts";
import { integerOf, listOf, recordOf, structured, textOf } from "./payload.ts";
import { shownRich } from "./rich.ts";
import {
  type Bot,
  type Call,
  type Fields,
  type Group,
  messageKey,
  type Person,
  type SentPoll,
  type State,
  type Stored,
  seconds,
} from "./state.ts";

/** Limits of https://core.telegram.org/bots/api#sendmessage and https://core.telegram.org/bots/api#sending-files. */
const TEXT_LENGTH = 4096;
const CAPTION_LENGTH = 1024;
const UPLOAD_BYTES = 50 * 1024 * 1024;
const PHOTO_BYTES = 10 * 1024 * 1024;
const CALLBACK_BYTES = 64;
const BUTTON_STYLES = new Set(["danger", "success", "primary"]);

/** TABLE: the field that carries the file of each method. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  sendPhoto: "photo",
  sendVideo: "video",
  sendAnimation: "animation",
  sendAudio: "audio",
  sendVoice: "voice",
  sendDocument: "document",
  sendSticker: "sticker",
};

/** The chat of a call. Throws the network's error for a chat that is unknown, blocked, left or moved. */
export const chatOf = (state: State, value: unknown): number => {
  if (value === undefined || value === "") throw badRequest("chat_id is empty");
  const id = integerOf(value) ?? Number.NaN;
  const [person, group] = [state.people.get(id), state.groups.get(id)];
  if (!person && !group) throw badRequest("chat not found");
  if (person) checkPerson(person);
  if (group) checkGroup(group);
  return id;
};

/** A connection that the call names. Throws the network's error for one that is unknown, ended or may not write. */
export const connectionOf = (bot: Bot, { fields }: Pick<Call, "fields">): string | undefined => {
  const id = fields["business_connection_id"];
  if (id === undefined) return undefined;
  const connection = bot.connections.get(textOf(id));
  if (!connection) throw badRequest("business connection not found");
  if (!connection.isEnabled) throw badRequest("BUSINESS_CONNECTION_INVALID");
  if (!connection.mayReply) throw badRequest("BUSINESS_PEER_USAGE_MISSING");
  return connection.id;
};

/** Throws the network's error for a topic that the chat does not have. */
const checkTopic = ({ groups }: State, chatId: number, value: unknown): void => {
  const topic = value === undefined ? undefined : (integerOf(value) ?? 0);
  if (topic !== undefined && !groups.get(chatId)?.topics?.has(topic)) throw badRequest("message thread not found");
};

const checkPerson = ({ isDeactivated, hasBlocked }: Person): void => {
  if (isDeactivated) throw forbidden("user is deactivated");
  if (hasBlocked) throw forbidden("bot was blocked by the user");
};

const checkGroup = ({ isKicked, isChannel, migratedTo }: Group): void => {
  if (isKicked) throw forbidden(`bot was kicked from the ${isChannel ? "channel" : "supergroup"} chat`);
  if (migratedTo !== undefined) throw migrated(migratedTo);
};

const checkMarkup = (markup: unknown): void => {
  const rows = listOf(recordOf(markup)["inline_keyboard"]);
  const buttons = rows.flatMap(listOf).map(recordOf);
  checkButtons(buttons);
  if (buttons.length > 100) throw badRequest("reply markup is too long");
};

const checkButtons = (buttons: readonly Fields[]): void => {
  for (const { text, callback_data: data, url, copy_text: copied, style } of buttons) {
    if (textOf(text) === "") throw badRequest("can't parse inline keyboard button: Text must be non-empty");
    if (style !== undefined && !BUTTON_STYLES.has(textOf(style)))
      throw badRequest("can't parse inline keyboard button: invalid button style specified");
    if ([data, url, copied].filter((action) => action !== undefined).length !== 1)
      throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
    if (data !== undefined && (textOf(data) === "" || Buffer.byteLength(textOf(data)) > CALLBACK_BYTES))
      throw badRequest("BUTTON_DATA_INVALID");
    if (url !== undefined && !/^(https?|tg):\/\//.test(textOf(url))) throw badRequest("BUTTON_URL_INVALID");
  }
};

/**
 * The member of a group who alone sees a message (https://core.telegram.org/bots/api#ephemeralmessageparameters). Only an
 * administrator shows one, or a bot whose button the member has just pressed.
 */
const onlyForOf = (state: State, bot: Bot, { chatId, call }: { chatId: number; call: Call }): number | undefined => {
  const parameters = recordOf(structured(call.fields["ephemeral_message_parameters"] ?? {}));
  const member = integerOf(parameters["receiver_user_id"]);
  if (member === undefined) return undefined;
  const group = state.groups.get(chatId);
  const isPressed = bot.callbacks.has(textOf(parameters["callback_query_id"]));
  if (!group || group.isChannel || (group.isBotMember && !isPressed)) throw badRequest("BOT_NOT_ADMIN");
  if (!state.people.has(member)) throw badRequest("USER_NOT_PARTICIPANT");
  if (call.method === "sendPoll") throw badRequest("EPHEMERAL_MESSAGE_INVALID");
  return member;
};

const checkReply = (bot: Bot, chatId: number, value: unknown, connection: string | undefined): void => {
  const reply = recordOf(structured(value ?? {}));
  if (connection !== undefined && reply["chat_id"] !== undefined)
    throw badRequest("reply to a message of another chat is not supported for a business account");
  const messageId = integerOf(reply["message_id"]);
  if (messageId === undefined || reply["allow_sending_without_reply"] === true) return;
  const quoted = bot.messages.get(messageKey(integerOf(reply["chat_id"]) ?? chatId, messageId, connection));
  if (!quoted || quoted.isDeleted) throw badRequest("message to be replied not found");
};

const fileOf = ({ method, fields, files }: Call): Uint8Array | undefined => {
  const name = FILE_FIELDS[method];
  if (name === undefined) return undefined;
  const given = textOf(fields[name]);
  const uploaded = files.get(given.startsWith("attach://") ? given.slice("attach://".length) : name);
  if (uploaded) {
    if (uploaded.bytes.length === 0) throw badRequest("file must be non-empty");
    if (method === "sendPhoto" && uploaded.bytes.length > PHOTO_BYTES)
      throw badRequest(
        `file of size ${uploaded.bytes.length} bytes is too big for a photo; the maximum size is ${PHOTO_BYTES} bytes`,
      );
    return uploaded.bytes;
  }
  if (given === "") throw badRequest(`there is no ${name} in the request`);
  if (/^https?:\/\/(127\.|10\.|localhost)/.test(given)) throw badRequest("wrong type of the web page content");
  return undefined;
};

const checkContent = ({ method, fields }: Call): void => {
  if (method === "sendMessage") {
    const text = textOf(fields["text"]);
    if (text.trim() === "") throw badRequest("message text is empty");
    if ([...text].length > TEXT_LENGTH) throw badRequest("message is too long");
  }
  if ([...textOf(fields["caption"])].length > CAPTION_LENGTH) throw badRequest("message caption is too long");
  if (method === "sendLocation" || method === "sendVenue") {
    if (fields["latitude"] === undefined) throw badRequest("latitude is empty");
    if (fields["longitude"] === undefined) throw badRequest("longitude is empty");
  }
  if (method === "sendVenue" && textOf(fields["address"]) === "") throw badRequest("venue address is empty");
  if (method === "sendContact" && textOf(fields["phone_number"]) === "") throw badRequest("phone number is empty");
  if (method === "sendContact" && textOf(fields["first_name"]) === "") throw badRequest("first name is empty");
};

/** Larger requests are refused before they are read, by the web server in front: HTTP 413 and this body. */
export const isTooLarge = (sizeBytes: number): boolean => sizeBytes > UPLOAD_BYTES + 16 * 1024;

/** Takes a message, or throws its refusal without any effect. */
export const send = (state: State, bot: Bot, call: Call): Stored => {
  const { method, fields } = call;
  const connection = connectionOf(bot, call);
  const chatId = connection === undefined ? chatOf(state, fields["chat_id"]) : (integerOf(fields["chat_id"]) ?? 0);
  checkTopic(state, chatId, fields["message_thread_id"]);
  checkContent(call);
  const rich = method === "sendRichMessage" ? shownRich(fields["rich_message"], checkButtons) : undefined;
  const markup = fields["reply_markup"] === undefined ? undefined : structured(fields["reply_markup"]);
  checkMarkup(markup);
  checkReply(bot, chatId, fields["reply_parameters"], connection);
  const onlyFor = onlyForOf(state, bot, { chatId, call });
  const bytes = fileOf(call);
  const poll = method === "sendPoll" ? pollOf(bot, fields) : undefined;
  const stored: Stored = {
    chatId,
    ...(connection === undefined ? {} : { connection }),
    ...(poll ? { poll } : {}),
    ...(rich ? { rich } : {}),
    ...(onlyFor === undefined ? {} : { onlyFor }),
    messageId: bot.nextMessageId,
    isOutgoing: true,
    isDeleted: false,
    atMs: state.clock.now(),
    method,
    fields,
    ...(method === "sendMessage" ? { text: textOf(fields["text"]) } : {}),
    ...(fields["caption"] === undefined ? {} : { caption: textOf(fields["caption"]) }),
    ...(markup === undefined ? {} : { markup }),
    ...(bytes ? { bytes } : {}),
  };
  bot.nextMessageId += 1;
  bot.messages.set(messageKey(chatId, stored.messageId, connection), stored);
  return stored;
};

const POLL_OPTIONS = 12;

/** A poll (https://core.telegram.org/bots/api#sendpoll), or the network's error. */
const pollOf = (bot: Bot, fields: Call["fields"]): SentPoll => {
  const question = textOf(fields["question"]);
  const options = listOf(structured(fields["options"] ?? [])).map((option) => textOf(recordOf(option)["text"]));
  if (question === "" || [...question].length > 300) throw badRequest("poll question must be non-empty");
  if (options.length < 1 || options.length > POLL_OPTIONS)
    throw badRequest(`poll can't have more than ${POLL_OPTIONS} options`);
  if (options.some((option) => option === "" || [...option].length > 100))
    throw badRequest("poll options length must not exceed 100");
  const poll: SentPoll = {
    id: String(5_300_000_000_000_000_000n + BigInt(bot.polls.size)),
    question,
    options,
    isMultiple: fields["allows_multiple_answers"] === true,
    isAnonymous: fields["is_anonymous"] !== false,
    votes: new Map(),
  };
  bot.polls.set(poll.id, poll);
  return poll;
};

/** A poll in the network's form (https://core.telegram.org/bots/api#poll). */
export const pollShown = ({ id, question, options, votes, isMultiple, isAnonymous }: SentPoll): object => ({
  id,
  question,
  options: options.map((text, at) => ({
    text,
    voter_count: [...votes.values()].filter((chosen) => chosen.includes(at)).length,
  })),
  total_voter_count: votes.size,
  is_closed: false,
  is_anonymous: isAnonymous,
  type: "regular",
  allows_multiple_answers: isMultiple,
});

/** A message in the network's form (https://core.telegram.org/bots/api#message). */
export const shown = (
  state: State,
  bot: Bot,
  { chatId, messageId, atMs, text, caption, markup, connection, poll, onlyFor }: Stored,
): object => ({
  message_id: onlyFor === undefined ? messageId : 0,
  ...(onlyFor === undefined
    ? {}
    : { ephemeral_message_id: messageId, receiver_user: { id: onlyFor, is_bot: false, first_name: "?" } }),
  from: { id: bot.id, is_bot: true, first_name: bot.username, username: bot.username },
  chat: chatShown(state, chatId),
  date: seconds(atMs),
  ...(text === undefined ? {} : { text }),
  ...(caption === undefined ? {} : { caption }),
  ...(connection === undefined ? {} : { business_connection_id: connection }),
  ...(poll ? { poll: pollShown(poll) } : {}),
  ...(recordOf(markup)["inline_keyboard"] === undefined ? {} : { reply_markup: markup }),
});

export const chatShown = ({ people, groups }: State, id: number): object => {
  const group = groups.get(id);
  if (group)
    return {
      id,
      type: typeOf(group),
      title: group.title,
      ...(group.topics ? { is_forum: true } : {}),
    };
  const { first_name, last_name, username } = people.get(id) ?? { first_name: "?" };
  return { id, type: "private", first_name, ...(last_name ? { last_name } : {}), ...(username ? { username } : {}) };
};

/** Basic groups have short ids, supergroups and channels begin with -100. */
const typeOf = ({ id, isChannel }: Group): string => {
  if (isChannel) return "channel";
  return id < -1_000_000_000_000 ? "supergroup" : "group";
};
