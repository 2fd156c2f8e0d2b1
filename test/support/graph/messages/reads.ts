import { type Call, type Effect, required, SUCCESS } from "../call.ts";
import { badParameter } from "../errors.ts";
import { fieldsOf } from "../shape.ts";
import type { PhoneNumber } from "../state.ts";

/** A read call, which may show the typing indicator too. Throws 100 for a message that this number did not receive. */
export const readMessage = ({ state, body }: Call, number: PhoneNumber): Effect => {
  const { status, message_id: messageId, typing_indicator: typing } = body;
  const { phoneNumberId } = number.seed;
  if (status !== "read") throw badParameter("Param status must be one of {READ}.");
  if (typeof messageId !== "string" || messageId === "") throw required("message_id");
  const isTyping = typing !== undefined;
  if (isTyping && fieldsOf(typing)["type"] !== "text")
    throw badParameter("Param typing_indicator['type'] must be one of {TEXT}.");
  const message = state.inbound.get(messageId);
  if (message?.phoneNumberId !== phoneNumberId)
    throw badParameter(`Message id ${messageId} was not received by this number.`);
  const run = () => {
    state.reads.push({ at: state.clock.now(), phoneNumberId, messageId, isTyping });
    return SUCCESS;
  };
  return { operation: "message.read", phoneNumberId, recipient: message.recipient, run };
};
