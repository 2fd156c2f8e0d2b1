import { type Clock, DAY_MS } from "../../../src/kernel/clock.ts";
import type { Random } from "../../../src/kernel/random.ts";
import type { CallPermission, Hold, SimCall } from "./calls/model.ts";
import type { FlowFault } from "./flows/json.ts";
import type { Group, GroupRequest } from "./groups/model.ts";
import { BSUID, bsuidOf } from "./ids.ts";
import type { Media } from "./media/model.ts";
import type { Money } from "./money.ts";
import type { SignupCodeSeed } from "./onboarding/seeds.ts";
import { type NumberSeed, type RecipientSeed, SCOPES, type SettingsPatch, type TokenSeed } from "./seeds.ts";
import type { Fields } from "./shape.ts";
import type { Template } from "./templates/model.ts";

export type Settings = Required<SettingsPatch>;

export type PhoneNumber = {
  seed: NumberSeed;
  platformType: "CLOUD_API" | "ON_PREMISE" | "NOT_APPLICABLE";
  isVerified: boolean;
  /** The code that was sent last. */
  code?: string;
  username?: { name: string; status: "approved" | "reserved" };
  pin: string | undefined;
  /** When it was registered or deregistered; ten in 72 hours are allowed. */
  registrations: number[];
  onboardedAt: number;
  verifiedName: string;
  /** A requested new name, and the decision on it. */
  nameRequest?: { name: string; status: "PENDING_REVIEW" | "APPROVED" | "DECLINED" };
  /** The business profile that was written. */
  profile: Fields;
  /** Which data of its business app was asked for; each can be once. */
  syncs: Set<SyncType>;
  /** Media messages of the history that was sent without their content. */
  heldMedia: Fields[];
  /** Every public key uploaded for flows; the last is the one in use, unless a registration has come in between. */
  publicKeys: string[];
  isKeySigned: boolean;
};

export const SYNC_TYPES = ["smb_app_state_sync", "history"] as const;
export type SyncType = (typeof SYNC_TYPES)[number];

export type Subscription = { appId: string; overrideUri?: string };
export type Account = { id: string; numbers: PhoneNumber[]; subscriptions: Map<string, Subscription> };
export type Token = {
  value: string;
  appId: string;
  businessAccountIds: Set<string>;
  /** The objects that `debug_token` names, if they differ from those that the token may use. */
  grantedIds?: readonly string[];
  scopes: readonly string[];
  issuedAt: number;
  expiresAt: number;
  isInvalid: boolean;
};
export type Recipient = {
  waId: string;
  userId: string;
  name: string;
  username?: string;
  contactMode?: Settings["contactMode"];
};

/** A code of embedded signup: good once, for 30 seconds. */
export type SignupCode = { seed: SignupCodeSeed; issuedAt: number; isUsed: boolean };

export const FLOW_STATUSES = ["DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"] as const;
export type Flow = {
  id: string;
  businessAccountId: string;
  appId: string;
  name: string;
  categories: string[];
  status: (typeof FLOW_STATUSES)[number];
  endpointUri?: string;
  /** The uploaded flow JSON, and its faults. */
  json?: string;
  faults: FlowFault[];
  /** When it was sent. */
  sentTimes: number[];
};

/** An accepted send. */
export type Sent = {
  wamid: string;
  at: number;
  phoneNumberId: string;
  /** For a message to a group: the group, as a person. */
  recipient: Recipient;
  groupId?: string;
  isByBsuid: boolean;
  type: string;
  /** SHA-256 of recipient, type and content: equal for equal messages. */
  bodyDigest: string;
  body: Record<string, unknown>;
  category: "service" | "marketing" | "utility" | "authentication";
  bizOpaque?: string;
  /** Which of delivered and read carries the price: the first. */
  pricedBy?: "delivered" | "read";
  /** The statuses reported so far, in the order they were reported. */
  statuses: string[];
};

/** An inbound message, which the business may read, quote and react to. */
export type Inbound = { wamid: string; at: number; type: string; phoneNumberId: string; recipient: Recipient };

/** An accepted read call. `isTyping`: it showed the typing indicator too. */
export type ReadCall = { at: number; phoneNumberId: string; messageId: string; isTyping: boolean };

/** A reaction that reached its message; an empty emoji took one back. */
export type Reaction = {
  wamid: string;
  at: number;
  phoneNumberId: string;
  to: string;
  messageId: string;
  emoji: string;
};

/**
 * A resumable upload: its announcement, its received bytes, and its handle when it is complete. `id`: with its
 * signature.
 */
export type Upload = {
  id: string;
  appId: string;
  mimeType: string;
  lengthBytes: number;
  bytes: Uint8Array;
  handle?: string;
};

/** Everything the simulated Graph knows. Maps throughout: a burst must not make it slow. */
export type State = {
  /** The address of the simulator, which `reset` keeps. */
  url: string;
  clock: Clock;
  random: Random;
  settings: Settings;
  numbers: Map<string, PhoneNumber>;
  accounts: Map<string, Account>;
  /** The accounts' data about money, by their id. */
  money: Map<string, Money>;
  tokens: Map<string, Token>;
  templates: Map<string, Template>;
  media: Map<string, Media>;
  /** By the id without its signature, which is the node of its path. */
  uploads: Map<string, Upload>;
  /** The number of bytes of an upload's next write that arrive before its connection breaks. */
  uploadCutAt: number | undefined;
  recipients: Map<string, Recipient>;
  sent: Map<string, Sent>;
  /** The number of accepted sends with the same `biz_opaque_callback_data`, or of equal sends without one. */
  sentTimes: Map<string, number>;
  inbound: Map<string, Inbound>;
  reads: ReadCall[];
  reactions: Reaction[];
  /** When the user last wrote to the number: `<phone number id>:<BSUID>`. */
  windows: Map<string, number>;
  /** The secret of each app that is known, by app id. */
  apps: Map<string, string>;
  codes: Map<string, SignupCode>;
  flows: Map<string, Flow>;
  groups: Map<string, Group>;
  /** Accepted requests that are done when a test says so. */
  heldRequests: GroupRequest[];
  calls: Map<string, SimCall>;
  /** The users' consents to calls, and when they were asked: `<phone number id>:<BSUID>`. */
  callPermissions: Map<string, CallPermission>;
  permissionRequests: Map<string, number[]>;
  callHold: Hold | undefined;
  /** Which app leads each conversation. */
  threads: Threads;
};

const DEFAULT_SETTINGS: Settings = {
  version: "v25.0",
  window: "off",
  contactMode: "both",
  autoStatuses: [],
  autoDelayMs: 0,
  isSubscriptionRequired: false,
  profileShape: "flat",
  isEndpointPinged: false,
  hasDirectSend: false,
  addressCountries: "any",
  hasMediaUrls: true,
  templateCategory: "asked",
  templateReview: "off",
  templateReviewMs: 0,
  groupUpdate: "at-once",
  isCallingEnabled: true,
  proofSecret: "",
};
const DEFAULT_APP_ID = "670000000000001";

/**
 * Which app leads each conversation: `us`, or the role of another. Nobody leads a conversation that is missing here.
 */
export type Threads = { leaders: Map<string, string>; role: string };

const newThreads = (): Threads => ({ leaders: new Map(), role: "escalation" });

export const createState = (clock: Clock, random: Random): State => ({
  url: "",
  clock,
  random,
  settings: { ...DEFAULT_SETTINGS },
  numbers: new Map(),
  accounts: new Map(),
  money: new Map(),
  tokens: new Map(),
  templates: new Map(),
  media: new Map(),
  uploads: new Map(),
  uploadCutAt: undefined,
  recipients: new Map(),
  sent: new Map(),
  sentTimes: new Map(),
  inbound: new Map(),
  reads: [],
  reactions: [],
  windows: new Map(),
  apps: new Map(),
  codes: new Map(),
  flows: new Map(),
  groups: new Map(),
  heldRequests: [],
  calls: new Map(),
  callPermissions: new Map(),
  permissionRequests: new Map(),
  callHold: undefined,
  threads: newThreads(),
});

/** Drops everything that a test has set up and done, with tokens and numbers. */
export const resetState = (state: State): void => {
  state.settings = { ...DEFAULT_SETTINGS };
  state.uploadCutAt = undefined;
  state.callHold = undefined;
  state.threads = newThreads();
  const {
    numbers,
    accounts,
    tokens,
    templates,
    media,
    uploads,
    recipients,
    sent,
    sentTimes,
    inbound,
    windows,
    apps,
    codes,
    flows,
    groups,
    reads,
    reactions,
    heldRequests,
  } = state;
  for (const map of [
    numbers,
    accounts,
    tokens,
    templates,
    media,
    uploads,
    recipients,
    sent,
    sentTimes,
    inbound,
    windows,
    apps,
    codes,
    flows,
    groups,
  ])
    map.clear();
  for (const map of [state.calls, state.callPermissions, state.permissionRequests]) map.clear();
  for (const list of [reads, reactions, heldRequests]) list.length = 0;
};

const accountOf = (state: State, id: string): Account => {
  const account = state.accounts.get(id) ?? { id, numbers: [], subscriptions: new Map() };
  state.accounts.set(id, account);
  return account;
};

const newNumber = (state: State, seed: NumberSeed): PhoneNumber => ({
  seed,
  platformType: seed.platformType ?? "CLOUD_API",
  isVerified: (seed.codeVerificationStatus ?? "VERIFIED") === "VERIFIED",
  pin: seed.pin,
  registrations: [],
  onboardedAt: seed.onboardedAt ?? state.clock.now(),
  verifiedName: seed.verifiedName ?? "Test Business",
  profile: {},
  syncs: new Set(),
  heldMedia: [],
  publicKeys: [],
  isKeySigned: false,
});

/** Adds a number, or replaces the one of the same id. */
export const addNumber = (state: State, seed: NumberSeed): void => {
  const number = newNumber(state, seed);
  removeNumber(state, seed.phoneNumberId);
  accountOf(state, seed.businessAccountId).numbers.push(number);
  state.numbers.set(seed.phoneNumberId, number);
  for (const token of seed.tokens ?? []) {
    if (!state.tokens.has(token)) addToken(state, { token, businessAccountIds: [] });
    state.tokens.get(token)?.businessAccountIds.add(seed.businessAccountId);
  }
};

const removeNumber = (state: State, phoneNumberId: string): void => {
  const number = state.numbers.get(phoneNumberId);
  if (!number) return;
  const account = accountOf(state, number.seed.businessAccountId);
  account.numbers = account.numbers.filter((one) => one !== number);
  state.numbers.delete(phoneNumberId);
};

export const addToken = (state: State, seed: TokenSeed): void => {
  const { token, appId = DEFAULT_APP_ID, businessAccountIds, grantedIds, scopes = SCOPES, expiresAt = 0 } = seed;
  state.tokens.set(token, {
    value: token,
    appId,
    businessAccountIds: new Set(businessAccountIds),
    ...(grantedIds === undefined ? {} : { grantedIds }),
    scopes,
    issuedAt: state.clock.now(),
    expiresAt,
    isInvalid: false,
  });
};

/** Adds a user under the number, its other spellings and the BSUID. */
export const addRecipient = (state: State, seed: RecipientSeed): Recipient => {
  const { waId, userId = bsuidOf(waId), name = `User ${waId.slice(-4)}`, aliases = [], username, contactMode } = seed;
  const recipient = {
    waId,
    userId,
    name,
    ...(username === undefined ? {} : { username }),
    ...(contactMode === undefined ? {} : { contactMode }),
  };
  for (const key of [waId, userId, ...aliases]) state.recipients.set(key, recipient);
  return recipient;
};

/** The user of a number or BSUID, made at first mention. An unknown BSUID leads to nobody. */
export const recipientOf = (state: State, key: string): Recipient | undefined => {
  const known = state.recipients.get(key);
  if (known || BSUID.test(key)) return known;
  return addRecipient(state, { waId: key });
};

const windowKey = (phoneNumberId: string, recipient: Recipient): string => `${phoneNumberId}:${recipient.userId}`;

/** The user wrote to this app, which leads the conversation now: free-form messages are welcome for 24 hours. */
export const openWindow = (state: State, phoneNumberId: string, recipient: Recipient): void => {
  state.threads.leaders.set(windowKey(phoneNumberId, recipient), "us");
  state.windows.set(windowKey(phoneNumberId, recipient), state.clock.now());
};

export const isWindowOpen = (state: State, phoneNumberId: string, recipient: Recipient): boolean =>
  state.clock.now() - (state.windows.get(windowKey(phoneNumberId, recipient)) ?? Number.NEGATIVE_INFINITY) < DAY_MS;
