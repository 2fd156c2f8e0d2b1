import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { createFailures } from "../telegram/failures.ts";
import { serveSms } from "./server.ts";
import type { Fields, JournalEntry, Owned, SentMessage, State, TwilioAccount, ZenviaAccount } from "./state.ts";
import { signedByTwilio } from "./twilio.ts";

/** An account at the simulated Twilio, and what people and networks do with its messages. */
export type SimulatedTwilio = TwilioAccount & {
  addNumber(number: string, applicationSid?: string): Owned;
  addShortCode(code: string): Owned;
  addFile(name: string, bytes: Uint8Array, type: string): void;
  /** A message of a person as a form, with its id. */
  written(message: Fields): URLSearchParams;
  /** The state of a message as a form. */
  stateOf(sent: SentMessage, status: string, more?: Fields): URLSearchParams;
  /** Posts a form, signed with the first token. Gives the status and the text of the answer. */
  post(url: string, form: URLSearchParams): Promise<{ status: number; text: string }>;
};

/** An account at the simulated Zenvia. */
export type SimulatedZenvia = ZenviaAccount & {
  written(message: Fields): Fields;
  stateOf(sent: SentMessage, code: string, more?: Fields): Fields;
  /** Posts an event to each webhook that has it. Gives the statuses of the answers. */
  post(event: Fields): Promise<number[]>;
};

/** Two simulated providers of SMS: a client's view of the real ones, and a test's orders. */
export type Sms = {
  /** The value for RECADO_PLUGIN_SMS_TWILIO_URL and RECADO_PLUGIN_SMS_ZENVIA_URL. */
  readonly url: string;
  readonly journal: readonly JournalEntry[];
  addTwilio(seed: { sid: string; token: string }): SimulatedTwilio;
  addZenvia(seed: { token: string; tokenSecret?: string; aliases: readonly string[] }): SimulatedZenvia;
  /** The next call that matches, such as `POST .*Messages`, is answered so. */
  refuseNext(what: RegExp, status: number, more?: { code?: number; retryAfter?: number; times?: number }): void;
  /** The next call that matches gets no answer; `isTaken`: after it was carried out. */
  cutNext(what: RegExp, isTaken: boolean): void;
  garbleNext(what: RegExp): void;
  /** From now on the simulator does not answer. */
  stop(): Promise<void>;
};

export const startSms = async ({ clock = systemClock() }: { clock?: Clock } = {}): Promise<Sms> => {
  const state: State = { clock, twilio: new Map(), zenvia: [], nextId: 1000, journal: [] };
  const failures = createFailures();
  const server = serveSms(state, failures);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  let isUp = true;
  return {
    url,
    journal: state.journal,
    addTwilio: (seed) => addTwilio(state, seed),
    addZenvia: (seed) => addZenvia(state, seed),
    refuseNext: (what, status, { times = 1, ...parameters } = {}) =>
      failures.order(what, { kind: "refuse", status, description: "refused by order", parameters }, times, 0),
    cutNext: (what, isTaken) => failures.order(what, { kind: "cut", isTaken }, 1, 0),
    garbleNext: (what) => failures.order(what, { kind: "garble" }, 1, 0),
    async stop() {
      if (!isUp) return;
      isUp = false;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const nextIn = (state: State): string => {
  state.nextId += 1;
  return String(state.nextId);
};

const addTwilio = (state: State, { sid, token }: Parameters<Sms["addTwilio"]>[0]): SimulatedTwilio => {
  const account: TwilioAccount = {
    sid,
    tokens: new Set([token]),
    status: "active",
    owned: [],
    senders: new Set(),
    optedOut: new Set(),
    takesCallbacks: true,
    sent: [],
    files: new Map(),
    price: null,
  };
  const add = (prefix: string, value: string, applicationSid = "") => {
    const owned = { sid: prefix + nextIn(state).padStart(32, "0"), value, smsUrl: "", applicationSid };
    account.owned.push(owned);
    return owned;
  };
  state.twilio.set(sid, account);
  return Object.assign(account, {
    addNumber: (number: string, applicationSid?: string) => add("PN", number, applicationSid),
    addShortCode: (code: string) => add("SC", code),
    addFile: (name: string, bytes: Uint8Array, type: string) => void account.files.set(name, { bytes, type }),
    written: (message: Fields) => {
      const id = `SM${nextIn(state).padStart(32, "0")}`;
      const fields = {
        SmsStatus: "received",
        NumMedia: "0",
        NumSegments: "1",
        AccountSid: sid,
        ApiVersion: "2010-04-01",
      };
      return new URLSearchParams({ ToCountry: "BR", MessageSid: id, SmsSid: id, ...fields, ...message });
    },
    stateOf: ({ id, from, to }: SentMessage, status: string, more: Fields = {}) =>
      new URLSearchParams({
        SmsSid: id,
        SmsStatus: status,
        MessageStatus: status,
        To: to,
        MessageSid: id,
        AccountSid: sid,
        From: from,
        ApiVersion: "2010-04-01",
        ...more,
      }),
    async post(url: string, form: URLSearchParams) {
      const [current = ""] = account.tokens;
      const headers = signedByTwilio(current, url, form);
      const answer = await fetch(url, { method: "POST", headers, body: form.toString() });
      return { status: answer.status, text: await answer.text() };
    },
  });
};

const addZenvia = (state: State, { token, tokenSecret, aliases }: Parameters<Sms["addZenvia"]>[0]): SimulatedZenvia => {
  const account: ZenviaAccount = {
    tokens: new Set([token]),
    tokenSecret,
    aliases: new Set(aliases),
    subscriptions: [],
    sent: [],
  };
  state.zenvia.push(account);
  const timestamp = () => new Date(state.clock.now()).toISOString();
  const event = (type: string, more: Fields) => ({
    id: `event-${nextIn(state)}`,
    timestamp: timestamp(),
    type,
    channel: "sms",
    ...more,
  });
  return Object.assign(account, {
    written: ({ text, ...message }: Fields) => {
      const id = `5d2c8a10-0000-4000-8000-${nextIn(state).padStart(12, "0")}`;
      const more = { channel: "sms", direction: "IN", timestamp: timestamp(), contents: [{ type: "text", text }] };
      return event("MESSAGE", { direction: "IN", message: { id, ...more, ...message } });
    },
    stateOf: ({ id, from, to, fields }: SentMessage, code: string, more: Fields = {}) =>
      event("MESSAGE_STATUS", {
        messageId: id,
        message: { id, externalId: fields["externalId"], contentIndex: 0, direction: "OUT", from, to },
        messageStatus: { code, timestamp: timestamp(), description: code, ...more },
      }),
    async post(posted: Fields) {
      const wanted = account.subscriptions.filter(
        ({ eventType, status }) => eventType === posted["type"] && status === "ACTIVE",
      );
      const statuses: number[] = [];
      for (const { webhook } of wanted) {
        const headers = { "content-type": "application/json", ...webhook["headers"] };
        const answer = await fetch(webhook["url"], { method: "POST", headers, body: JSON.stringify(posted) });
        statuses.push(answer.status);
      }
      return statuses;
    },
  });
};
