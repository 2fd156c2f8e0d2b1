import { randomBytes } from "node:crypto";
import { Curve, hmacSign, type KeyPair, proto, S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import { type Account, jidOf, type Network } from "../model.ts";
import { type Linked, makeLinked } from "../people/linked.ts";
import { note } from "../stat.ts";
import type { Link } from "../wire/link.ts";
import { bytesOf, firstChild, type Stanza, stanza } from "../wire/stanza.ts";
import { refreshCode, type StageOrder, takeFinish, takeHello, typeCode } from "./code-desk.ts";
import { askPasskey, type Shortcake, takePasskey } from "./passkey-desk.ts";
import { RefusedByPhone } from "./refused.ts";

// The desk of the simulated network where phones link companions: our sessions, before their first login. In order:
//
// 1. `welcome`: a new connection gets six refs, of which the companion makes QR codes.
// 2. `scan` reads such a QR code with a phone; `typeCode` types the code that a companion shows (code-desk.ts). Either
//    way the phone and the companion now share a secret.
// 3. `beginLinking`: an account with a passkey has its owner asked first (passkey-desk.ts).
// 4. `sendVouching`: the phone vouches for the companion's identity, under the secret (`pair-success`).
// 5. `conclude`: the companion signs, too (`pair-device-sign`). It is linked, and comes again with a login.
//
// What a test may rely on:
// - `scan` and `typeCode` resolve with the device after step 5. They reject with RefusedByPhone if a step fails, or if
//   the companion leaves before.
// - Signatures, secrets and refs are checked as WhatsApp does: a companion that gets one wrong is not linked.
// - The rules of the network (model.ts) refuse a step or leave it out.

/** The keys with which a phone vouches for what it links. */
export type Primary = { readonly account: Account; readonly identity: KeyPair };

/** How the phone that waits for a linking learns of its end. */
type Outcome = { resolve(device: Linked): void; reject(refusal: RefusedByPhone): void };

/** A connection of a companion that wants to be linked, and how far it has come. */
export type Visitor = {
  readonly link: Link;
  readonly noiseKey: Buffer;
  readonly identity: Buffer;
  /** The n of its client version 2.3000.n. */
  readonly version: number;
  /** The refs whose QR codes are good now. */
  readonly refs: Set<string>;
  /** It shows a code for this number, with its public key under that code. */
  hello?: { jid: string; wrapped: Buffer; ref: string };
  /** A phone has typed a code, and waits for the companion's proof. */
  code?: Outcome & { primary: Primary; shared: Buffer };
  /** The passkey of the account's owner was asked for. */
  shortcake?: Shortcake;
  /** A phone has vouched for it as this device, and waits for its signature. `iq`: the id of the stanza that says so. */
  signing?: Outcome & { primary: Primary; id: number; details: Buffer; iq: string };
  /** Called once it has acknowledged the notification with this id. */
  acknowledged?: { id: string; resolve(): void };
};

export type PairingDesk = {
  /** Takes a new connection, and shows it its refs. */
  welcome(link: Link, noiseKey: Buffer, identity: Buffer, version: number): Visitor;
  /** Takes whatever a visitor sends. */
  take(visitor: Visitor, sent: Stanza): void;
  /** The connection is gone: each phone that waits for it is refused. */
  leave(visitor: Visitor): void;
  /** A person scans a QR code with the phone. */
  scan(primary: Primary, qr: string): Promise<Linked>;
  /** A person types a code on the phone, now or as soon as a companion shows one. */
  typeCode(primary: Primary, code: string): Promise<Linked>;
  /** The network asks every connection that waits to be linked whether it lives. */
  ping(id: string): void;
  /** The phone distrusts how it got a QR code: the network asks for another secret. Resolves at the acknowledgement. */
  distrust(qr: string, child?: string): Promise<void>;
  /** The network has the companion that shows a code for this phone make another. */
  refreshCode(primary: Primary, other?: StageOrder): void;
  /** The code that the phone shows during a passkey's ceremony, where it has to be compared. */
  passkeyCode(primary: Primary): string | undefined;
  /** The connections of all visitors break. */
  cutUnlinked(): void;
  /** No ref that was shown is good any more. */
  expireRefs(): void;
};

const REFS = 6;
const QR_PREFIX = "https://wa.me/settings/linked_devices#";
const ACCOUNT_SIGNATURE = Buffer.from([6, 0]);
const DEVICE_SIGNATURE = Buffer.from([6, 1]);

export const makePairingDesk = (network: Network): PairingDesk => {
  const visitors = new Set<Visitor>();
  return {
    welcome(link, noiseKey, identity, version) {
      const visitor: Visitor = { link, noiseKey, identity, version, refs: new Set(newRefs()) };
      visitors.add(visitor);
      sendRefs(network, visitor);
      return visitor;
    },
    take: (visitor, sent) => take(network, visitor, sent),
    leave(visitor) {
      visitors.delete(visitor);
      const gone = new RefusedByPhone("the companion is gone");
      visitor.code?.reject(gone);
      visitor.shortcake?.refuse(gone);
      visitor.signing?.reject(gone);
    },
    scan: (primary, qr) =>
      new Promise((resolve, reject) => {
        const { visitor, secret } = requireScanned(visitors, qr);
        if (visitor.version < network.versions.linkMin) throw new RefusedByPhone("Couldn't link device");
        beginLinking(network, visitor, { primary, secret, outcome: { resolve, reject } });
      }),
    distrust: (qr, tag = "companion_reg_refresh") =>
      new Promise((resolve) => {
        const visitor = requireShowing(visitors, readQr(qr).ref);
        const id = network.newId();
        visitor.acknowledged = { id, resolve };
        const attrs = { from: S_WHATSAPP_NET, type: "companion_reg_refresh", id, t: String(network.now()) };
        visitor.link.send(stanza("notification", attrs, [stanza(tag)]));
      }),
    refreshCode: (primary, order) => refreshCode(network, visitors, primary, order),
    passkeyCode: ({ account }) =>
      [...visitors].find(({ shortcake }) => shortcake?.account === account)?.shortcake?.code,
    typeCode: (primary, code) => typeCode(network, visitors, primary, code),
    ping(id) {
      const ping = stanza("iq", { id, from: S_WHATSAPP_NET, type: "get", xmlns: "urn:xmpp:ping" }, [stanza("ping")]);
      for (const { link } of visitors) link.send(ping);
    },
    cutUnlinked() {
      for (const { link } of visitors) link.cut();
    },
    expireRefs() {
      for (const { refs } of visitors) refs.clear();
    },
  };
};

// 1. A new connection, and what it sends

const newRefs = (): string[] => Array.from({ length: REFS }, () => `2@${randomBytes(24).toString("base64")}`);

const sendRefs = (network: Network, { link, refs }: Visitor): void => {
  const nodes = [...refs].map((ref) => stanza("ref", {}, Buffer.from(ref)));
  const attrs = { from: S_WHATSAPP_NET, type: "set", id: network.newId(), xmlns: "md" };
  link.send(stanza("iq", attrs, [stanza("pair-device", {}, nodes)]));
};

const take = (network: Network, visitor: Visitor, sent: Stanza): void => {
  const inner = firstChild(sent);
  if (sent.tag === "ack") return takeAck(network, visitor, sent);
  if (sent.attrs["type"] === "error" && sent.attrs["id"] === visitor.signing?.iq) return takeRefusal(visitor, inner);
  if (takePasskey(network, visitor, sent)) return;
  if (sent.attrs["xmlns"] === "w:p")
    return visitor.link.send(stanza("iq", { id: sent.attrs["id"], from: S_WHATSAPP_NET, type: "result" }));
  if (inner?.tag === "pair-device-sign") return conclude(network, visitor, inner);
  if (inner?.tag !== "link_code_companion_reg") return;
  if (inner.attrs["stage"] === "companion_hello") return takeHello(network, visitor, sent, inner);
  const link = (outcome: NonNullable<Visitor["code"]>, secret: Buffer) =>
    beginLinking(network, visitor, { primary: outcome.primary, secret, outcome });
  takeFinish(network, visitor, { iq: sent, asked: inner, link });
};

const takeAck = (network: Network, visitor: Visitor, { attrs }: Stanza): void => {
  note(network.stat.linkAcks, { id: attrs["id"] ?? "", type: attrs["type"] ?? "" });
  if (visitor.acknowledged?.id === attrs["id"]) visitor.acknowledged?.resolve();
  network.changed();
};

// 2. A QR code is scanned

/** The parts of a QR code, with the address before them or bare. @throws RefusedByPhone for any other text */
const readQr = (qr: string) => {
  const bare = qr.startsWith(QR_PREFIX) ? qr.slice(QR_PREFIX.length) : qr;
  const [ref, noiseKey, identity, secret, platform] = bare.split(",");
  if (
    ref === undefined ||
    noiseKey === undefined ||
    identity === undefined ||
    secret === undefined ||
    platform === undefined
  )
    throw new RefusedByPhone("this is no QR of WhatsApp");
  return {
    ref,
    noiseKey: Buffer.from(noiseKey, "base64"),
    identity: Buffer.from(identity, "base64"),
    secret: Buffer.from(secret, "base64"),
  };
};

/** @throws RefusedByPhone if no connection shows a QR code of this ref now */
const requireShowing = (visitors: ReadonlySet<Visitor>, ref: string): Visitor => {
  const visitor = [...visitors].find(({ refs }) => refs.has(ref));
  if (!visitor) throw new RefusedByPhone("this QR is unknown, used or too old");
  return visitor;
};

/** The connection that shows a QR code, with the secret in the code. @throws RefusedByPhone */
const requireScanned = (visitors: ReadonlySet<Visitor>, qr: string): { visitor: Visitor; secret: Buffer } => {
  const { ref, noiseKey, identity, secret } = readQr(qr);
  const visitor = requireShowing(visitors, ref);
  if (!visitor.noiseKey.equals(noiseKey) || !visitor.identity.equals(identity))
    throw new RefusedByPhone("this QR is of somebody else");
  return { visitor, secret };
};

// 3. The two share a secret

type Linking = { primary: Primary; secret: Buffer; outcome: Outcome };

/** Vouches at once, or first has the owner's passkey asked for. */
const beginLinking = (network: Network, visitor: Visitor, linking: Linking): void => {
  const { primary, secret, outcome } = linking;
  const { account } = primary;
  if (!account.passkey) return sendVouching(network, visitor, linking);
  askPasskey(network, visitor, {
    account,
    secret,
    succeed: (own) => sendVouching(network, visitor, { ...linking, secret: own }),
    refuse: outcome.reject,
  });
};

// 4. The phone vouches

const detailsOf = (network: Network, keyIndex: number): Buffer =>
  Buffer.from(
    proto.ADVDeviceIdentity.encode({
      rawId: keyIndex,
      timestamp: network.now(),
      keyIndex,
      deviceType: proto.ADVEncryptionType.E2EE,
    }).finish(),
  );

/** Vouches for a companion: signed by the phone, and under the secret that only the companion and the phone know. */
const vouch = (primary: Primary, identity: Buffer, about: Buffer, secret: Buffer): Uint8Array => {
  const accountSignature = Curve.sign(primary.identity.private, Buffer.concat([ACCOUNT_SIGNATURE, about, identity]));
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details: about,
    accountSignatureKey: primary.identity.public,
    accountSignature,
  }).finish();
  return proto.ADVSignedDeviceIdentityHMAC.encode({
    details: signed,
    hmac: hmacSign(Buffer.from(signed), secret),
  }).finish();
};

const sendVouching = (network: Network, visitor: Visitor, { primary, secret, outcome }: Linking): void => {
  const { account } = primary;
  const id = account.nextDevice++;
  const about = detailsOf(network, id);
  const iq = network.newId();
  const { resolve, reject } = outcome;
  visitor.signing = { resolve, reject, primary, id, details: about, iq };
  visitor.link.send(
    stanza("iq", { from: S_WHATSAPP_NET, type: "set", id: iq, xmlns: "md" }, [
      stanza("pair-success", {}, [
        stanza("device-identity", {}, vouch(primary, visitor.identity, about, secret)),
        stanza("device", { jid: jidOf(account, "pn", id), lid: jidOf(account, "lid", id) }),
        stanza("platform", { name: "android" }),
      ]),
    ]),
  );
};

/** The companion does not know the secret under which the phone has vouched for it. */
const takeRefusal = (visitor: Visitor, error: Stanza | undefined): void => {
  visitor.signing?.reject(new RefusedByPhone(`the companion refused: ${error?.attrs["code"]}`));
  delete visitor.signing;
};

// 5. The companion signs

const conclude = (network: Network, visitor: Visitor, signed: Stanza): void => {
  const { signing } = visitor;
  if (!signing) return;
  const { account, identity } = signing.primary;
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(bytesOf(signed, "device-identity"));
  const about = Buffer.concat([DEVICE_SIGNATURE, signing.details, visitor.identity, identity.public]);
  if (!deviceSignature || !isSignedBy(visitor.identity, about, deviceSignature))
    return signing.reject(new RefusedByPhone("the companion's signature is wrong"));
  const device = makeLinked(network, account, { id: signing.id, noiseKey: visitor.noiseKey });
  account.devices.set(device.id, device);
  visitor.refs.clear();
  network.stat.pairings++;
  delete visitor.signing;
  if (!network.rules.missingRestarts.take(undefined, account))
    visitor.link.end(stanza("stream:error", { code: "515" }));
  signing.resolve(device);
  network.changed();
};

const isSignedBy = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  Curve.verify(key, message, signature);
