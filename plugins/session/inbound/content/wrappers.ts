import { normalizeMessageContent, type proto } from "@whiskeysockets/baileys";
import { partOf } from "./content.ts";

export const DEEPEST = 8;

/** A message without its wrappers. The network adds new wrappers: each is a part that has only a message. */
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
  return name !== "deviceSentMessage" && isWrapper(part)
    ? [isForOneView(name) ? markedForOneView(part.message) : part.message]
    : [];
};

const isForOneView = (wrapper: string): boolean => wrapper.startsWith("viewOnceMessage");
const FILES = ["imageMessage", "videoMessage", "audioMessage"] as const;

/** The apps mark the file too; other programs say only by the wrapper that it can be opened once. */
const markedForOneView = (message: proto.IMessage): proto.IMessage => {
  const marked = FILES.flatMap((name) =>
    message[name] ? [[name, { ...message[name], viewOnce: true }] as const] : [],
  );
  return { ...message, ...Object.fromEntries(marked) };
};

/** Whether a part has a message, and besides it at most the name of its target message. */
export const isWrapper = (part: unknown): part is { message: proto.IMessage } => {
  if (typeof part !== "object" || part === null || Object.keys(part).some((field) => !ABOUT.has(field))) return false;
  const { message } = part as proto.Message.IFutureProofMessage;
  return typeof message === "object" && message !== null;
};

/**
 * The content of a message, without all its wrappers if they are empty otherwise; else without those that the library
 * opens. So a wrapper with a meaning of its own is published by its name.
 */
export const openedIn = (message: proto.IMessage | null | undefined): proto.IMessage => {
  const inner = unwrapped(message ?? {});
  return partOf(inner) === undefined ? (normalizeMessageContent(message) ?? {}) : inner;
};
