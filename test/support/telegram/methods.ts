import { badRequest, methodNotFound } from "./errors.ts";
import { integerOf, listOf, recordOf, structured, textOf } from "./payload.ts";
import { chatOf, connectionOf, send, shown } from "./sends.ts";
import { type Bot, type Call, messageKey, type State, type Stored } from "./state.ts";

/** The outcome of a method: its `result`. `onGone` calls back when the client hangs up. */
export type Method = (state: State, bot: Bot, call: Call, onGone: (gone: () => void) => void) => unknown;

/** The age up to which messages can be deleted (https://core.telegram.org/bots/api#deletemessage). */
const DELETABLE_MS = 48 * 3_600_000;
/** Downloads (https://core.telegram.org/bots/api#getfile). */
const DOWNLOAD_BYTES = 20 * 1024 * 1024;
/** A few of the emoji in https://core.telegram.org/bots/api#reactiontypeemoji. */
const REACTIONS = new Set(["👍", "👎", "❤", "🔥", "🎉", "😁", "🤔", "👏", "🙏", "💯"]);

const LONGEST_POLL_S = 50;

const storedOf = (state: State, bot: Bot, { fields }: Call, what: string): Stored => {
  const connection = connectionOf(bot, { fields });
  const chatId = connection === undefined ? chatOf(state, fields["chat_id"]) : (integerOf(fields["chat_id"]) ?? 0);
  const messageId = integerOf(fields["message_id"]);
  const stored = messageId === undefined ? undefined : bot.messages.get(messageKey(chatId, messageId, connection));
  if (!stored || stored.isDeleted || stored.onlyFor !== undefined) throw badRequest(`${what} not found`);
  return stored;
};

/** An ephemeral message, which its group, its member and its own id name. */
const ephemeralIn = (state: State, bot: Bot, { fields }: Call, what: string): Stored => {
  const messageId = integerOf(fields["ephemeral_message_id"]) ?? 0;
  const stored = bot.messages.get(messageKey(chatOf(state, fields["chat_id"]), messageId));
  if (!stored || stored.isDeleted || stored.onlyFor !== integerOf(fields["receiver_user_id"]))
    throw badRequest(`${what} not found`);
  return stored;
};

const edited = (state: State, bot: Bot, call: Call, field: "text" | "caption"): object => {
  const find = call.fields["ephemeral_message_id"] === undefined ? storedOf : ephemeralIn;
  const stored = find(state, bot, call, "message to edit");
  if (!stored.isOutgoing) throw badRequest("message can't be edited");
  if (field === "text" && stored.text === undefined) throw badRequest("there is no text in the message to edit");
  if (field === "caption" && stored.bytes === undefined) throw badRequest("there is no caption in the message to edit");
  const value = textOf(call.fields[field]);
  if (field === "text" && value === "") throw badRequest("message text is empty");
  if (stored[field] === value)
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  stored[field] = value;
  return shown(state, bot, stored);
};

const sends: Method = (state, bot, call) => shown(state, bot, send(state, bot, call));

/** TABLE: the methods that the simulator has; the network's names ignore case. */
const METHODS: Readonly<Record<string, Method>> = {
  getMe: (_state, { id, username }) => ({
    id,
    is_bot: true,
    first_name: "Padaria",
    username,
    can_join_groups: true,
    can_read_all_group_messages: false,
  }),
  getUpdates: (_state, bot, { fields }, onGone) => {
    if (fields["allowed_updates"] !== undefined)
      bot.updates.setAllowed(listOf(structured(fields["allowed_updates"])).map(textOf));
    const timeoutS = Math.min(integerOf(fields["timeout"]) ?? 0, LONGEST_POLL_S);
    return bot.updates.poll({
      offset: integerOf(fields["offset"]) ?? 0,
      limit: integerOf(fields["limit"]) ?? 100,
      timeoutMs: timeoutS * 1000,
      onGone,
    });
  },
  setWebhook: (_state, bot, { fields }) => {
    const url = textOf(fields["url"]);
    const secret = textOf(fields["secret_token"]);
    if (url !== "" && !/^https:\/\/|^http:\/\/(?:127\.0\.0\.1|localhost)\b/.test(url))
      throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
    if (secret.length > 256) throw badRequest("secret token is too long");
    if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
    if (fields["allowed_updates"] !== undefined)
      bot.updates.setAllowed(listOf(structured(fields["allowed_updates"])).map(textOf));
    bot.updates.setWebhook(url === "" ? undefined : { url, secret }, fields["drop_pending_updates"] === true);
    return true;
  },
  deleteWebhook: (_state, bot, { fields }) => {
    bot.updates.setWebhook(undefined, fields["drop_pending_updates"] === true);
    return true;
  },
  getWebhookInfo: (_state, { updates }) => ({
    url: updates.webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: updates.pending().length,
  }),
  sendMessage: sends,
  sendPhoto: sends,
  sendVideo: sends,
  sendAnimation: sends,
  sendAudio: sends,
  sendVoice: sends,
  sendDocument: sends,
  sendSticker: sends,
  sendLocation: sends,
  sendVenue: sends,
  sendContact: sends,
  sendPoll: sends,
  sendRichMessage: sends,
  deleteBusinessMessages: (_state, bot, { fields }) => {
    if (connectionOf(bot, { fields }) === undefined) throw badRequest("business connection not found");
    const ids = listOf(structured(fields["message_ids"] ?? [])).map(integerOf);
    const found = [...bot.messages.values()].filter(
      ({ connection, messageId }) => connection === fields["business_connection_id"] && ids.includes(messageId),
    );
    if (found.length === 0) throw badRequest("message to delete not found");
    for (const stored of found) stored.isDeleted = true;
    return true;
  },
  sendChatAction: (state, bot, { fields }) => {
    if (connectionOf(bot, { fields }) === undefined) chatOf(state, fields["chat_id"]);
    if (textOf(fields["action"]) === "") throw badRequest("wrong parameter action in request");
    return true;
  },
  editMessageText: (state, bot, call) => edited(state, bot, call, "text"),
  editMessageCaption: (state, bot, call) => edited(state, bot, call, "caption"),
  editEphemeralMessageText: (state, bot, call) => edited(state, bot, call, "text"),
  editEphemeralMessageCaption: (state, bot, call) => edited(state, bot, call, "caption"),
  deleteEphemeralMessage: (state, bot, call) => {
    ephemeralIn(state, bot, call, "message to delete").isDeleted = true;
    return true;
  },
  deleteMessage: (state, bot, call) => {
    const stored = storedOf(state, bot, call, "message to delete");
    if (stored.atMs < state.clock.now() - DELETABLE_MS) throw badRequest("message can't be deleted for everyone");
    stored.isDeleted = true;
    return true;
  },
  setMessageReaction: (state, bot, call) => {
    const stored = storedOf(state, bot, call, "message to react");
    const [reaction] = listOf(structured(call.fields["reaction"] ?? [])).map(recordOf);
    const emoji = textOf(reaction?.["emoji"]);
    if (reaction && !REACTIONS.has(emoji)) throw badRequest("REACTION_INVALID");
    if (emoji === "") delete stored.reaction;
    else stored.reaction = emoji;
    return true;
  },
  answerCallbackQuery: (_state, bot, { fields }) => {
    const callback = bot.callbacks.get(textOf(fields["callback_query_id"]));
    if (!callback) throw badRequest("query is too old and response timeout expired or query ID is invalid");
    callback.isAnswered = true;
    return true;
  },
  getFile: ({ files }, _bot, { fields }) => {
    const id = textOf(fields["file_id"]);
    const file = files.get(id);
    if (!file) throw badRequest("wrong file_id or the file is temporarily unavailable");
    const size = file.announcedSize ?? file.bytes.length;
    if (size > DOWNLOAD_BYTES) throw badRequest("file is too big");
    return { file_id: id, file_unique_id: file.uniqueId, file_size: size, file_path: file.path };
  },
};

const BY_NAME = new Map(Object.entries(METHODS).map(([name, method]) => [name.toLowerCase(), { name, method }]));

/** The method of a path; throws 404 for an unknown method. */
export const methodOf = (name: string): { name: string; method: Method } => {
  const found = BY_NAME.get(name.toLowerCase());
  if (!found) throw methodNotFound();
  return found;
};
