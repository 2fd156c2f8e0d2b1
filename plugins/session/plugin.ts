import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { address } from "./address.ts";
import { type ClientSettings, createClientVersion } from "./client/client-version.ts";
import type { Receives } from "./inbound/broadcasts.ts";
import { SESSION, WHATSAPP_WEB } from "./kind.ts";
import { createCodeNumbers } from "./lifecycle/code-numbers.ts";
import { createConnectLimiter } from "./lifecycle/connect-limiter.ts";
import { sessionLink } from "./link.ts";
import { isKey } from "./message-ids.ts";
import { MOVING } from "./moving/api.ts";
import type { Addressing } from "./outbound/addressing.ts";
import type { DailyCapSettings } from "./outbound/limits/daily-cap.ts";
import { SessionChannelSettings } from "./settings.ts";

/**
 * `url` and `root` (the key that its certificate goes back to, 32 bytes in hexadecimal): the network's own if
 * undefined. `perMinute`: the maximum number of sends of a channel. `keepAliveMs`: after how much silence the network is
 * asked for a sign of life; 25 s if undefined. `chatsADay`, `warmUp`: the number of chats it may
 * begin. `receives`: the broadcasts that are received besides messages. `addressing`: the addresses for people; the LID
 * if undefined. `client`: the version of the sessions; the built-in one if undefined.
 */
export type SessionSettings = {
  url: string | undefined;
  root: string | undefined;
  perMinute: number;
  keepAliveMs?: number;
  receives?: Receives;
  addressing?: Addressing;
  client?: ClientSettings;
} & DailyCapSettings;

/** The number of sessions of the process that may open at the same time. */
const OPENING_AT_ONCE = 8;

/** The adapter for WhatsApp Web: a channel is a device linked with its owner's phone. */
export const sessionPlugin = (settings: SessionSettings): ChannelPlugin => {
  const shared = {
    connectLimiter: createConnectLimiter(OPENING_AT_ONCE),
    codeNumbers: createCodeNumbers(),
    client: createClientVersion(settings.client ?? { version: undefined, source: undefined }),
  };
  return {
    ...SESSION,
    channelSettings: SessionChannelSettings,
    probes: [{ name: "whatsapp-web", url: (settings.url ?? WHATSAPP_WEB).replace(/^ws/, "http") }],
    network: { ...SESSION.network, proxiedTo: settings.url ?? WHATSAPP_WEB },
    open: (host) => sessionLink(host, settings, shared),
    address,
    isKey,
    moving: MOVING,
    restored: async (keyStore, ports) => (await import("./keys/restored.ts")).mendRestored(keyStore, ports),
  };
};
