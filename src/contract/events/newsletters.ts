import type { NewsletterCounts } from "../abilities/newsletters.ts";
import type { ProviderMessageId } from "./identity.ts";

/**
 * The account follows a newsletter from now on, or no longer; it muted or unmuted it; or the newsletter changed or was
 * deleted. `changed` has what the network says of it. `nativeId` is the same when the network repeats it.
 */
export type NewsletterChanged = {
  kind: "newsletter";
  nativeId: string;
  at: number;
  newsletterId: string;
  what: "followed" | "unfollowed" | "muted" | "unmuted" | "updated" | "deleted";
  name?: string;
  description?: string;
};

/** The counts of a newsletter's post, as they are now. `key`: the post's message, if the network names it. */
export type NewsletterCounted = {
  kind: "newsletter-counts";
  at: number;
  newsletterId: string;
  serverId: string;
  key?: ProviderMessageId;
} & NewsletterCounts;
