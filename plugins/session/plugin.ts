import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { address } from "./address.ts";
import { SESSION } from "./kind.ts";
import { createConnectLimiter } from "./lifecycle/connect-limiter.ts";
import { sessionLink } from "./link.ts";
import { isKey } from "./message-ids.ts";
import { MOVING } from "./moving/api.ts";

/**
 * `url` and `root` (the key that its certificate goes back to, 32 bytes in hexadecimal): the network's own when
 * undefined. `perMinute`: how many sends a channel makes at most.
 */
export type SessionSettings = { url: string | undefined; root: string | undefined; perMinute: number };

/** The network's own address, which the library that makes the sockets uses too. */
const WHATSAPP_WEB = "wss://web.whatsapp.com/ws/chat";
/** So many sessions of the process are on their way to being open at a time. */
const OPENING_AT_ONCE = 8;

/** The adapter for WhatsApp Web: a channel is a device linked with its owner's phone. */
export const sessionPlugin = (settings: SessionSettings): ChannelPlugin => {
  const connectLimiter = createConnectLimiter(OPENING_AT_ONCE);
  return {
    ...SESSION,
    probes: [{ name: "whatsapp-web", url: (settings.url ?? WHATSAPP_WEB).replace(/^ws/, "http") }],
    open: (host) => sessionLink(host, settings, connectLimiter),
    address,
    isKey,
    moving: MOVING,
    restored: async (keyStore, ports) => (await import("./keys/restored.ts")).mendRestored(keyStore, ports),
  };
};
