import { createHash } from "node:crypto";
import { S_WHATSAPP_NET, xmppPreKey } from "@whiskeysockets/baileys";
import { type Account, type Device, jidOf, type Network } from "../model.ts";
import type { Link } from "../wire/link.ts";
import { bytesOf, child, children, idsOf, type Stanza, stanza } from "../wire/stanza.ts";

/** A device that was paired with a phone and speaks to the network over a link. */
export type Linked = Device & {
  readonly jid: string;
  readonly lidJid: string;
  readonly noiseKey: Buffer;
  readonly keyIndex: string;
  link: Link | undefined;
  /** Whether it is logged in, and has asked for the messages of its absence. */
  isActive: boolean;
  logins: number;
  readonly isOnline: boolean;
  /** The number of its one-time keys on the network; undefined before it has published any. */
  readonly preKeys: number | undefined;
  /** The number of its unacknowledged stanzas. */
  readonly queued: number;
  /** What the network says of all its keys together; undefined before it has published any. */
  digest(): Stanza[] | undefined;
  publish(iq: Stanza): void;
  rotate(signed: Stanza): void;
  /** Delivers waiting stanzas, with their marks. */
  activate(): void;
  /** Drops the stanzas that an ack or a receipt of the device confirms. */
  settle(answer: Stanza): void;
};

const KEY_SIZE = 3 + 32;
const CURVE_TYPE = Buffer.from([5]);
const LOW_KEYS = 5;

type Shelf = { registration: Buffer; identity: Buffer; signed: Stanza; oneTime: Buffer };

const copyOfSigned = (signed: Stanza): Stanza =>
  stanza(
    "skey",
    {},
    ["id", "value", "signature"].map((part) => stanza(part, {}, bytesOf(signed, part))),
  );

/** The ids of the keys, and a hash over them, by which a device knows whether the network has its keys. */
const digestOf = ({ registration, identity, signed, oneTime }: Shelf): Stanza[] => {
  const keys = Array.from({ length: oneTime.length / KEY_SIZE }, (_, index) => {
    const key = oneTime.subarray(index * KEY_SIZE, (index + 1) * KEY_SIZE);
    return { id: key.subarray(0, 3), value: key.subarray(3) };
  });
  const hashed = [identity, bytesOf(signed, "value"), bytesOf(signed, "signature"), ...keys.map(({ value }) => value)];
  return [
    stanza("digest", {}, [
      stanza("registration", {}, registration),
      stanza("type", {}, CURVE_TYPE),
      stanza("identity", {}, identity),
      signed,
      stanza(
        "list",
        {},
        keys.map(({ id }) => stanza("id", {}, id)),
      ),
      stanza("hash", {}, createHash("sha1").update(Buffer.concat(hashed)).digest()),
    ]),
  ];
};

const keyOf = ({ tag, attrs }: Stanza): string =>
  tag === "message" || tag === "status"
    ? `${tag} ${attrs["id"]}`
    : [tag, attrs["id"], attrs["from"], attrs["participant"] ?? "", attrs["type"] ?? ""].join(" ");

/** The keys of the stanzas that an answer of the device may mean. */
const answered = ({ tag, attrs, ...rest }: Stanza): string[] => {
  if (tag === "receipt")
    return attrs["type"] === "retry" ? [] : idsOf({ tag, attrs, ...rest }).map((id) => `message ${id}`);
  const { class: of = "", id = "", to = "", participant = "", type = "" } = attrs;
  return [of === "message" || of === "status" ? `${of} ${id}` : [of, id, to, participant, type].join(" ")];
};

/** The same message with one bit of each ciphertext turned. */
const damaged = (message: Stanza): Stanza => ({
  ...message,
  content: Array.isArray(message.content)
    ? message.content.map((inner) => {
        if (inner.tag !== "enc" || !(inner.content instanceof Uint8Array)) return inner;
        const bytes = Buffer.from(inner.content);
        const at = bytes.length - 9; // within the MAC or signature, so that the bytes before it still parse
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        return { ...inner, content: bytes };
      })
    : [],
});

/**
 * Whether a stanza is a status. A sent status without a plain acknowledgement holds back the stanzas behind it at the
 * next connect.
 */
const isStatus = ({ tag, attrs: { from = "" } }: Stanza): boolean =>
  tag === "status" || (tag === "message" && (from === "status@broadcast" || from.endsWith("@newsletter")));

type Pending = { stanza: Stanza; isSent: boolean; isAgain?: boolean };

export const isLinked = (device: Device | undefined): device is Linked => device !== undefined && "noiseKey" in device;

export const makeLinked = (
  network: Network,
  account: Account,
  { id, noiseKey }: { id: number; noiseKey: Buffer },
): Linked => {
  const pending = new Map<string, Pending>();
  let shelf: Shelf | undefined;

  const bytesLeft = () => (shelf?.oneTime.length ?? 0) / KEY_SIZE;
  /** Sends all waiting stanzas, up to a status that was sent before. */
  const flush = () => {
    for (const entry of pending.values()) {
      send(entry);
      if (entry.isAgain && isStatus(entry.stanza)) return;
    }
  };
  const send = (entry: Pending) => {
    if (entry.isSent || !device.isActive) return;
    entry.isSent = true;
    const isMessage = entry.stanza.tag === "message";
    const isDamaged = isMessage && network.rules.corruptions.take(entry.stanza, account) === true;
    device.link?.send(isDamaged ? damaged(entry.stanza) : entry.stanza);
    if (isMessage && network.rules.duplicates.take(entry.stanza, account)) device.link?.send(entry.stanza);
  };
  const takeKey = (from: Shelf): Stanza[] => {
    const key = from.oneTime.subarray(0, KEY_SIZE);
    if (key.length === 0) return [];
    from.oneTime = from.oneTime.subarray(KEY_SIZE);
    if (bytesLeft() === LOW_KEYS - 1) {
      const count = stanza("count", { value: String(bytesLeft()) });
      device.deliver(
        stanza(
          "notification",
          { from: S_WHATSAPP_NET, type: "encrypt", id: network.newId(), t: String(network.now()) },
          [count],
        ),
      );
    }
    return [xmppPreKey({ public: key.subarray(3), private: Buffer.alloc(0) }, key.readUIntBE(0, 3))];
  };

  const device: Linked = {
    account,
    id,
    noiseKey,
    jid: jidOf(account, "pn", id),
    lidJid: jidOf(account, "lid", id),
    keyIndex: String(id),
    link: undefined,
    isActive: false,
    logins: 0,
    get isOnline() {
      return device.link !== undefined;
    },
    get preKeys() {
      return shelf && bytesLeft();
    },
    get queued() {
      return pending.size;
    },
    bundle: () =>
      shelf && [
        stanza("registration", {}, shelf.registration),
        stanza("type", {}, CURVE_TYPE),
        stanza("identity", {}, shelf.identity),
        shelf.signed,
        ...takeKey(shelf),
      ],
    digest: () => shelf && digestOf(shelf),
    publish: (iq) => {
      const added = children(child(iq, "list"), "key").map((key) =>
        Buffer.concat([bytesOf(key, "id"), bytesOf(key, "value")]),
      );
      shelf = {
        registration: bytesOf(iq, "registration"),
        identity: bytesOf(iq, "identity"),
        signed: copyOfSigned(child(iq, "skey") ?? stanza("skey")),
        oneTime: Buffer.concat([shelf?.oneTime ?? Buffer.alloc(0), ...added]),
      };
    },
    rotate: (signed) => {
      if (shelf) shelf.signed = copyOfSigned(signed);
    },
    deliver: (arriving) => {
      pending.set(keyOf(arriving), { stanza: arriving, isSent: false });
      network.rules.incoming.pass(flush);
      network.changed();
    },
    activate: () => {
      device.isActive = true;
      const waiting = [...pending.values()];
      const offline = (count: number) => stanza("offline", { count: String(count) });
      if (waiting.length > 0)
        device.link?.send(
          stanza("ib", {}, [
            stanza("offline_preview", { count: String(waiting.length), message: String(waiting.length) }),
          ]),
        );
      for (const entry of waiting) {
        entry.isAgain = entry.isSent;
        entry.isSent = false;
        entry.stanza = { ...entry.stanza, attrs: { ...entry.stanza.attrs, offline: "0" } };
      }
      flush();
      if (!network.rules.missingMarkers.take(undefined, account))
        device.link?.send(stanza("ib", {}, [offline(waiting.length)]));
      network.changed();
    },
    settle: (answer) => {
      for (const key of answered(answer)) {
        const entry = pending.get(key);
        if (answer.attrs["error"] === undefined || !entry || !isStatus(entry.stanza)) pending.delete(key);
      }
      flush();
    },
  };
  return device;
};
