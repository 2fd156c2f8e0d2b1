import type { UpstreamResult } from "../upstream.ts";
import type { PictureSource } from "./groups.ts";

/**
 * The presence that an account shows: everywhere (`available`, `unavailable`) or in a chat (the others). `paused` ends
 * `composing` and `recording`.
 */
export const PRESENCES = ["available", "unavailable", "composing", "recording", "paused"] as const;
export type Presence = (typeof PRESENCES)[number];

/** The account's profile at the network. A field is null if the network does not report it. */
export type OwnProfile = { name: string | null; about: string | null; pictureUrl: string | null };
export type OwnProfileChanges = { name?: string; about?: string; picture?: PictureSource };

/**
 * The URL of a picture, valid for some days. Without a URL, the person has no picture (`none`), or the account may not
 * see it (`hidden`).
 */
export type ProfilePicture = { url: string } | { url: null; reason: "none" | "hidden" };

/**
 * The account's presence, profile and block list. `to` is a canonical key. Present if the network has profiles of its
 * own. No function throws.
 */
export type PeopleApi = {
  /** `to` goes with `composing`, `recording` and `paused`. The network sends no confirmation. */
  show(presence: Presence, to?: string): Promise<UpstreamResult<true>>;
  /**
   * Reports a person's presence (`presence` events) for an hour. A later call for the same person prolongs it. Refused
   * for more than 20 people at a time, because the network punishes mass subscription.
   */
  watch(to: string): Promise<UpstreamResult<true>>;
  /** The canonical keys of the people whom the account has blocked. */
  blocked(): Promise<UpstreamResult<readonly string[]>>;
  setBlocked(to: string, isBlocked: boolean): Promise<UpstreamResult<true>>;
  profile(): Promise<UpstreamResult<OwnProfile>>;
  changeProfile(changes: OwnProfileChanges): Promise<UpstreamResult<true>>;
  /** The about text of a person; null without one, or if the account may not see it. Absent if it cannot be read. */
  about?(to: string): Promise<UpstreamResult<string | null>>;
  /** The answer is kept for a day, because the network punishes frequent requests. */
  picture(to: string): Promise<UpstreamResult<ProfilePicture>>;
};
