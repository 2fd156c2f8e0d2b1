import { type Capabilities, SENDS } from "../../src/contract/capabilities.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { address } from "./address.ts";
import { createGate } from "./life/gate.ts";
import { sessionLink } from "./link.ts";
import { isKey } from "./native-key.ts";

/** `url` and `root` (the key that its certificate goes back to, 32 bytes in hexadecimal): the network's own when undefined. `perMinute`: how many sends a channel makes at most. */
export type SessionSettings = { url: string | undefined; root: string | undefined; perMinute: number };

/** So many sessions of the process are on their way to being open at a time. */
const OPENING_AT_ONCE = 8;

const OPERATIONS: Capabilities["operations"] = {
  react: { inbound: true, outbound: true },
  edit: { outbound: true },
  delete: { inbound: true, outbound: true },
  read: { inbound: true },
};

/** The adapter for WhatsApp Web: a channel is a device linked with its owner's phone. */
export const sessionPlugin = (settings: SessionSettings): ChannelPlugin => {
  const gate = createGate(OPENING_AT_ONCE);
  return {
    name: "session",
    kind: "SESSION",
    capabilities: { ...SENDS.SESSION, operations: OPERATIONS, choosesKeys: true, templates: false },
    open: (host) => sessionLink(host, settings, gate),
    address,
    isKey,
    restored: async (ring, ports) => (await import("./keys/restored.ts")).mendRestored(ring, ports),
  };
};
