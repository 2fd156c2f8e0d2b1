import type { Clock } from "../../../src/kernel/clock.ts";
import { createGroupLimits, type GroupLimits } from "../groups/group-limits.ts";

/**
 * The limits of acts on newsletters: follows, changes and reactions in a minute, and new newsletters in a day. No
 * numbers of the network are known. Mass following is a known cause of bans, so they are as strict as those of groups.
 */
export const createNewsletterLimits = (clock: Clock): GroupLimits =>
  createGroupLimits(clock, { perMinute: 20, youngPerDay: 2, perDay: 5 });
