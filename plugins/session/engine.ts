import type { GroupsApi } from "../../src/contract/groups.ts";
import { HISTORY_FIELD, HISTORY_MODES, type HistoryMode } from "../../src/contract/history.ts";
import type { KeyStore } from "../../src/contract/key-store.ts";
import type { PeopleApi } from "../../src/contract/people.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { createPeople } from "./account/people.ts";
import { createWatching } from "./account/watching.ts";
import type { ActiveSocket } from "./active-socket.ts";
import { createCreations } from "./groups/creations.ts";
import { createGroups } from "./groups/groups.ts";
import { createImporter } from "./history/importer.ts";
import { createRequests, type Requests } from "./history/requests.ts";
import { createInbox, type Inbox } from "./inbound/inbox.ts";
import { setTrustRoot } from "./keys/hardening.ts";
import { type ChannelKeys, openKeys } from "./keys/keys.ts";
import { createSignals } from "./keys/repository.ts";
import { remainderOf, unlinkOld } from "./lifecycle/old-identities.ts";
import { createSocketMemory, makeSocket } from "./lifecycle/socket.ts";
import type { Limits } from "./outbound/limits.ts";
import { createSender, type Sender } from "./outbound/sender.ts";
import type { SessionSettings } from "./plugin.ts";

/**
 * Everything of a session that needs the network's library, which is large: loaded with the first session that
 * connects.
 */
export type Engine = {
  openKeys: typeof openKeys;
  /** Makes a socket for the identity, with all that is attached to it; it connects at once. */
  connect(keys: ChannelKeys, isCurrent: () => boolean): ActiveSocket;
  /** What a wipe of the key store leaves behind. */
  remainderOf: typeof remainderOf;
  /** Unlinks the identities that could not be unlinked before. Resolves to true when none is left. */
  unlinkOld(keyStore: KeyStore): Promise<boolean>;
  sender: Sender;
  inbox: Inbox;
  groups: GroupsApi;
  people: PeopleApi;
  history: Requests;
};

/** `activeSocket`: the socket that is open at the moment. */
export type EngineParts = { limits: Limits; activeSocket(): ActiveSocket | undefined };

export const createEngine = (
  host: ChannelHost,
  settings: SessionSettings,
  { limits, activeSocket }: EngineParts,
): Engine => {
  const { url, root, receives = [] } = settings;
  if (root !== undefined) setTrustRoot(root);
  const memory = createSocketMemory(host);
  const sender = createSender(host, { activeSocket, settings, limits });
  const watching = createWatching(host);
  const creations = createCreations();
  const requests = createRequests(host, { activeSocket, numbers: sender.numbers });
  const history = createImporter(host, { mediaHost: sender.mediaHost, answered: requests.answered });
  const inbox = createInbox(host, { mediaHost: sender.mediaHost, receives, creations, history });

  return {
    async openKeys(from) {
      const keys = await openKeys(from);
      await limits.recall(keys.keyStore);
      history.mode = await historyModeOf(host);
      return keys;
    },
    connect(keys, isCurrent) {
      const signals = createSignals(host, keys, inbox.read);
      const sock = makeSocket({
        host,
        url,
        keys,
        signals,
        memory,
        receives,
        wantsFullHistory: history.mode === "full",
      });
      const made: ActiveSocket = { sock, keyStore: keys.keyStore, isCurrent };
      for (const attach of [signals.attach, inbox.attach, sender.attach, watching.attach, history.attach]) attach(made);
      return made;
    },
    remainderOf,
    unlinkOld: (keyStore) => unlinkOld(host, url, keyStore),
    sender,
    inbox,
    groups: createGroups(host, { activeSocket, sender, limits, creations }),
    history: requests,
    people: createPeople(host, { activeSocket, numbers: sender.numbers, watching }),
  };
};

/** What the channel was made with. */
const historyModeOf = async ({ vault }: Pick<ChannelHost, "vault">): Promise<HistoryMode> => {
  const { [HISTORY_FIELD]: mode } = await vault.read();
  return HISTORY_MODES.find((one) => one === mode) ?? "none";
};
