import { randomBytes } from "node:crypto";
import { decodePatches, encodeSyncdPatch, type LTHashState, newLTHashState, proto } from "@whiskeysockets/baileys";
import { type Account, accountOf, type Network } from "../model.ts";
import { isLinked } from "../people/linked.ts";
import type { Person } from "../people/person.ts";
import { type Chat, chatJid, targetOf, transmitToOwn } from "../people/sending.ts";
import {
  addPatch,
  announce,
  type CollectionName,
  changedPatch,
  collectionOf,
  onCompanionPatch,
} from "./collections.ts";

type Action = proto.ISyncActionValue;
type Index = readonly string[];
/** A change of the phone: `isRemoved` deletes the value of the index. */
export type PhoneChange = { name: CollectionName; index: Index; version: number; action: Action; isRemoved?: boolean };

/**
 * The app state of the owner's phone: what it shows of its chats. It decrypts and checks what companions write, by the
 * library's own code.
 */
export type PhoneState = {
  /** Gives the linked devices all keys; a phone does so once a device is linked. */
  share(): Promise<void>;
  /** From now on a new key is used; with `isSilent` the devices are not given it. */
  rotate(options?: { isSilent: boolean }): Promise<void>;
  /** Whether requests for keys are answered; true by default. */
  answersKeyRequests: boolean;
  readonly keyRequests: string[];
  set(change: PhoneChange): Promise<void>;
  archive(chat: Chat, isArchived: boolean): Promise<void>;
  pin(chat: Chat, isPinned: boolean): Promise<void>;
  /** `until` in milliseconds; -1 for ever, null for an end of it. */
  mute(chat: Chat, until: number | null): Promise<void>;
  markUnread(chat: Chat, isUnread: boolean): Promise<void>;
  star(chat: Chat, message: { id: string; isOwn: boolean }, isStarred: boolean): Promise<void>;
  deleteForMe(chat: Chat, message: { id: string; isOwn: boolean }): Promise<void>;
  clear(chat: Chat): Promise<void>;
  deleteChat(chat: Chat): Promise<void>;
  label(id: string, label: { name?: string; color?: number; isDeleted?: boolean }): Promise<void>;
  labelChat(id: string, chat: Chat, isLabelled: boolean): Promise<void>;
  labelMessage(id: string, chat: Chat, messageId: string, isLabelled: boolean): Promise<void>;
  /** The present value of an index, of whatever collection. */
  value(index: Index): Action | undefined;
  /** The patches of companions that failed their checks: the real phone would drop its collection. */
  readonly broken: readonly string[];
  /** The acts on chats that the phone ignores, because its chat has a newer message than their range. */
  readonly ignored: readonly string[];
  /** Makes the server's copy of a collection wrong: from now on its MACs do not fit, not even in a snapshot. */
  damage(name: CollectionName): void;
  /** Replaces the last patch by one with a wrong MAC; snapshots are right. */
  damagePatch(name: CollectionName): void;
  announce(name: CollectionName): void;
};

const { SyncdOperation } = proto.SyncdMutation;
/** The acts with a range of messages. The phone ignores them if the chat has a newer message. */
const RANGED = new Set(["archive", "clearChat", "deleteChat", "markChatAsRead"]);

const makePhoneState = (network: Network, person: Person): PhoneState => {
  const { account, primary } = person;
  const keys = new Map<string, proto.Message.IAppStateSyncKeyData>();
  const shared = new Set<string>();
  const states = new Map<CollectionName, LTHashState>();
  const values = new Map<string, Action>();
  const [broken, ignored, keyRequests]: [string[], string[], string[]] = [[], [], []];
  let current = "";
  const newKey = (): string => {
    current = Buffer.concat([Buffer.from([0, 0]), randomBytes(4)]).toString("base64");
    keys.set(current, {
      keyData: randomBytes(32),
      timestamp: network.now() * 1000,
      fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] },
    });
    return current;
  };
  newKey();
  const keyOf = async (id: string) => keys.get(id);
  const stateOf = (name: CollectionName) => states.get(name) ?? newLTHashState();

  const give = async (ids: readonly string[]) => {
    for (const device of [...account.devices.values()].filter(isLinked))
      await transmitToOwn(network, primary, device, {
        protocolMessage: {
          type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
          appStateSyncKeyShare: {
            keys: ids.map((id) => ({ keyId: { keyId: Buffer.from(id, "base64") }, keyData: keys.get(id) ?? null })),
          },
        },
      });
  };
  const write = async ({ name, index, version, action, isRemoved = false }: PhoneChange) => {
    const operation = isRemoved ? SyncdOperation.REMOVE : SyncdOperation.SET;
    const { patch, state } = await encodeSyncdPatch(
      {
        type: name,
        index: [...index],
        syncAction: { ...action, timestamp: network.now() * 1000 },
        apiVersion: version,
        operation,
      },
      current,
      stateOf(name),
      keyOf,
    );
    if (isRemoved) {
      const mac = Buffer.from(patch.mutations?.[0]?.record?.index?.blob ?? []).toString("base64");
      Reflect.deleteProperty(state.indexValueMap, mac);
      values.delete(JSON.stringify(index));
    } else values.set(JSON.stringify(index), action);
    states.set(name, state);
    addPatch(network, account, { name, bytes: proto.SyncdPatch.encode(patch).finish(), by: undefined });
  };

  const newestIn = (jid: string): number => {
    const chat = accountOf(network, jid) ?? network.groups.get(jid);
    const isOfChat = (other: string) => (accountOf(network, other) ?? network.groups.get(other)) === chat;
    const times = person.received
      .filter((message) => isOfChat(message.chat))
      .map(({ stanza }) => Number(stanza.attrs["t"]));
    for (const { to, extras } of person.sent.values()) if (to === chat) times.push(extras.time ?? 0);
    return Math.max(0, ...times);
  };
  const rangeOf = ({ archiveChatAction, clearChatAction, deleteChatAction, markChatAsReadAction }: Action) =>
    (archiveChatAction ?? clearChatAction ?? deleteChatAction ?? markChatAsReadAction)?.messageRange;
  const take = (index: Index, action: Action) => {
    const [what = "", jid = ""] = index;
    const until = Number(rangeOf(action)?.lastMessageTimestamp ?? 0);
    if (RANGED.has(what) && until < newestIn(jid)) ignored.push(index.join(" "));
    else values.set(JSON.stringify(index), action);
    const { name } = action.pushNameSetting ?? {};
    if (name) account.name = name;
  };
  const noise: string[] = [];
  const listening = () => {
    const log = { level: "warn", trace() {}, debug() {}, info() {}, error() {}, child: () => log, warn: warn };
    function warn(_: unknown, text?: string) {
      noise.push(text ?? "");
    }
    return log;
  };
  // a companion's patch is read at once, by what the library does for the phone of its tests
  const readOf = (name: CollectionName) => async () => {
    const { patches, version } = collectionOf(account, name);
    const patch = patches.find((one) => one.version === version);
    if (!patch) return;
    noise.length = 0;
    const { state, mutationMap } = await decodePatches(
      name,
      [proto.SyncdPatch.decode(changedPatch(patch.bytes, { version: { version } }))],
      stateOf(name),
      keyOf,
      {},
      undefined,
      listening(),
      true,
    );
    if (noise.length > 0) broken.push(`${name} ${version}: ${noise.join("; ")}`);
    states.set(name, state);
    for (const { index, syncAction } of Object.values(mutationMap)) take(index, syncAction.value ?? {});
    network.changed();
  };
  let reading = Promise.resolve();
  onCompanionPatch(account, (name) => {
    reading = reading.then(readOf(name)).catch((thrown: unknown) => {
      broken.push(`${name}: ${String(thrown)}`);
      network.changed();
    });
  });
  person.onReceived = ({ message, stanza }) => {
    const asked = message.protocolMessage?.appStateSyncKeyRequest?.keyIds;
    if (!asked || stanza.attrs["category"] !== "peer") return;
    const ids = asked.map(({ keyId }) => Buffer.from(keyId ?? []).toString("base64"));
    keyRequests.push(...ids);
    if (state.answersKeyRequests) void give(ids.filter((id) => keys.has(id)));
    network.changed();
  };
  const jid = (chat: Chat) => chatJid(targetOf(chat));
  const range = (chat: Chat) => ({
    messageRange: { lastMessageTimestamp: Math.max(newestIn(jid(chat)), network.now()) },
  });
  const flag = (is: boolean) => (is ? "1" : "0");

  const state: PhoneState = {
    answersKeyRequests: true,
    keyRequests,
    broken,
    ignored,
    share: async () => {
      for (const id of keys.keys()) shared.add(id);
      await give([...keys.keys()]);
    },
    rotate: async ({ isSilent = false } = { isSilent: false }) => {
      const id = newKey();
      if (!isSilent) await give([id]);
    },
    set: write,
    archive: (chat, archived) =>
      write({
        name: "regular_low",
        index: ["archive", jid(chat)],
        version: 3,
        action: { archiveChatAction: { archived, ...range(chat) } },
      }),
    pin: (chat, pinned) =>
      write({ name: "regular_low", index: ["pin_v1", jid(chat)], version: 5, action: { pinAction: { pinned } } }),
    mute: (chat, until) =>
      write({
        name: "regular_high",
        index: ["mute", jid(chat)],
        version: 2,
        action: { muteAction: until === null ? { muted: false } : { muted: true, muteEndTimestamp: until } },
      }),
    markUnread: (chat, isUnread) =>
      write({
        name: "regular_low",
        index: ["markChatAsRead", jid(chat)],
        version: 3,
        action: { markChatAsReadAction: { read: !isUnread, ...range(chat) } },
      }),
    star: (chat, { id, isOwn }, starred) =>
      write({
        name: "regular_high",
        index: ["star", jid(chat), id, flag(isOwn), "0"],
        version: 2,
        action: { starAction: { starred } },
      }),
    deleteForMe: (chat, { id, isOwn }) =>
      write({
        name: "regular_high",
        index: ["deleteMessageForMe", jid(chat), id, flag(isOwn), "0"],
        version: 3,
        action: { deleteMessageForMeAction: { deleteMedia: true, messageTimestamp: network.now() } },
      }),
    clear: (chat) =>
      write({
        name: "regular_high",
        index: ["clearChat", jid(chat), "1", "0"],
        version: 6,
        action: { clearChatAction: range(chat) },
      }),
    deleteChat: (chat) =>
      write({
        name: "regular_high",
        index: ["deleteChat", jid(chat), "1"],
        version: 6,
        action: { deleteChatAction: range(chat) },
      }),
    label: (id, { name = "", color = 0, isDeleted = false }) =>
      write({
        name: "regular",
        index: ["label_edit", id],
        version: 3,
        action: { labelEditAction: { name, color, deleted: isDeleted } },
      }),
    labelChat: (id, chat, labeled) =>
      write({
        name: "regular",
        index: ["label_jid", id, jid(chat)],
        version: 3,
        action: { labelAssociationAction: { labeled } },
      }),
    labelMessage: (id, chat, messageId, labeled) =>
      write({
        name: "regular",
        index: ["label_message", id, jid(chat), messageId, "0", "0"],
        version: 3,
        action: { labelAssociationAction: { labeled } },
      }),
    value: (index) => values.get(JSON.stringify(index)),
    damage: (name) => {
      const collection = collectionOf(account, name);
      collection.mac = randomBytes(32);
      const last = collection.patches.at(-1);
      if (last) last.bytes = wrong(last.bytes);
    },
    damagePatch: (name) => {
      const last = collectionOf(account, name).patches.at(-1);
      if (last) last.bytes = wrong(last.bytes);
    },
    announce: (name) => announce(network, account, { name }),
  };
  return state;
};

const wrong = (bytes: Uint8Array): Uint8Array => changedPatch(bytes, { patchMac: randomBytes(32) });

const stateOfPhone = new WeakMap<Account, PhoneState>();

/** The app state of a phone, which begins with the first use of it: a phone without has no keys to share. */
export const phoneStateOf = (network: Network, person: Person): PhoneState => {
  const known = stateOfPhone.get(person.account) ?? makePhoneState(network, person);
  stateOfPhone.set(person.account, known);
  return known;
};
