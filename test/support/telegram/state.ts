import type { Clock } from "../../../src/kernel/clock.ts";
import type { Updates } from "./updates.ts";

/**
 * Fields of a call, from its JSON, form or multipart body. Texts that are JSON inside a form are parsed at their use.
 */
export type Fields = Readonly<Record<string, unknown>>;
export type UploadedFile = { bytes: Uint8Array; filename: string; contentType: string };
export type Call = { method: string; fields: Fields; files: ReadonlyMap<string, UploadedFile> };

/** A received request; `files`: the sizes of the uploaded files. */
export type JournalEntry = { method: string; fields: Fields; files: Readonly<Record<string, number>>; token: string };

export type Person = {
  id: number;
  first_name: string;
  last_name?: string;
  username?: string;
  hasBlocked?: boolean;
  isDeactivated?: boolean;
};
/** A group or a channel. `topics`: those of a forum, by their ids. */
export type Group = {
  id: number;
  title: string;
  isChannel?: boolean;
  topics?: ReadonlyMap<number, string>;
  migratedTo?: number;
  isKicked?: boolean;
  /** The bot is a simple member there. */
  isBotMember?: boolean;
};

/** A person's business account that the bot is connected with. */
export type Connection = { id: string; owner: number; isEnabled: boolean; mayReply: boolean; atMs: number };

/** A poll that the bot sent. `votes`: the chosen positions of each person. */
export type SentPoll = {
  id: string;
  question: string;
  options: readonly string[];
  isMultiple: boolean;
  isAnonymous: boolean;
  votes: Map<number, readonly number[]>;
};

/** A message that the bot has sent or got. */
export type Stored = {
  chatId: number;
  /** The business connection whose chat it is in. */
  connection?: string;
  poll?: SentPoll;
  messageId: number;
  isOutgoing: boolean;
  isDeleted: boolean;
  atMs: number;
  text?: string;
  caption?: string;
  markup?: unknown;
  /** A rich message, as clients get it. */
  rich?: Fields;
  /** The member who sees it alone. */
  onlyFor?: number;
  reaction?: string;
  /** The kind of the message, by the name of its method: `sendPhoto`. */
  method?: string;
  fields?: Fields;
  bytes?: Uint8Array;
};

export type Bot = {
  id: number;
  token: string;
  username: string;
  isRevoked: boolean;
  updates: Updates;
  /** By `<chat id>:<message id>`. */
  messages: Map<string, Stored>;
  /** Callback queries without an answer yet, and answered ones. */
  callbacks: Map<string, { isAnswered: boolean }>;
  nextMessageId: number;
  /** By id. */
  connections: Map<string, Connection>;
  polls: Map<string, SentPoll>;
};

export type StoredFile = { path: string; bytes: Uint8Array; uniqueId: string; announcedSize?: number };

export type State = {
  clock: Clock;
  bots: Map<string, Bot>;
  people: Map<number, Person>;
  groups: Map<number, Group>;
  /** By file id. */
  files: Map<string, StoredFile>;
};

/** Ids count within a chat; those of a business account's chats are its own. */
export const messageKey = (chatId: number, messageId: number, connection?: string): string =>
  `${chatId}${connection === undefined ? "" : `/${connection}`}:${messageId}`;
export const seconds = (ms: number): number => Math.floor(ms / 1000);
