import { DAY_MS } from "../../../src/kernel/clock.ts";
import { invalid, Refusal } from "./errors.ts";
import type { Fields, Page, Person, State } from "./state.ts";
import { requireLead } from "./threads.ts";

const FILE_TYPES = new Set(["image", "video", "audio", "file"]);
const ACTIONS = new Set(["typing_on", "typing_off", "mark_seen", "react", "unreact"]);
/** The hosts of links that the network cannot fetch. */
const MISSING_HOST = "missing.example.com";

/** `POST /{page}/messages`: https://developers.facebook.com/docs/messenger-platform/reference/send-api. */
export const sendMessage = (state: State, page: Page, fields: Fields): object => {
  const person = recipientOf(page, fields);
  if (fields["sender_action"] !== undefined) return act(page, person, fields);
  requireLead(page, person);
  const tag = checkedTag(state, page, { person, fields });
  checkMessage(page, fields["message"]);
  if (fields["reply_to"] !== undefined && typeof fields["reply_to"].mid !== "string") throw invalid("Invalid reply_to");
  state.nextId += 1;
  const mid = `m_SENT-${page.id}-${state.nextId}`;
  page.sent.push({ mid, to: person.psid, message: fields["message"], at: state.clock.now(), tag });
  return { recipient_id: person.psid, message_id: mid };
};

export const recipientOf = (page: Page, fields: Fields): Person => {
  const person = page.people.get(String(fields["recipient"]?.id ?? ""));
  if (!person) throw new Refusal(100, 2018001);
  if (person.isBlocking) throw new Refusal(551, 1545041);
  return person;
};

const act = (page: Page, person: Person, { sender_action: action, payload, message }: Fields): object => {
  if (message !== undefined) throw invalid("Cannot send both message and state at the same time.");
  if (!ACTIONS.has(action)) throw invalid(`Param sender_action must be one of ${[...ACTIONS].join(", ")}`);
  const isReaction = action === "react" || action === "unreact";
  if (isReaction && !page.received.has(payload?.message_id)) throw invalid("Invalid message_id");
  if (action === "react" && !payload.reaction) throw invalid("Invalid reaction");
  page.actions.push({ to: person.psid, action, ...(isReaction ? { payload } : {}) });
  return { recipient_id: person.psid };
};

/** The window of 24 hours, and of seven days with the tag. The other tags ended on 27 April 2026. */
const checkedTag = (
  { clock }: State,
  page: Page,
  { person, fields }: { person: Person; fields: Fields },
): string | undefined => {
  const { messaging_type: type, tag } = fields;
  const sinceMs = clock.now() - person.lastWroteAt;
  if (type === "MESSAGE_TAG") {
    if (tag !== "HUMAN_AGENT") throw invalid("Invalid parameter");
    if (!page.hasHumanAgent) throw new Refusal(10);
    if (sinceMs > 7 * DAY_MS) throw new Refusal(10, 2018278);
    return tag;
  }
  if (type !== "RESPONSE" && type !== "UPDATE") throw invalid("Param messaging_type must be one of RESPONSE, UPDATE");
  if (tag !== undefined) throw invalid("A tag needs messaging_type MESSAGE_TAG");
  if (sinceMs > DAY_MS) throw new Refusal(10, 2018278);
  return undefined;
};

const charsOf = (text: unknown): number => (typeof text === "string" ? [...text].length : 0);

const checkMessage = (page: Page, message: Fields | undefined): void => {
  if (!message || (message["text"] === undefined) === (message["attachment"] === undefined))
    throw invalid("Exactly one of text and attachment must be set.");
  if (message["text"] !== undefined && (charsOf(message["text"]) < 1 || charsOf(message["text"]) > 2000))
    throw invalid("Length of param message[text] must be less than or equal to 2000");
  if (message["quick_replies"] !== undefined) checkQuickReplies(message["quick_replies"]);
  if (message["attachment"] !== undefined) checkAttachment(page, message["attachment"]);
};

const checkQuickReplies = (replies: Fields[]): void => {
  if (replies.length < 1 || replies.length > 13) throw invalid("quick_replies must have 1 to 13 elements");
  for (const { content_type: type, title, payload } of replies)
    if (type !== "text" || charsOf(title) < 1 || charsOf(title) > 20 || charsOf(payload) > 1000)
      throw invalid("Invalid quick reply");
};

const checkAttachment = (page: Page, { type, payload = {} }: Fields): void => {
  if (type === "template") return checkTemplate(payload);
  if (!FILE_TYPES.has(type))
    throw invalid(`Param message[attachment][type] must be one of ${[...FILE_TYPES].join(", ")}`);
  const { url, attachment_id: id } = payload;
  if (id !== undefined) {
    if (page.files.get(id)?.type !== type) throw new Refusal(100, 2018074);
    return;
  }
  const parsed = URL.parse(String(url));
  if (!parsed || parsed.hostname === MISSING_HOST) throw new Refusal(100, 2018008);
};

const checkTemplate = ({ template_type: type, text, buttons = [] }: Fields): void => {
  if (type !== "button") throw invalid("Invalid template_type");
  if (charsOf(text) < 1 || charsOf(text) > 640) throw invalid("text must have 1 to 640 characters");
  if (buttons.length < 1 || buttons.length > 3) throw invalid("buttons must have 1 to 3 elements");
  for (const { type: kind, title, url, payload } of buttons) {
    if (charsOf(title) < 1 || charsOf(title) > 20) throw invalid("Invalid title of a button");
    if (
      kind === "web_url" ? !URL.canParse(url) : kind !== "postback" || charsOf(payload) < 1 || charsOf(payload) > 1000
    )
      throw invalid("Invalid button");
  }
};
