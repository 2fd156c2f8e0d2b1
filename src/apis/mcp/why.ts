import { at, type Call } from "./tool.ts";

type Message = { status: string; failedReason?: string | null };
type Phone = { status: string; restriction?: { reason: string; until: string | null } | null };

/** The progress of a sent message, with its phone's state and a sentence for a person. */
export const explainMessage = async (
  call: Call,
  { messageId, phoneId }: { messageId: string; phoneId: string },
): Promise<object> => {
  const message = (await call("GET", at`/v1/messages/${messageId}`)) as Message;
  const phone = (await call("GET", at`/v1/phones/${phoneId}`)) as Phone;
  return { explanation: explanationOf(message, phone), message, phone };
};

const explanationOf = ({ status, failedReason }: Message, phone: Phone): string => {
  switch (status) {
    case "READ":
      return "The message was delivered, and the person has opened the chat.";
    case "DELIVERED":
      return "The message is on the person's device. It was not opened yet, or the person hides read receipts.";
    case "SENT":
      return "The network has the message. The person's device was not reached since: it may be off or without internet.";
    case "FAILED":
      return `The message failed and is not tried again. The reason is: ${failedReason ?? "not known"}.`;
    default:
      return waitingFor(phone);
  }
};

const waitingFor = (phone: Phone): string => {
  if (phone.restriction)
    return `The message waits, because the network restricts the phone (${phone.restriction.reason})${
      phone.restriction.until === null ? "" : ` until ${phone.restriction.until}`
    }.`;
  return phone.status !== "CONNECTED"
    ? `The message waits, because the phone is ${phone.status}. It is sent when the phone is connected.`
    : "The message waits for its turn in the queue of the phone.";
};
