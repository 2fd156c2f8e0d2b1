import { sha256 } from "../kernel/crypto.ts";

/** The number of a simulated channel. No country has its country code, and a channel always has the same number. */
export const simulatedNumberOf = (channelId: string): string =>
  `999${String(Number.parseInt(sha256(channelId).slice(0, 8), 16) % 1_000_000_000).padStart(9, "0")}`;
