import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { address } from "./address.ts";
import { SIMULATOR } from "./kind.ts";
import { simulatorLink } from "./link.ts";

/**
 * `echo`: a sent text is answered by a text from its recipient, which shows the inbound way without a phone. `reviews`:
 * templates are submitted and reviewed as at a real network; without it, any template is sent.
 */
export type SimulatorSettings = { echo?: boolean; reviews?: boolean };

/**
 * A network that needs no account, for test keys and the demo. It takes every content type, connects at once, answers a
 * send with the receipts `delivered` and `read`, and takes every operation. Some numbers of 999, an unassigned country
 * code, are special. Those ending in 0000 are refused and not found by a lookup; sends to those ending in 0001 have an
 * unknown outcome and bring no receipt.
 */
export const simulatorPlugin = ({ echo = false, reviews = false }: SimulatorSettings = {}): ChannelPlugin => ({
  ...SIMULATOR,
  capabilities: { ...SIMULATOR.capabilities, templates: reviews },
  open: (host) => simulatorLink(host, { echo, reviews }),
  address,
});
