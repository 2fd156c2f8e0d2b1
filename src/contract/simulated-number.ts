import { sha256 } from "../kernel/crypto.ts";

/**
 * The number of a channel whose connection is simulated: of a country code that is assigned to nobody, and always the
 * same for a channel.
 */
export const simulatedNumberOf = (channelId: string): string =>
  `999${String(Number.parseInt(sha256(channelId).slice(0, 8), 16) % 1_000_000_000).padStart(9, "0")}`;
