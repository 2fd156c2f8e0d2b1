import { badRequest, forbidden, migrated } from "./errors.ts";
import { integerOf, listOf, recordOf, structured, textOf } from "./payload.ts";
import { type Bot, type Call, type Group, messageKey, type Person, type State, type Stored, seconds } from "./state.ts";

/** Limits of https://core.telegram.org/bots/api#sendmessage and https://core.telegram.org/bots/api#sending-files. */
const TEXT_LENGTH = 4096;
const CAPTION_LENGTH = 1024;
const UPLOAD_BYTES = 50 * 1024 * 1024;
const PHOTO_BYTES = 10 * 1024 * 1024;
const CALLBACK_BYTES = 64;

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

const checkPerson = ({ isDeactivated, hasBlocked }: Person): void => {
  if (isDeactivated) throw forbidden("user is deactivated");
  if (hasBlocked) throw forbidden("bot was blocked by the user");
};

const checkGroup = ({ isKicked, migratedTo }: Group): void => {
  if (isKicked) throw forbidden("bot was kicked from the group chat");
  if (migratedTo !== undefined) throw migrated(migratedTo);
};

const checkMarkup = (markup: unknown): void => {
  const rows = listOf(recordOf(markup)["inline_keyboard"]);
  const buttons = rows.flatMap(listOf).map(recordOf);
  for (const { text, callback_data: data, url } of buttons) {
    if (textOf(text) === "") throw badRequest("can't parse inline keyboard button: Text must be non-empty");
    if (data === undefined && url === undefined)
      throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
    if (data !== undefined && (textOf(data) === "" || Buffer.byteLength(textOf(data)) > CALLBACK_BYTES))
      throw badRequest("BUTTON_DATA_INVALID");
    if (url !== undefined && !/^(https?|tg):\/\//.test(textOf(url))) throw badRequest("BUTTON_URL_INVALID");
  }
  if (buttons.length > 100) throw badRequest("reply markup is too long");
};

const checkReply = (bot: Bot, chatId: number, value: unknown): void => {
  const reply = recordOf(structured(value ?? {}));
  const messageId = integerOf(reply["message_id"]);
  if (messageId === undefined || reply["allow_sending_without_reply"] === true) return;
  const quoted = bot.messages.get(messageKey(integerOf(reply["chat_id"]) ?? chatId, messageId));
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
  const chatId = chatOf(state, fields["chat_id"]);
  checkContent(call);
  const markup = fields["reply_markup"] === undefined ? undefined : structured(fields["reply_markup"]);
  checkMarkup(markup);
  checkReply(bot, chatId, fields["reply_parameters"]);
  const bytes = fileOf(call);
  const stored: Stored = {
    chatId,
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
  bot.messages.set(messageKey(chatId, stored.messageId), stored);
  return stored;
};

/** A message in the network's form (https://core.telegram.org/bots/api#message). */
export const shown = (state: State, bot: Bot, { chatId, messageId, atMs, text, caption, markup }: Stored): object => ({
  message_id: messageId,
  from: { id: bot.id, is_bot: true, first_name: bot.username, username: bot.username },
  chat: chatShown(state, chatId),
  date: seconds(atMs),
  ...(text === undefined ? {} : { text }),
  ...(caption === undefined ? {} : { caption }),
  ...(recordOf(markup)["inline_keyboard"] === undefined ? {} : { reply_markup: markup }),
});

export const chatShown = ({ people, groups }: State, id: number): object => {
  const group = groups.get(id);
  if (group) return { id, type: "supergroup", title: group.title };
  const { first_name, last_name, username } = people.get(id) ?? { first_name: "?" };
  return { id, type: "private", first_name, ...(last_name ? { last_name } : {}), ...(username ? { username } : {}) };
};
