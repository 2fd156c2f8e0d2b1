import type { UpstreamResult } from "../upstream.ts";

const PEOPLE = ["all", "contacts", "contact_blacklist", "none"] as const;

/**
 * TABLE: who may see or do something, with the values that a client may set, in the network's own words.
 * `contact_blacklist`: the contacts that the owner did not except on the phone.
 */
export const PRIVACY_VALUES = {
  lastSeen: PEOPLE,
  online: ["all", "match_last_seen"],
  picture: PEOPLE,
  about: PEOPLE,
  readReceipts: ["all", "none"],
  groupAdd: ["all", "contacts", "contact_blacklist"],
  callAdd: ["all", "known"],
} as const satisfies Record<string, readonly string[]>;
export type PrivacyName = keyof typeof PRIVACY_VALUES;

/** The seconds after which messages of new chats may disappear; 0 if they stay. */
export const DISAPPEARING_SECONDS = [0, 86_400, 604_800, 7_776_000] as const;

/**
 * The privacy settings of an account, as the network reports them: it may have values that nobody can set here. Null if
 * it does not report one.
 */
export type Privacy = Record<PrivacyName, string | null> & { defaultDisappearingSeconds: number | null };
export type PrivacyChanges = {
  [Name in PrivacyName]?: (typeof PRIVACY_VALUES)[Name][number];
} & { defaultDisappearingSeconds?: (typeof DISAPPEARING_SECONDS)[number] };

/** Never throws. */
export type PrivacyApi = {
  read(): Promise<UpstreamResult<Privacy>>;
  /** Changes one setting after the other. After a refusal the earlier ones are changed. */
  change(changes: PrivacyChanges): Promise<UpstreamResult<true>>;
};
