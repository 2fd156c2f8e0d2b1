import type { Clock } from "../../../src/kernel/clock.ts";

export type Fields = Record<string, any>;

/** A person as one page sees them. `lastWroteAt`: the person's last message, which opens the window of 24 hours. */
export type Person = { psid: string; name: string; lastWroteAt: number; isBlocking: boolean; hidesName: boolean };

/** A message that the page has sent. */
export type SentMessage = { mid: string; to: string; message: Fields; at: number; tag: string | undefined };

export type Page = {
  id: string;
  name: string;
  /** The app that is connected with the page; its secret signs webhooks. */
  appId: string;
  appSecret: string;
  tokens: Set<string>;
  /** Whether Meta has granted the app its Human Agent feature, and its token the right to subscribe webhooks. */
  hasHumanAgent: boolean;
  maySubscribe: boolean;
  subscribed: string[] | undefined;
  people: Map<string, Person>;
  sent: SentMessage[];
  /** The acts of the page that are no messages: typing, seen, reactions. */
  actions: Fields[];
  files: Map<string, { type: string; bytes: number; contentType: string; filename: string | undefined }>;
  /** The app that leads the conversation with a person, by the person's id; absent while none does. */
  leaders: Map<string, string>;
  /** Whether the page's settings let this app take conversations. */
  mayTake: boolean;
  /** The ids of the messages that people wrote. */
  received: Set<string>;
};

export type JournalEntry = { method: string; path: string; fields: Fields; proof: string | undefined };

export type State = {
  clock: Pick<Clock, "now">;
  pages: Map<string, Page>;
  /** The one address of each app, to which the events of all its pages go. */
  webhooks: Map<string, string>;
  nextId: number;
  journal: JournalEntry[];
};
