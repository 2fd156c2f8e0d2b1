import type { Clock } from "../../../src/kernel/clock.ts";

export type Fields = Record<string, any>;

/** A request as it came, for tests that ask what was sent. */
export type JournalEntry = { method: string; path: string; fields: Fields };

/** A message that an account has sent. */
export type SentMessage = { id: string; from: string; to: string; text: string; links: string[]; fields: Fields };

/** A number or short code of a Twilio account. */
export type Owned = { sid: string; value: string; smsUrl: string; applicationSid: string };

export type TwilioAccount = {
  sid: string;
  tokens: Set<string>;
  status: "active" | "suspended" | "closed";
  owned: Owned[];
  /** Names and Messaging Services that the account may send from. */
  senders: Set<string>;
  /** Pairs `from>to` of people who have written STOP. */
  optedOut: Set<string>;
  /** Whether the provider can call the addresses for states. */
  takesCallbacks: boolean;
  sent: SentMessage[];
  files: Map<string, { bytes: Uint8Array; type: string }>;
  /** What the answer to a message names as its price. The real one names none at first. */
  price: string | null;
};

export type Subscription = { id: string; eventType: string; webhook: Fields; criteria: Fields; status: string };

export type ZenviaAccount = {
  tokens: Set<string>;
  /** The secret of a token that signs its requests. */
  tokenSecret: string | undefined;
  aliases: Set<string>;
  subscriptions: Subscription[];
  sent: SentMessage[];
};

export type State = {
  clock: Pick<Clock, "now">;
  twilio: Map<string, TwilioAccount>;
  zenvia: ZenviaAccount[];
  nextId: number;
  journal: JournalEntry[];
};

/** A negative answer of a provider. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, body: object) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

export type Called = {
  method: string;
  url: URL;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

export type Answer = { status: number; body?: object | Uint8Array; headers?: Record<string, string> };
