import { type Static, Type } from "@sinclair/typebox";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { sha256 } from "../../../../src/kernel/crypto.ts";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { newNumericId } from "../../graph/ids.ts";
import { type Fields, fieldsOf } from "../../graph/shape.ts";
import { accountOf, type Call, type Effect, json } from "../call.ts";
import { invalid, refusal } from "../errors.ts";
import { MESSAGES } from "../seeds.ts";
import { checked } from "../shape.ts";
import { addMessage, isWithin, type Medium, type Sent, type State } from "../state.ts";
import type { Echoes } from "../webhooks/echoes.ts";
import { actionOf } from "./actions.ts";
import { attachmentOf, type Content, contentOf } from "./content.ts";
import { fetchAttachment } from "./media.ts";

const REPLY_WINDOW_MS = DAY_MS;
const HUMAN_AGENT_WINDOW_MS = 7 * DAY_MS;
const COMMENT_WINDOW_MS = 7 * DAY_MS;
const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const Body = Type.Object(
  {
    recipient: Type.Object({ id: optional(Text(1, 64)), comment_id: optional(Text(1, 64)) }, strict),
    message: optional(Type.Object({})),
    reply_to: optional(Type.Object({ mid: Text(1, 1000) }, strict)),
    sender_action: optional(OneOf(["typing_on", "typing_off", "mark_seen", "react", "unreact"])),
    payload: optional(Type.Object({})),
    messaging_type: optional(OneOf(["RESPONSE", "UPDATE", "MESSAGE_TAG"])),
    tag: optional(OneOf(["HUMAN_AGENT"])),
  },
  strict,
);
type Body = Static<typeof Body>;

/** `POST /{account}/messages`: a message or a sender action. Everything is checked before anything is done. */
export const messagesHandler =
  (echoes: Echoes) =>
  (call: Call): Effect => {
    accountOf(call, MESSAGES);
    const body = checked(Body, call.body, "");
    const { sender_action: action } = body;
    if ((body.message === undefined) === (action === undefined))
      throw invalid("The body must have exactly one of message and sender_action.");
    if (body.messaging_type === "MESSAGE_TAG" && body.tag === undefined)
      throw invalid("The parameter tag is required with messaging_type MESSAGE_TAG.");
    return action === undefined ? send(call, body, echoes) : act(call, action, body);
  };

const act = (call: Call, action: string, { recipient, payload, tag }: Body): Effect => {
  const igsid = userIn(call.state, recipient);
  requireWindow(call, igsid, tag);
  return actionOf(call.state, { igUserId: call.token.igUserId, igsid, action, payload });
};

const send = (call: Call, body: Body, echoes: Echoes): Effect => {
  const { state, token } = call;
  const message = fieldsOf(body.message);
  if (body.payload !== undefined) throw invalid("The parameter payload is for sender actions only.");
  const content = contentOf(state, message);
  if (content.type === "images" && !state.settings.takesSeveralImages) throw refusal(100, { subcode: 2534068 });
  const isPrivateReply = body.recipient.comment_id !== undefined;
  const igsid = isPrivateReply ? commenterIn(call, body.recipient, content) : userIn(state, body.recipient);
  if (!isPrivateReply) requireWindow(call, igsid, body.tag);
  if (state.ledByOthers.has(`${token.igUserId}:${igsid}`)) throw refusal(10, { subcode: 2018300 });
  const repliedTo = body.reply_to && state.messages.get(body.reply_to.mid);
  if (body.reply_to && repliedTo?.igsid !== igsid) throw invalid("Param reply_to[mid] is no message of this chat.");
  const run = async () => {
    const media = await mediaOf(state, content);
    const sent = accept(call, igsid, { content, message, media });
    const after = await echoes.begin(sent);
    return { ...json({ recipient_id: igsid, message_id: sent.messageId }), after };
  };
  return { operation: "message.send", igUserId: token.igUserId, igsid, run };
};

/** The user that a send names. Throws 100/2534014 for an unknown user. */
const userIn = ({ users }: State, { id, comment_id: commentId }: Body["recipient"]): string => {
  if (id === undefined || commentId !== undefined) throw invalid("Param recipient must have an id.");
  if (!users.has(id)) throw refusal(100, { subcode: 2534014 });
  return id;
};

/** The author of the comment that a send answers. One text per comment, within seven days. */
const commenterIn = (
  { state, token }: Call,
  { id, comment_id: commentId = "" }: Body["recipient"],
  { type }: Content,
): string => {
  if (id !== undefined) throw invalid("Param recipient can have only one of id and comment_id.");
  if (type !== "text") throw invalid("A private reply can be a text only.");
  const comment = state.comments.get(commentId);
  const isOpen =
    comment?.seed.igUserId === token.igUserId &&
    !comment.isAnswered &&
    state.clock.now() - comment.at < COMMENT_WINDOW_MS;
  if (!isOpen) throw refusal(100, { subcode: 2534025 });
  return comment.seed.from;
};

/** Throws 10/2534022 if the user's last message is too long ago, and 10 if the app may not use the tag. */
const requireWindow = ({ state, token }: Call, igsid: string, tag: Body["tag"]): void => {
  const isApproved = state.apps.get(token.appId)?.isHumanAgentApproved ?? false;
  if (tag !== undefined && !isApproved) throw refusal(10, { message: HUMAN_AGENT_REFUSED });
  const lengthMs = tag === undefined ? REPLY_WINDOW_MS : HUMAN_AGENT_WINDOW_MS;
  if (state.settings.isWindowEnforced && !isWithin(state, token.igUserId, igsid, lengthMs))
    throw refusal(10, { subcode: 2534022 });
};

const HUMAN_AGENT_REFUSED = "To use 'Human Agent', your use of this endpoint must be reviewed and approved by Meta.";

const mediaOf = (state: State, { files }: Content): Promise<(Medium | undefined)[]> =>
  Promise.all(
    files.map(async (file) =>
      "url" in file ? fetchAttachment(state, file.type, file.url) : state.attachments.get(file.id)?.medium,
    ),
  );

type Accepted = { content: Content; message: Fields; media: Sent["media"] };

const accept = ({ state, token, body }: Call, igsid: string, { content, message, media }: Accepted): Sent => {
  const { igUserId } = token;
  const [at, text] = [state.clock.now(), message["text"]];
  const { mid } = addMessage(state, {
    at,
    igUserId,
    igsid,
    isFromBusiness: true,
    ...(typeof text === "string" ? { text } : {}),
  });
  const bodyDigest = sha256(JSON.stringify([igUserId, igsid, message]));
  const sent: Sent = { messageId: mid, at, igUserId, igsid, type: content.type, bodyDigest, body, media };
  state.sent.set(mid, sent);
  state.sentTimes.set(bodyDigest, (state.sentTimes.get(bodyDigest) ?? 0) + 1);
  const comment = state.comments.get(String(fieldsOf(body["recipient"])["comment_id"]));
  if (comment) comment.isAnswered = true;
  return sent;
};

/** `POST /{account}/message_attachments`: keeps a file to be sent by its id. */
export const addAttachment = (call: Call): Effect => {
  const { seed } = accountOf(call, MESSAGES);
  const { state, body } = call;
  const { message } = checked(Type.Object({ message: Type.Object({}) }, strict), body, "");
  const [file] = attachmentOf(state, message).files;
  if (!file || !("url" in file)) throw invalid("Only a file with a url can be uploaded.");
  const run = async () => {
    const medium = await fetchAttachment(state, file.type, file.url);
    const id = newNumericId(state.random);
    state.attachments.set(id, { type: file.type, medium });
    return json({ attachment_id: id });
  };
  return { operation: "attachment.add", igUserId: seed.igUserId, run };
};
