import type { LinkReport } from "./events.ts";
import type { UpstreamResult } from "./upstream.ts";

/** What a browser needs to open the network's own sign-up. The names are those of the network's script. */
export type SignupConfig = {
  appId: string;
  configId: string | null;
  graphVersion: string;
  extras: { featureType: string; sessionInfoVersion: string };
};

/**
 * A number of a business account, as the network describes it. `isCoexistent`: its owner's app uses it beside the
 * official API.
 */
export type UpstreamNumber = {
  numberId: string;
  phoneNumber: string | null;
  platformType: string | null;
  isRegistered: boolean;
  isCoexistent: boolean;
  profile: Record<string, unknown>;
};

export type SyncKind = "contacts" | "history";

/**
 * The steps by which a number is brought in through the network's own sign-up. Each is one call; what follows from
 * what, the core decides.
 */
export type Signup = {
  /** Undefined when the operator has named no app. */
  config: SignupConfig | undefined;
  /** Undefined when the operator has given no secret of the app, without which no code can be exchanged. */
  exchange: ((code: string) => Promise<UpstreamResult<string>>) | undefined;
  numbers(accountId: string, token: string): Promise<UpstreamResult<UpstreamNumber[]>>;
  /** Has the network send us the account's webhooks. */
  subscribe(accountId: string, token: string): Promise<UpstreamResult<true>>;
  /** Takes the number into the official API under a PIN. `wrong-pin`: it has another one already. */
  register(numberId: string, pin: string, token: string): Promise<UpstreamResult<"registered" | "wrong-pin">>;
};

/** A business number's face to its customers. */
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

/** What the owner of a number can change of it at the network. */
export type BusinessApi = {
  /** Whether the network accepts another token for this number, and how connected it is with it. */
  checkToken(token: string): Promise<UpstreamResult<LinkReport>>;
  profile(): Promise<UpstreamResult<BusinessProfile>>;
  changeProfile(changes: ProfileChanges): Promise<UpstreamResult<true>>;
  requestName(displayName: string): Promise<UpstreamResult<true>>;
  nameChange(): Promise<UpstreamResult<NameChange>>;
  /** Has the network send what the owner's app has; once each. Gives the request's id. */
  requestSync(what: SyncKind): Promise<UpstreamResult<string>>;
};
