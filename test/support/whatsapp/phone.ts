import { deflateSync } from "node:zlib";
import { Curve, proto, S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import { type Contact, contactOf } from "./contact.ts";
import type { Linked } from "./linked.ts";
import { removeDevice } from "./login.ts";
import { linkedOf } from "./messages.ts";
import type { Network } from "./model.ts";
import type { PairingDesk, Primary, StageOrder } from "./pairing.ts";
import { makePerson, type PersonOptions } from "./person.ts";
import { transmitToOwn } from "./sending.ts";
import { type Stanza, stanza } from "./stanza.ts";

export type Lock = { until: number; type?: string };

/**
 * The owner's phone: somebody on the network who links devices. A call without `device` applies to all that are online.
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
  /** Has the companion that shows a code make another; or another stage, or about another linking. */
  refreshCode(other?: StageOrder): void;
  /** The code to compare, where the phone shows one. */
  readonly passkeyCode: string | undefined;
  /** Types the code that a companion shows. Throws RefusedByPhone. */
  typeCode(code: string): Promise<Linked>;
  /** The device (the newest unless said otherwise) once it is logged in and active. */
  open(device?: Linked): Promise<Linked>;
  unlink(device?: Linked): void;
  streamError(what: string | Stanza): void;
  /** Somebody else took the connection: `conflict` of type `replaced`, without a code. */
  replace(): void;
  cut(): void;
  end(): void;
  freeze(): () => void;
  notify(what: Stanza): void;
  downgrade(): void;
  /** A piece of history, as a phone gives a new companion. */
  history(history: {
    lidPnMappings?: { lid: string; pn: string }[];
    messages?: proto.IWebMessageInfo[];
  }): Promise<void>;
  /** The account may not open new chats. */
  restrict(lock: Lock): void;
  unrestrict(): void;
};

const { HistorySyncType } = proto.HistorySync;

const historyOf = ({ lidPnMappings = [], messages = [] }: Parameters<Phone["history"]>[0]): proto.IMessage => {
  const [first] = messages;
  const conversations = first
    ? [{ id: first.key?.remoteJid ?? "", messages: messages.map((message) => ({ message })) }]
    : [];
  const history = proto.HistorySync.encode({
    syncType: HistorySyncType.INITIAL_BOOTSTRAP,
    conversations,
    progress: 100,
    phoneNumberToLidMappings: lidPnMappings.map(({ lid, pn }) => ({
      lidJid: `${lid}@lid`,
      pnJid: `${pn}@s.whatsapp.net`,
    })),
  }).finish();
  const historySyncNotification = {
    syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP,
    progress: 100,
    initialHistBootstrapInlinePayload: deflateSync(history),
  };
  return {
    protocolMessage: { type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification },
  };
};

const timelockUpdate = (network: Network, lock: Lock | undefined): Stanza => {
  const payload = lock
    ? { is_active: true, time_enforcement_ends: String(lock.until), enforcement_type: lock.type ?? "DEFAULT" }
    : { is_active: false };
  const update = stanza(
    "update",
    { op_name: "NotificationUserReachoutTimelockUpdate" },
    Buffer.from(JSON.stringify({ data: { xwa2_notify_account_reachout_timelock: payload } })),
  );
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
    history: async (history) => {
      for (const device of linkedOf(account)) await transmitToOwn(network, person.primary, device, historyOf(history));
    },
    restrict: setLock,
    unrestrict: () => setLock(undefined),
  } satisfies Omit<Phone, keyof Contact | "devices" | "passkeyCode">;

  return Object.defineProperties(contactOf(network, person), {
    ...Object.getOwnPropertyDescriptors(phone),
    devices: { get: () => linkedOf(account), enumerable: true },
    passkeyCode: { get: () => desk.passkeyCode(primary), enumerable: true },
  }) as Phone;
};
