import type { proto } from "@whiskeysockets/baileys";

export const DEEPEST = 8;

/** A message out of its wrappers, of which the network makes new ones: each is a part that has a message alone. */
export const unwrapped = (message: proto.IMessage): proto.IMessage => {
  let content = message;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const [inner] = Object.values(content as Record<string, unknown>).flatMap(messageIn);
    if (!inner) break;
    content = inner;
  }
  return content;
};

const messageIn = (part: unknown): proto.IMessage[] => {
  if (typeof part !== "object" || part === null || Object.keys(part).join() !== "message") return [];
  const { message } = part as proto.Message.IFutureProofMessage;
  return typeof message === "object" && message !== null ? [message] : [];
};
