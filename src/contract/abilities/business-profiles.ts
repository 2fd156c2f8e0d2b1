import type { UpstreamResult } from "../upstream.ts";
import type { BusinessProfile, ProfileChanges } from "./onboarding.ts";

/**
 * The business profiles of accounts that no provider manages: the owner's app has them. A profile is null for an account
 * that is no business. Never throws.
 */
export type BusinessProfilesApi = {
  own(): Promise<UpstreamResult<BusinessProfile | null>>;
  /** A change that the network does not take from here is refused, and then nothing is changed. */
  change(changes: ProfileChanges): Promise<UpstreamResult<true>>;
  /** The profile of a person, by the canonical key. */
  of(to: string): Promise<UpstreamResult<BusinessProfile | null>>;
};
