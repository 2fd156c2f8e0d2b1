import { normalizeMessageContent, type proto } from "@whiskeysockets/baileys";
import { partOf } from "./content.ts";

export const DEEPEST = 8;

/** A message out of its wrappers, of which the network makes new ones: each is a part that has a message alone. */
export const unwrapped = (message: proto.IMessage): proto.IMessage => {
  let content = message;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const [inner] = Object.entries(content as Record<string, unknown>).flatMap(messageIn);
    if (!inner) break;
    content = inner;
  }
  return content;
};

const ABOUT: ReadonlySet<string> = new Set(["message", "targetMessageKey"]);

const messageIn = ([name, part]: [string, unknown]): proto.IMessage[] => {
  // the owner's messages from other devices, which only the owner may write
  return name !== "deviceSentMessage" && isWrapper(part) ? [part.message] : [];
};

/** Whether a part has a message, and besides it names the message that it is about at most. */
export const isWrapper = (part: unknown): part is { message: proto.IMessage } => {
  if (typeof part !== "object" || part === null || Object.keys(part).some((field) => !ABOUT.has(field))) return false;
  const { message } = part as proto.Message.IFutureProofMessage;
  return typeof message === "object" && message !== null;
};

/**
 * The content of a message: it is out of all its wrappers where that says something, else out of those that the
 * library opens, so that a wrapper that says something by its name is published.
 */
export const openedIn = (message: proto.IMessage | null | undefined): proto.IMessage => {
  const inner = unwrapped(message ?? {});
  return partOf(inner) === undefined ? (normalizeMessageContent(message) ?? {}) : inner;
};
