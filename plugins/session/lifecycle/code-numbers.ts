import type { Clock } from "../../../src/kernel/clock.ts";

/**
 * The numbers whose code is in progress, over all channels of the process. The network passes a phone's answer to the
 * newest request for its number, so an older code could never succeed. Each entry ends by itself.
 */
export type CodeNumbers = {
  /**
   * Takes or keeps the number for a channel, until `untilMs`. Returns the end of another channel's claim; undefined if
   * the number is this channel's now.
   */
  claim(clock: Clock, phoneNumber: string, channelId: string, untilMs: number): number | undefined;
  release(channelId: string): void;
};

export const createCodeNumbers = (): CodeNumbers => {
  const claims = new Map<string, { channelId: string; until: number }>();
  return {
    claim(clock, phoneNumber, channelId, until) {
      for (const [number, claim] of claims) if (clock.now() >= claim.until) claims.delete(number);
      const claim = claims.get(phoneNumber);
      if (claim && claim.channelId !== channelId) return claim.until;
      claims.set(phoneNumber, { channelId, until });
      return undefined;
    },
    release(channelId) {
      for (const [number, claim] of claims) if (claim.channelId === channelId) claims.delete(number);
    },
  };
};
