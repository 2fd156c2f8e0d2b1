import type { LinkReport } from "../events.ts";
import type { UpstreamResult } from "../upstream.ts";

/** What a browser needs to open the network's own sign-up. The network's script defines the names. */
export type SignupConfig = {
  appId: string;
  configId: string | null;
  graphVersion: string;
  extras: { setup: Record<string, never>; featureType: string; sessionInfoVersion: string; version: string };
};

/**
 * An event that the network's sign-up sent to the page that opened it. A browser reports the ids, so they are not
 * verified.
 * - `FINISHED`: the owner completed the sign-up; `numberId` may be missing.
 * - `CANCELLED`: the owner left, at `step`. `FAILED`: the network reports an error.
 * - `OTHER`: not an event of a sign-up, or an event without a meaning here; `event` names it.
 */
export type SignupEvent = {
  result: "FINISHED" | "CANCELLED" | "FAILED" | "OTHER";
  event: string | null;
  accountId: string | null;
  numberId: string | null;
  businessId: string | null;
  isCoexistent: boolean;
  step: string | null;
  error: { code: string | null; message: string; sessionId: string | null } | null;
};

/**
 * A number of a business account, as the network describes it. `isCoexistent`: the owner's app uses it beside the
 * official API.
 */
export type UpstreamNumber = {
  numberId: string;
  phoneNumber: string | null;
  platformType: string | null;
  isRegistered: boolean;
  isCoexistent: boolean;
  /** False if the owner must enter a code before the number can be registered. */
  isVerified?: boolean;
  profile: Record<string, unknown>;
};

export type SyncKind = "contacts" | "history";

/**
 * The fields of a channel's profile that its adapter and the core share, under the names that rows and the gateway API
 * have. `ownsAccount`: the network confirmed that the channel owns the account which it names. `isCoexistent`: its
 * owner's app uses the number too. `syncedAt`: when each sync was requested, and later when it was complete.
 */
export const ONBOARDING_FIELDS = {
  ownsAccount: "wabaAccountConfirmed",
  isCoexistent: "wabaCoexistence",
  syncedAt: { contacts: "wabaContactsSyncAt", history: "wabaHistorySyncAt" } satisfies Record<SyncKind, string>,
} as const;

/** The steps of the network's own sign-up for a number. Each function is one call; the core decides the sequence. */
export type Signup = {
  /** Undefined when the operator has configured no app. */
  config: SignupConfig | undefined;
  /** Undefined when the operator has set no app secret. The exchange of a code needs it. */
  exchange: ((code: string) => Promise<UpstreamResult<string>>) | undefined;
  /** The accounts that a token gives access to; `all` if the network does not restrict it. */
  grants?(token: string): Promise<UpstreamResult<readonly string[] | "all">>;
  /** Reads what the network's page has sent to the page that opened it. Pure. Never throws. */
  readEvent?(message: unknown): SignupEvent;
  /** The label that the network's script proposes where it knows none. A channel gets another one then. */
  emptyLabel?: string;
  /** True if a number without a given PIN gets a random PIN, false if it gets the documented one. */
  hasRandomPins?: boolean;
  numbers(accountId: string, token: string): Promise<UpstreamResult<UpstreamNumber[]>>;
  /** Subscribes to the account's webhooks. */
  subscribe(accountId: string, token: string): Promise<UpstreamResult<true>>;
  /** Registers the number in the official API with a PIN. `wrong-pin`: the number already has another PIN. */
  register(numberId: string, pin: string, token: string): Promise<UpstreamResult<"registered" | "wrong-pin">>;
};

/** The profile of a business number that its customers see. */
export type BusinessProfile = {
  about: string | null;
  address: string | null;
  description: string | null;
  email: string | null;
  vertical: string | null;
  websites: string[];
  profilePictureUrl: string | null;
};
export type ProfileChanges = Partial<
  Record<"about" | "address" | "description" | "email" | "vertical" | "profilePictureHandle", string>
> & { websites?: readonly string[] };

export const NAME_STATES = ["NONE", "PENDING", "APPROVED", "REJECTED"] as const;
export type NameChange = {
  displayName: string | null;
  requestedName: string | null;
  status: (typeof NAME_STATES)[number];
};

/** What a number's owner can change at the network. */
export type BusinessApi = {
  /** Whether the network accepts another token for this number, and the number's connection state with it. */
  checkToken(token: string): Promise<UpstreamResult<LinkReport>>;
  profile(): Promise<UpstreamResult<BusinessProfile>>;
  changeProfile(changes: ProfileChanges): Promise<UpstreamResult<true>>;
  requestName(displayName: string): Promise<UpstreamResult<true>>;
  nameChange(): Promise<UpstreamResult<NameChange>>;
  /** Asks the network for the data of the owner's app; possible once per kind of data. Gives the request's id. */
  requestSync(what: SyncKind): Promise<UpstreamResult<string>>;
};
