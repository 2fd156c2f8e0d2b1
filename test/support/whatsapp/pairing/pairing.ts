import { randomBytes } from "node:crypto";
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  hmacSign,
  type KeyPair,
  proto,
  S_WHATSAPP_NET,
} from "@whiskeysockets/baileys";
import { type Account, jidOf, type Network } from "../model.ts";
import { type Linked, makeLinked } from "../people/linked.ts";
import { note } from "../stat.ts";
import type { Link } from "../wire/link.ts";
import { bytesOf, child, firstChild, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import { askPasskey, type Shortcake, takePasskey } from "./passkey-desk.ts";
import { RefusedByPhone } from "./refused.ts";

/** The keys with which a phone vouches for what it links. */
export type Primary = { readonly account: Account; readonly identity: KeyPair };

type Finish = { resolve(device: Linked): void; reject(refusal: RefusedByPhone): void };

/** A connection that wants to be linked. */
export type Visitor = {
  readonly link: Link;
  readonly noiseKey: Buffer;
  readonly identity: Buffer;
  /** The n of its client version 2.3000.n. */
  readonly version: number;
  readonly refs: Set<string>;
  /** What a companion_hello brought, and what a phone answered to it. */
  hello?: { jid: string; wrapped: Buffer; ref: string };
  code?: Finish & { primary: Primary; shared: Buffer };
  signing?: Finish & { primary: Primary; id: number; details: Buffer; iq: string };
  shortcake?: Shortcake;
  /** Called once it has acknowledged the notification with this id. */
  acknowledged?: { id: string; resolve(): void };
};

export type StageOrder = { stage?: string; ref?: string };

export type PairingDesk = {
  /** Shows a new connection its refs. */
  welcome(link: Link, noiseKey: Buffer, identity: Buffer, version: number): Visitor;
  take(visitor: Visitor, sent: Stanza): void;
  leave(visitor: Visitor): void;
  scan(primary: Primary, qr: string): Promise<Linked>;
  typeCode(primary: Primary, code: string): Promise<Linked>;
  /** The network asks every connection that waits to be linked whether it lives. */
  ping(id: string): void;
  distrust(qr: string, child?: string): Promise<void>;
  refreshCode(primary: Primary, other?: StageOrder): void;
  passkeyCode(primary: Primary): string | undefined;
  cutUnlinked(): void;
  /** No ref that was shown is good any more. */
  expireRefs(): void;
};

const REFS = 6;
const QR_PREFIX = "https://wa.me/settings/linked_devices#";
const ACCOUNT_SIGNATURE = Buffer.from([6, 0]);
const DEVICE_SIGNATURE = Buffer.from([6, 1]);
const NOTHING = Buffer.alloc(0);
/** A browser, and a system that exists. */
const DISPLAY = /^[\w ]+ \((?:Windows|Linux|Mac OS|Ubuntu)\)$/;

/** What a QR says; throws where it is none. */
const readQr = (qr: string) => {
  const [ref, noiseKey, identity, secret, platform] = qr.startsWith(QR_PREFIX)
    ? qr.slice(QR_PREFIX.length).split(",")
    : [];
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

const details = (network: Network, keyIndex: number): Buffer =>
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

export const makePairingDesk = (network: Network): PairingDesk => {
  const visitors = new Set<Visitor>();

  const succeed = (visitor: Visitor, primary: Primary, secret: Buffer, finish: Finish) => {
    const { account } = primary;
    const id = account.nextDevice++;
    const about = details(network, id);
    const iq = network.newId();
    visitor.signing = { ...finish, primary, id, details: about, iq };
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

  /** The companion has signed too: it is linked, and comes again with a login. */
  const conclude = (visitor: Visitor, signed: Stanza) => {
    const { signing } = visitor;
    if (!signing) return;
    const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(bytesOf(signed, "device-identity"));
    const about = Buffer.concat([DEVICE_SIGNATURE, signing.details, visitor.identity, signing.primary.identity.public]);
    if (!deviceSignature || !verified(visitor.identity, about, deviceSignature))
      return signing.reject(new RefusedByPhone("the companion's signature is wrong"));
    const { account } = signing.primary;
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

  /** Links at once, or first has the owner's passkey asked for. */
  const link = (visitor: Visitor, primary: Primary, secret: Buffer, finish: Finish) => {
    const { account } = primary;
    if (!account.passkey) return succeed(visitor, primary, secret, finish);
    askPasskey(network, visitor, {
      account,
      secret,
      succeed: (own) => succeed(visitor, primary, own, finish),
      refuse: finish.reject,
    });
  };

  const hello = (visitor: Visitor, iq: Stanza, asked: Stanza) => {
    const jid = asked.attrs["jid"] ?? "";
    const display = textOf(child(asked, "companion_platform_display"));
    note(network.stat.hellos, {
      jid,
      display,
      nonce: [...Buffer.from(textOf(child(asked, "link_code_pairing_nonce")))],
    });
    const refusal =
      network.rules.hellos.take(asked) ?? (DISPLAY.test(display) ? undefined : { code: "400", text: "bad-request" });
    if (refusal) {
      const attrs = { id: iq.attrs["id"], from: S_WHATSAPP_NET, type: "error" };
      visitor.link.send(stanza("iq", attrs, [stanza("error", refusal)]));
      return network.changed();
    }
    const ref = randomBytes(16).toString("base64");
    visitor.hello = {
      jid,
      wrapped: bytesOf(asked, "link_code_pairing_wrapped_companion_ephemeral_pub"),
      ref,
    };
    const content = [stanza("link_code_pairing_ref", {}, Buffer.from(ref))];
    visitor.link.send(
      stanza("iq", { id: iq.attrs["id"], from: S_WHATSAPP_NET, type: "result" }, [
        stanza("link_code_companion_reg", { stage: "companion_hello" }, content),
      ]),
    );
    network.changed();
  };

  const finish = (visitor: Visitor, iq: Stanza, asked: Stanza) => {
    const { code } = visitor;
    delete visitor.code;
    const reply = (type: string) =>
      visitor.link.send(
        stanza(
          "iq",
          { id: iq.attrs["id"], from: S_WHATSAPP_NET, type },
          type === "error" ? [stanza("error", { code: "400" })] : [],
        ),
      );
    const secret = code && unwrap(visitor, code, asked);
    if (!code || !secret) {
      reply("error");
      code?.reject(new RefusedByPhone("this is not the code the companion shows"));
      return;
    }
    reply("result");
    network.stat.finished++;
    network.changed();
    if (!network.rules.finishes.take(undefined, code.primary.account)) link(visitor, code.primary, secret, code);
  };

  const acknowledged = (visitor: Visitor, { attrs }: Stanza) => {
    note(network.stat.linkAcks, { id: attrs["id"] ?? "", type: attrs["type"] ?? "" });
    if (visitor.acknowledged?.id === attrs["id"]) visitor.acknowledged?.resolve();
    network.changed();
  };

  /** The companion does not know the secret under which the phone has vouched for it. */
  const notTaken = (visitor: Visitor, error: Stanza | undefined) => {
    visitor.signing?.reject(new RefusedByPhone(`the companion refused: ${error?.attrs["code"]}`));
    delete visitor.signing;
  };

  /** The newest connection that asked to be linked with this number; throws when nobody is there who could. */
  const askingFor = ({ account }: Primary) => {
    if (visitors.size === 0) throw new RefusedByPhone("nobody asked to be linked with this number");
    const visitor = [...visitors].findLast(({ hello: greeting }) => greeting?.jid === jidOf(account, "pn"));
    return visitor?.hello && { visitor, ...visitor.hello };
  };

  return {
    welcome: (link, noiseKey, identity, version) => {
      const refs = new Set(Array.from({ length: REFS }, () => `2@${randomBytes(24).toString("base64")}`));
      const visitor: Visitor = { link, noiseKey, identity, version, refs };
      visitors.add(visitor);
      const nodes = [...refs].map((ref) => stanza("ref", {}, Buffer.from(ref)));
      link.send(
        stanza("iq", { from: S_WHATSAPP_NET, type: "set", id: network.newId(), xmlns: "md" }, [
          stanza("pair-device", {}, nodes),
        ]),
      );
      return visitor;
    },
    take: (visitor, sent) => {
      const inner = firstChild(sent);
      if (sent.tag === "ack") return acknowledged(visitor, sent);
      if (sent.attrs["type"] === "error" && sent.attrs["id"] === visitor.signing?.iq) return notTaken(visitor, inner);
      if (takePasskey(network, visitor, sent)) return;
      if (sent.attrs["xmlns"] === "w:p")
        return visitor.link.send(stanza("iq", { id: sent.attrs["id"], from: S_WHATSAPP_NET, type: "result" }));
      if (inner?.tag === "pair-device-sign") return conclude(visitor, inner);
      if (inner?.tag !== "link_code_companion_reg") return;
      if (inner.attrs["stage"] === "companion_hello") hello(visitor, sent, inner);
      else finish(visitor, sent, inner);
    },
    leave: (visitor) => {
      visitors.delete(visitor);
      const gone = new RefusedByPhone("the companion is gone");
      visitor.code?.reject(gone);
      visitor.shortcake?.refuse(gone);
      visitor.signing?.reject(gone);
    },
    scan: (primary, qr) =>
      new Promise((resolve, reject) => {
        const { ref, noiseKey, identity, secret } = readQr(qr);
        const visitor = [...visitors].find(({ refs }) => refs.has(ref));
        if (!visitor) throw new RefusedByPhone("this QR is unknown, used or too old");
        if (!visitor.noiseKey.equals(noiseKey) || !visitor.identity.equals(identity))
          throw new RefusedByPhone("this QR is of somebody else");
        if (visitor.version < network.versions.linkMin) throw new RefusedByPhone("Couldn't link device");
        link(visitor, primary, secret, { resolve, reject });
      }),
    distrust: (qr, tag = "companion_reg_refresh") =>
      new Promise((resolve) => {
        const { ref } = readQr(qr);
        const visitor = [...visitors].find(({ refs }) => refs.has(ref));
        if (!visitor) throw new RefusedByPhone("this QR is unknown, used or too old");
        const id = network.newId();
        visitor.acknowledged = { id, resolve };
        visitor.link.send(
          stanza(
            "notification",
            { from: S_WHATSAPP_NET, type: "companion_reg_refresh", id, t: String(network.now()) },
            [stanza(tag)],
          ),
        );
      }),
    refreshCode: (primary, { stage: name = "refresh_code", ref } = {}) => {
      const asking = askingFor(primary);
      const stage = { stage: name, force_manual_refresh: "true" };
      asking?.visitor.link.send(
        stanza(
          "notification",
          { from: S_WHATSAPP_NET, type: "link_code_companion_reg", id: network.newId(), t: String(network.now()) },
          [
            stanza("link_code_companion_reg", stage, [
              stanza("link_code_pairing_ref", {}, Buffer.from(ref ?? asking.ref)),
            ]),
          ],
        ),
      );
    },
    passkeyCode: ({ account }) =>
      [...visitors].find(({ shortcake }) => shortcake?.account === account)?.shortcake?.code,
    typeCode: async (primary, code) => {
      const { visitor, wrapped, ref } = await network.until(() => askingFor(primary));
      const companion = aesDecryptCTR(
        wrapped.subarray(48, 80),
        await derivePairingCodeKey(code, wrapped.subarray(0, 32)),
        wrapped.subarray(32, 48),
      );
      delete visitor.hello;
      return await new Promise<Linked>((resolve, reject) => {
        const ephemeral = Curve.generateKeyPair();
        visitor.code = { primary, shared: Curve.sharedKey(ephemeral.private, companion), resolve, reject };
        void greet(network, visitor, { primary, ephemeral, code, ref });
      });
    },
    ping: (id) => {
      const ping = stanza("iq", { id, from: S_WHATSAPP_NET, type: "get", xmlns: "urn:xmpp:ping" }, [stanza("ping")]);
      for (const { link: open } of visitors) open.send(ping);
    },
    cutUnlinked: () => {
      for (const { link: open } of visitors) open.cut();
    },
    expireRefs: () => {
      for (const { refs } of visitors) refs.clear();
    },
  };
};

const verified = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  Curve.verify(key, message, signature);

/** The phone's answer to a companion that shows a code. */
const greet = async (
  network: Network,
  visitor: Visitor,
  { primary, ephemeral, code, ref }: { primary: Primary; ephemeral: KeyPair; code: string; ref: string },
): Promise<void> => {
  const [salt, iv] = [randomBytes(32), randomBytes(16)];
  const wrapped = Buffer.concat([
    salt,
    iv,
    aesEncryptCTR(ephemeral.public, await derivePairingCodeKey(code, salt), iv),
  ]);
  visitor.link.send(
    stanza(
      "notification",
      { from: S_WHATSAPP_NET, type: "link_code_companion_reg", id: network.newId(), t: String(network.now()) },
      [
        stanza("link_code_companion_reg", { stage: "primary_hello" }, [
          stanza("link_code_pairing_wrapped_primary_ephemeral_pub", {}, wrapped),
          stanza("primary_identity_pub", {}, primary.identity.public),
          stanza("link_code_pairing_ref", {}, Buffer.from(ref)),
        ]),
      ],
    ),
  );
};

/** The secret of the two, where the companion used the code that was typed. */
const unwrap = (
  visitor: Visitor,
  { primary, shared }: NonNullable<Visitor["code"]>,
  asked: Stanza,
): Buffer | undefined => {
  const bundle = bytesOf(asked, "link_code_pairing_wrapped_key_bundle");
  const key = hkdf(shared, 32, { salt: bundle.subarray(0, 32), info: "link_code_pairing_key_bundle_encryption_key" });
  try {
    const opened = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), NOTHING);
    const [companion, phone, random] = [opened.subarray(0, 32), opened.subarray(32, 64), opened.subarray(64)];
    if (!companion.equals(visitor.identity) || !phone.equals(primary.identity.public)) return undefined;
    const secrets = Buffer.concat([shared, Curve.sharedKey(primary.identity.private, companion), random]);
    return Buffer.from(hkdf(secrets, 32, { info: "adv_secret" }));
  } catch {
    return undefined;
  }
};
