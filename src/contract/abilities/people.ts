import type { UpstreamResult } from "../upstream.ts";
import type { PictureSource } from "./groups.ts";

/** What an account shows: of itself (`available`, `unavailable`), or in a chat. `paused` ends the other two. */
export const PRESENCES = ["available", "unavailable", "composing", "recording", "paused"] as const;
export type Presence = (typeof PRESENCES)[number];

/** What the network shows of the account. Null where it says nothing. */
export type OwnProfile = { name: string | null; about: string | null; pictureUrl: string | null };
export type OwnProfileChanges = { about?: string; picture?: PictureSource };

/** A picture's address, which is good for some days. Without one: there is none, or the account may not see it. */
export type ProfilePicture = { url: string } | { url: null; reason: "none" | "hidden" };

/**
 * What an account shows of itself, and whom it has blocked. `to` is a canonical key. Present where the network has
 * profiles of its own. No function throws.
 */
export type PeopleApi = {
  /** `to` for `composing`, `recording` and `paused`. The network confirms nothing. */
  show(presence: Presence, to?: string): Promise<UpstreamResult<true>>;
  /**
   * Reports what somebody shows (`presence` events) for an hour. A later call for the same person prolongs it. Refused
   * for more than 20 people at a time, because the network punishes mass subscription.
   */
  watch(to: string): Promise<UpstreamResult<true>>;
  /** The canonical keys of those whom the account has blocked. */
  blocked(): Promise<UpstreamResult<readonly string[]>>;
  setBlocked(to: string, isBlocked: boolean): Promise<UpstreamResult<true>>;
  profile(): Promise<UpstreamResult<OwnProfile>>;
  changeProfile(changes: OwnProfileChanges): Promise<UpstreamResult<true>>;
  /** The answer is kept for a day, because the network punishes those who ask often. */
  picture(to: string): Promise<UpstreamResult<ProfilePicture>>;
};
