import type { Stanza } from "./wire/stanza.ts";

export type Usync = { users: string[]; protocols: string[] };
export type Hello = { jid: string; display: string; nonce: number[] };
export type ReceivedEvent = { from: string; id: string; type: string };

/** The network's figures about its clients. */
export type Stat = {
  /** Requested websockets, with refused ones. */
  attempts: number;
  connections: number;
  logins: number;
  pairings: number;
  readonly stanzas: Record<string, number>;
  readonly iqs: Record<string, number>;
  readonly usync: Usync[];
  /** Requests for codes to type, and the acknowledgements of connections that are not linked yet. */
  readonly hellos: Hello[];
  /** Codes that a companion has shown to be its own. */
  finished: number;
  /** Ceremonies with a passkey in which a companion has sent its secret. */
  passkeysUsed: number;
  readonly linkAcks: { id: string; type: string }[];
  /** The recipients of linked devices' messages. `alias`: the number beside a LID. */
  readonly destinations: { id: string; to: string; alias: string | undefined }[];
  readonly acks: (ReceivedEvent & { error?: string })[];
  readonly receipts: ReceivedEvent[];
  readonly uploads: { path: string; status: number }[];
  readonly downloads: { path: string; status: number }[];
  /** Unknown stanzas, and failures in the network. Must stay empty. */
  readonly unhandled: string[];
  readonly refused: string[];
  /** The client versions that logged in, or asked to be linked. */
  readonly appVersions: string[];
};

const KEPT = 1_000;

export const makeStat = (): Stat => ({
  attempts: 0,
  connections: 0,
  logins: 0,
  pairings: 0,
  stanzas: {},
  iqs: {},
  usync: [],
  hellos: [],
  finished: 0,
  passkeysUsed: 0,
  linkAcks: [],
  destinations: [],
  acks: [],
  receipts: [],
  uploads: [],
  downloads: [],
  unhandled: [],
  refused: [],
  appVersions: [],
});

/** Keeps the last 1,000. */
export const note = <Item>(list: Item[], item: Item): void => {
  if (list.push(item) > KEPT) list.shift();
};

export const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** The kind of a stanza, without its content. */
export const outline = ({ tag, attrs, content }: Stanza): string =>
  `<${tag} xmlns=${attrs["xmlns"] ?? ""} type=${attrs["type"] ?? ""}>${Array.isArray(content) ? content.map((inner) => inner.tag).join(",") : ""}`;
