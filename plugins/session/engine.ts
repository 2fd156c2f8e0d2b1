import type { KeyRing } from "../../src/contract/key-ring.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { createInbox, type Inbox } from "./inbound/inbox.ts";
import { setTrustRoot } from "./keys/hardening.ts";
import { type ChannelKeys, openKeys } from "./keys/keys.ts";
import { createSignals } from "./keys/repository.ts";
import { remainderOf, unlinkOld } from "./life/old-identities.ts";
import { createSocketMemory, makeSocket } from "./life/socket.ts";
import type { Limits } from "./outbound/limits.ts";
import { createSender, type Sender } from "./outbound/sender.ts";
import type { SessionSettings } from "./plugin.ts";
import type { Wire } from "./wire.ts";

/** Everything of a session that needs the network's library, which is large: loaded with the first session that connects. */
export type Engine = {
  openKeys: typeof openKeys;
  /** Makes a socket for the identity, with all that is attached to it; it connects at once. */
  connect(keys: ChannelKeys, isCurrent: () => boolean): Wire;
  /** What a wipe of the ring leaves behind. */
  remainderOf: typeof remainderOf;
  /** Has the network take back the identities that it was not there to take back; whether none is left. */
  unlinkOld(ring: KeyRing): Promise<boolean>;
  sender: Sender;
  inbox: Inbox;
};

/** `wire`: the socket that is open at the moment. */
export type EngineParts = { limits: Limits; wire(): Wire | undefined };

export const createEngine = (host: ChannelHost, settings: SessionSettings, { limits, wire }: EngineParts): Engine => {
  const { url, root } = settings;
  if (root !== undefined) setTrustRoot(root);
  const memory = createSocketMemory(host);
  const sender = createSender(host, { wire, settings, limits });
  const inbox = createInbox(host, sender.mediaHost);

  return {
    async openKeys(from) {
      const keys = await openKeys(from);
      await limits.recall(keys.ring);
      return keys;
    },
    connect(keys, isCurrent) {
      const signals = createSignals(host, keys, inbox.read);
      const sock = makeSocket({ host, url, keys, signals, memory });
      const made: Wire = { sock, ring: keys.ring, isCurrent };
      for (const attach of [signals.attach, inbox.attach, sender.attach]) attach(made);
      return made;
    },
    remainderOf,
    unlinkOld: (ring) => unlinkOld(host, url, ring),
    sender,
    inbox,
  };
};
