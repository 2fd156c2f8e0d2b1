import { deflateSync } from "node:zlib";
import { Curve, proto, S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import { type PhoneState, phoneStateOf } from "../app-state/phone-state.ts";
import { encryptedFile } from "../messages/files.ts";
import { linkedOf } from "../messages/messages.ts";
import type { Network } from "../model.ts";
import type { StageOrder } from "../pairing/code-desk.ts";
import type { PairingDesk, Primary } from "../pairing/pairing.ts";
import { removeDevice } from "../wire/login.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";
import { type Contact, contactOf } from "./contact.ts";
import { wireField } from "./content.ts";
import type { Linked } from "./linked.ts";
import { makePerson, type PersonOptions } from "./person.ts";
import { transmitToOwn } from "./sending.ts";

/**
 * `messages` in their order in time. `inFile`: it lies on the media host, as larger pieces do. `answers`: the id of the
 * request that it answers.
 */
export type HistoryPiece = {
  /** Field 19, from which the tokens for strangers are made. */
  nctSalt?: Uint8Array;
  lidPnMappings?: { lid: string; pn: string }[];
  messages?: WrittenBefore[];
  /** The timers of chats, in seconds, by their jids. */
  timers?: Record<string, number>;
  type?: keyof typeof proto.HistorySync.HistorySyncType;
  progress?: number;
  inFile?: boolean;
  answers?: string;
};

export type Lock = { until: number; type?: string };

/**
 * The owner's phone: somebody on the network who links devices. A call without `device` applies to all online devices.
 */
export type Phone = Contact & {
  /** Every device that is linked now. */
  readonly devices: readonly Linked[];
  /** Shows a QR to the phone's camera; answers the device once it has signed. Throws RefusedByPhone. */
  scan(qr: string): Promise<Linked>;
  /**
   * Scans a QR, distrusts it, and has the companion make another: answers once that has acknowledged it. `child`: what
   * the notification carries.
   */
  distrust(qr: string, child?: string): Promise<void>;
  /** Makes the companion that shows a code show another one. Options: another stage, or another linking. */
  refreshCode(other?: StageOrder): void;
  /** The code to compare, if the phone shows one. */
  readonly passkeyCode: string | undefined;
  /** Types the code that a companion shows. Throws RefusedByPhone. */
  typeCode(code: string): Promise<Linked>;
  /** The device (the newest unless said otherwise) once it is logged in and active. */
  open(device?: Linked): Promise<Linked>;
  unlink(device?: Linked): void;
  streamError(what: string | Stanza): void;
  /** Another client took the connection: `conflict` of type `replaced`, without a code. */
  replace(): void;
  cut(): void;
  end(): void;
  freeze(): () => void;
  notify(what: Stanza): void;
  downgrade(): void;
  /** The network says when it ends this client's version, in seconds; it cannot be taken back. */
  expireClient(t?: number): void;
  /** A piece of history, as a phone gives a new companion. */
  history(history: HistoryPiece): Promise<void>;
  /** What the phone shows of its chats, and shares with its companions. */
  readonly appState: PhoneState;
  /** From now on its companions need a privacy token or the HMAC by this salt to reach anybody. */
  requireTokens(salt: Uint8Array): void;
  /** The account may not open new chats. */
  restrict(lock: Lock): void;
  unrestrict(): void;
  /** The quota of new chats: a notification, and what w:mex answers. "error" and undefined only change the answer. */
  cap(capping: Record<string, unknown> | "error" | undefined, options?: { isSilent: boolean }): void;
};

const { HistorySyncType } = proto.HistorySync;

/** `wire`: the very bytes of its content, in place of `message`. */
type WrittenBefore = proto.IWebMessageInfo & { wire?: Buffer };

/** The fields of a chat's entry that hold a message, and the message's content. */
const [CHATS, ENTRIES, MESSAGE, CONTENT] = [2, 2, 1, 2];

const entryOf = ({ wire, ...info }: WrittenBefore): Buffer => {
  const encoded = proto.WebMessageInfo.encode(info).finish();
  return wireField(MESSAGE, wire ? Buffer.concat([encoded, wireField(CONTENT, wire)]) : encoded);
};

const chatsOf = (messages: readonly WrittenBefore[], timers: Record<string, number>): Buffer => {
  const chats = Map.groupBy(messages, ({ key }) => key?.remoteJid ?? "");
  for (const id of Object.keys(timers)) if (!chats.has(id)) chats.set(id, []);
  const encoded = [...chats].map(([id, all]) => {
    const timer = timers[id] === undefined ? {} : { ephemeralExpiration: timers[id] };
    const chat = proto.Conversation.encode({ id, ...timer }).finish();
    // a phone names the newest first
    return wireField(CHATS, Buffer.concat([chat, ...all.toReversed().map((one) => wireField(ENTRIES, entryOf(one)))]));
  });
  return Buffer.concat(encoded);
};

const historyOf = (
  { media }: Network,
  {
    lidPnMappings = [],
    messages = [],
    timers = {},
    type = "INITIAL_BOOTSTRAP",
    progress = 100,
    inFile = false,
    answers,
    nctSalt,
  }: HistoryPiece,
): proto.IMessage => {
  const syncType = HistorySyncType[type];
  const encoded = proto.HistorySync.encode({
    syncType,
    progress,
    phoneNumberToLidMappings: lidPnMappings.map(({ lid, pn }) => ({
      lidJid: `${lid}@lid`,
      pnJid: `${pn}@s.whatsapp.net`,
    })),
  }).finish();
  // the library's schema ends before field 19
  const salt = nctSalt ? [wireField(19, nctSalt)] : [];
  const history = Buffer.concat([encoded, chatsOf(messages, timers), ...salt]);
  const packed = deflateSync(history);
  const historySyncNotification = {
    syncType: proto.Message.HistorySyncType[type],
    progress,
    ...(inFile ? encryptedFile(media, "md-msg-hist", packed) : { initialHistBootstrapInlinePayload: packed }),
    ...(answers === undefined ? {} : { peerDataRequestSessionId: answers }),
  };
  return {
    protocolMessage: { type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification },
  };
};

const timelockUpdate = (network: Network, lock: Lock | undefined): Stanza => {
  const payload = lock
    ? { is_active: true, time_enforcement_ends: String(lock.until), enforcement_type: lock.type ?? "DEFAULT" }
    : { is_active: false };
  return mexUpdate(network, "NotificationUserReachoutTimelockUpdate", {
    xwa2_notify_account_reachout_timelock: payload,
  });
};

const mexUpdate = (network: Network, operation: string, data: object): Stanza => {
  const update = stanza("update", { op_name: operation }, Buffer.from(JSON.stringify({ data })));
  return stanza("notification", { from: S_WHATSAPP_NET, type: "mex", id: network.newId(), t: String(network.now()) }, [
    update,
  ]);
};

export const makePhone = (network: Network, desk: PairingDesk, options: PersonOptions): Phone => {
  const person = makePerson(network, options);
  const { account } = person;
  const primary: Primary = { account, identity: Curve.generateKeyPair() };
  const online = () => linkedOf(account).filter(({ isOnline }) => isOnline);
  const newest = () => linkedOf(account).at(-1);
  const setLock = (lock: Lock | undefined) => {
    account.timelock = lock && { until: lock.until, type: lock.type ?? "DEFAULT" };
    for (const device of linkedOf(account)) device.deliver(timelockUpdate(network, lock));
  };
  const endWith = (last: Stanza) => {
    for (const device of online()) device.link?.end(last);
  };

  const phone = {
    scan: (qr) => desk.scan(primary, qr),
    distrust: (qr, child) => desk.distrust(qr, child),
    refreshCode: (other) => desk.refreshCode(primary, other),
    typeCode: (code) => desk.typeCode(primary, code),
    open: (device) =>
      network.until(() => {
        const wanted = device ?? newest();
        return wanted?.isActive && wanted;
      }),
    unlink: (device = newest()) => {
      if (device) removeDevice(network, device);
    },
    streamError: (what) =>
      endWith(typeof what === "string" ? stanza("stream:error", { code: what }) : stanza("stream:error", {}, [what])),
    replace: () => endWith(stanza("stream:error", {}, [stanza("conflict", { type: "replaced" })])),
    cut: () => {
      for (const device of online()) device.link?.cut();
    },
    end: () => endWith(stanza("xmlstreamend")),
    freeze: () => {
      const thaws = online().map((device) => device.link?.freeze());
      return () => {
        for (const thaw of thaws) thaw?.();
      };
    },
    notify: (what) => {
      for (const device of online()) device.link?.send(what);
    },
    downgrade: () => phone.notify(stanza("ib", {}, [stanza("downgrade_webclient")])),
    expireClient: (t) =>
      phone.notify(stanza("ib", {}, [stanza("client_expiration", t === undefined ? {} : { t: String(t) })])),
    history: async (history) => {
      for (const device of linkedOf(account))
        await transmitToOwn(network, person.primary, device, historyOf(network, history));
    },
    requireTokens: (salt) => {
      account.privacy = { salt: Buffer.from(salt), tokens: new Map() };
    },
    restrict: setLock,
    unrestrict: () => setLock(undefined),
    cap: (capping, { isSilent = false } = { isSilent: false }) => {
      account.capping = capping;
      if (typeof capping !== "object" || isSilent) return;
      for (const device of linkedOf(account))
        device.deliver(
          mexUpdate(network, "MessageCappingInfoNotification", {
            xwa2_notify_new_chat_messages_capping_info_update: capping,
          }),
        );
    },
  } satisfies Omit<Phone, keyof Contact | "appState" | "devices" | "passkeyCode">;

  return Object.defineProperties(contactOf(network, person), {
    ...Object.getOwnPropertyDescriptors(phone),
    appState: { get: () => phoneStateOf(network, person), enumerable: false },
    devices: { get: () => linkedOf(account), enumerable: true },
    passkeyCode: { get: () => desk.passkeyCode(primary), enumerable: true },
  }) as Phone;
};
