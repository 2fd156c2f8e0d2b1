import { type Clock, DAY_MS, HOUR_MS } from "../../../src/kernel/clock.ts";
import type { Random } from "../../../src/kernel/random.ts";
import { appScopedIdOf, newMid } from "./ids.ts";
import {
  type AccountSeed,
  type AppSeed,
  BASIC,
  type CommentSeed,
  MESSAGES,
  type Scope,
  type SettingsPatch,
  type TokenSeed,
  type UserSeed,
} from "./seeds.ts";

export type Settings = Required<SettingsPatch>;

/** `subscriptions`: the fields each app is subscribed to. */
export type Account = { seed: AccountSeed; appScopedId: string; subscriptions: Map<string, string[]> };
export type Token = {
  value: string;
  appId: string;
  igUserId: string;
  kind: "short" | "long";
  scopes: readonly Scope[];
  issuedAt: number;
  expiresAt: number;
  /** The subcode of 190 it is refused with since it was withdrawn. */
  invalidSubcode?: number;
};
export type Code = {
  code: string;
  appId: string;
  igUserId: string;
  redirectUri: string;
  scopes: readonly Scope[];
  issuedAt: number;
  isUsed: boolean;
};
export type Comment = { seed: CommentSeed; at: number; isAnswered: boolean };

/** Bytes behind a link of the simulator's. */
export type Medium = { id: string; bytes: Uint8Array<ArrayBuffer>; mimeType: string };

/** A file that was uploaded to be sent by its id; without a medium if its link was accepted unseen. */
export type Attachment = { type: string; medium: Medium | undefined };

/** A message of a conversation, as `GET /{mid}` knows it. */
export type Message = {
  mid: string;
  at: number;
  igUserId: string;
  igsid: string;
  isFromBusiness: boolean;
  text?: string;
  isUnsupported?: boolean;
};

/** An accepted send. */
export type Sent = {
  messageId: string;
  at: number;
  igUserId: string;
  igsid: string;
  /** `text`, the attachment's type, or `images` for several. */
  type: string;
  /** SHA-256 of recipient and message: equal for equal messages. */
  bodyDigest: string;
  body: Record<string, unknown>;
  /** Its attachments in their order; undefined if the link was accepted unseen. */
  media: readonly (Medium | undefined)[];
};

/** A reaction, a typing indicator or a mark as seen. */
export type Action = {
  at: number;
  igUserId: string;
  igsid: string;
  action: string;
  messageId?: string;
  reaction?: string;
};

/** Everything the simulated Instagram knows. Maps throughout: a burst must not make it slow. */
export type State = {
  clock: Clock;
  random: Random;
  settings: Settings;
  /** The address of the simulator. */
  origin: string;
  apps: Map<string, AppSeed>;
  accounts: Map<string, Account>;
  users: Map<string, UserSeed>;
  tokens: Map<string, Token>;
  codes: Map<string, Code>;
  comments: Map<string, Comment>;
  messages: Map<string, Message>;
  sent: Map<string, Sent>;
  /** The number of equal accepted sends. */
  sentTimes: Map<string, number>;
  actions: Action[];
  media: Map<string, Medium>;
  /** Files that were uploaded to be sent by their id. */
  attachments: Map<string, Attachment>;
  /** Conversations that another app leads: `<account>:<IGSID>`, with its app id. */
  ledByOthers: Map<string, string>;
  /** The menus and ice breakers of each account: `<account>:<field>`. */
  profiles: Map<string, unknown>;
  /** When the user last wrote to the account: `<account>:<IGSID>`. */
  windows: Map<string, number>;
};

const DEFAULT_SETTINGS: Settings = {
  version: "v25.0",
  authorization: "grant",
  signedInAs: "",
  declinedScopes: [],
  tokenAnswer: "data",
  permissionsAs: "text",
  meAnswer: "flat",
  isWindowEnforced: true,
  echoes: "off",
  isSubscriptionRequired: false,
  isMediaFetched: true,
  takesSeveralImages: true,
  mediaTtlMs: DAY_MS,
};
const DEFAULT_APP_ID = "990602627938098";
const TTL_MS = { short: HOUR_MS, long: 60 * DAY_MS } as const;
export const DEFAULT_SCOPES: readonly Scope[] = [BASIC, MESSAGES];

export const createState = (clock: Clock, random: Random): State => ({
  clock,
  random,
  settings: { ...DEFAULT_SETTINGS },
  origin: "",
  apps: new Map(),
  accounts: new Map(),
  users: new Map(),
  tokens: new Map(),
  codes: new Map(),
  comments: new Map(),
  messages: new Map(),
  sent: new Map(),
  sentTimes: new Map(),
  actions: [],
  media: new Map(),
  attachments: new Map(),
  ledByOthers: new Map(),
  profiles: new Map(),
  windows: new Map(),
});

/** Drops everything that a test has set up and done, with apps, accounts and tokens. */
export const resetState = (state: State): void => {
  state.settings = { ...DEFAULT_SETTINGS };
  state.actions.length = 0;
  for (const part of Object.values(state)) if (part instanceof Map) part.clear();
};

/** The app of an order that names no app. */
export const firstAppId = (state: State): string => state.apps.keys().next().value ?? DEFAULT_APP_ID;

/** Adds an account, or replaces the one of the same id. */
export const addAccount = (state: State, seed: AccountSeed): void => {
  const { igUserId, appScopedId = appScopedIdOf(igUserId), tokens = [] } = seed;
  state.accounts.set(igUserId, { seed, appScopedId, subscriptions: new Map() });
  for (const token of tokens) addToken(state, { token, igUserId });
};

export const addToken = (state: State, seed: TokenSeed): Token => {
  const {
    token: value,
    igUserId,
    appId = firstAppId(state),
    kind = "long",
    scopes = DEFAULT_SCOPES,
    issuedAt = state.clock.now(),
  } = seed;
  const token = {
    value,
    igUserId,
    appId,
    kind,
    scopes,
    issuedAt,
    expiresAt: seed.expiresAt ?? issuedAt + TTL_MS[kind],
  };
  state.tokens.set(value, token);
  return token;
};

export const addUser = (state: State, seed: UserSeed): UserSeed => {
  state.users.set(seed.igsid, seed);
  for (const igUserId of seed.hasWrittenTo ?? []) openWindow(state, igUserId, seed.igsid);
  return seed;
};

/** The user of an IGSID, made at its first use. */
export const userOf = (state: State, igsid: string): UserSeed => state.users.get(igsid) ?? addUser(state, { igsid });

export const addComment = (state: State, seed: CommentSeed): void => {
  userOf(state, seed.from);
  state.comments.set(seed.commentId, { seed, at: seed.at ?? state.clock.now(), isAnswered: false });
};

/** Keeps a message of a conversation under its id, which is made up if it is missing. */
export const addMessage = (
  state: State,
  { mid, ...message }: Omit<Message, "mid"> & { mid?: string | undefined },
): Message => {
  const stored = { mid: mid ?? newMid(state.random, message.igUserId), ...message };
  state.messages.set(stored.mid, stored);
  return stored;
};

const windowKey = (igUserId: string, igsid: string): string => `${igUserId}:${igsid}`;

/** The user wrote: messages are welcome for 24 hours. */
export const openWindow = (state: State, igUserId: string, igsid: string, at = state.clock.now()): void => {
  state.windows.set(windowKey(igUserId, igsid), at);
};

export const hasWritten = (state: State, igUserId: string, igsid: string): boolean =>
  state.windows.has(windowKey(igUserId, igsid));

/** Whether the user wrote within the last `lengthMs`. */
export const isWithin = (state: State, igUserId: string, igsid: string, lengthMs: number): boolean =>
  state.clock.now() - (state.windows.get(windowKey(igUserId, igsid)) ?? Number.NEGATIVE_INFINITY) < lengthMs;
