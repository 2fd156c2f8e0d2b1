import { Type } from "@sinclair/typebox";
import { Text } from "../../../../src/kernel/schema.ts";
import { type Effect, json } from "../call.ts";
import { invalid } from "../errors.ts";
import { checked } from "../shape.ts";
import type { Action, State } from "../state.ts";

const strict = { additionalProperties: false } as const;
const React = Type.Object({ message_id: Text(1, 500), reaction: Text(1, 16) }, strict);
const Unreact = Type.Object({ message_id: Text(1, 500) }, strict);

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

type ActionOrder = Pick<Action, "igUserId" | "igsid" | "action"> & { payload: unknown };

/**
 * A sender action. Throws 100 for a reaction without a message of this conversation, or without an emoji; other actions
 * take no payload.
 */
export const actionOf = (state: State, { payload, ...who }: ActionOrder): Effect => {
  const what = detailsOf(who.action, payload);
  const message = what.messageId === undefined ? undefined : state.messages.get(what.messageId);
  const isInConversation = message?.igUserId === who.igUserId && message.igsid === who.igsid;
  if (what.messageId !== undefined && !isInConversation)
    throw invalid("Param payload[message_id] is not a message of this conversation.");
  const run = () => {
    state.actions.push({ at: state.clock.now(), ...who, ...what });
    return json({ recipient_id: who.igsid });
  };
  return { operation: "action.send", igUserId: who.igUserId, igsid: who.igsid, run };
};

const detailsOf = (action: string, payload: unknown): Pick<Action, "messageId" | "reaction"> => {
  if (action === "unreact") return { messageId: checked(Unreact, payload, "payload").message_id };
  if (action === "react") {
    const { message_id: messageId, reaction } = checked(React, payload, "payload");
    if (reaction !== "love" && !EMOJI.test(reaction))
      throw invalid("Param payload[reaction] must be love or an emoji.");
    return { messageId, reaction };
  }
  if (payload !== undefined) throw invalid(`The parameter payload is not for sender_action ${action}.`);
  return {};
};
