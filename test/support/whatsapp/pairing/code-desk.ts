import { randomBytes } from "node:crypto";
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  type KeyPair,
  S_WHATSAPP_NET,
} from "@whiskeysockets/baileys";
import { jidOf, type Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { note } from "../stat.ts";
import { bytesOf, child, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import type { Primary, Visitor } from "./pairing.ts";
import { RefusedByPhone } from "./refused.ts";

// The linking by a code that a person types on the phone. The code is a password that the two ends share:
//
// 1. `takeHello`: the companion names the number, and sends its public key under the code that it shows (`hello`).
// 2. `typeCode`: the phone opens that key with the code that was typed, and sends its own under the same (`code`).
// 3. `takeFinish`: the companion sends a bundle that only a holder of both keys can open. In it is a random part of the
//    secret that the two now share. With another code no key is right, so the bundle does not open.

const NOTHING = Buffer.alloc(0);
/** A browser, and a system that exists. */
const DISPLAY = /^[\w ]+ \((?:Windows|Linux|Mac OS|Ubuntu)\)$/;

export type StageOrder = { stage?: string; ref?: string };

const answer = ({ link }: Visitor, { attrs }: Stanza, type: "result" | "error", content: Stanza[] = []): void =>
  link.send(stanza("iq", { id: attrs["id"], from: S_WHATSAPP_NET, type }, content));

const notify = (network: Network, { link }: Visitor, stage: Record<string, string>, content: Stanza[]): void =>
  link.send(
    stanza(
      "notification",
      { from: S_WHATSAPP_NET, type: "link_code_companion_reg", id: network.newId(), t: String(network.now()) },
      [stanza("link_code_companion_reg", stage, content)],
    ),
  );

/** A companion shows a code for a number. The network refuses by its rules, and a display that no browser has. */
export const takeHello = (network: Network, visitor: Visitor, iq: Stanza, asked: Stanza): void => {
  const jid = asked.attrs["jid"] ?? "";
  const display = textOf(child(asked, "companion_platform_display"));
  const nonce = [...Buffer.from(textOf(child(asked, "link_code_pairing_nonce")))];
  note(network.stat.hellos, { jid, display, nonce });
  const isDisplay = DISPLAY.test(display);
  const refusal = network.rules.hellos.take(asked) ?? (isDisplay ? undefined : { code: "400", text: "bad-request" });
  if (refusal) answer(visitor, iq, "error", [stanza("error", refusal)]);
  else {
    const ref = randomBytes(16).toString("base64");
    visitor.hello = { jid, wrapped: bytesOf(asked, "link_code_pairing_wrapped_companion_ephemeral_pub"), ref };
    const content = [stanza("link_code_pairing_ref", {}, Buffer.from(ref))];
    answer(visitor, iq, "result", [stanza("link_code_companion_reg", { stage: "companion_hello" }, content)]);
  }
  network.changed();
};

/**
 * The newest connection that shows a code for the number of this phone; undefined while none does.
 * @throws RefusedByPhone if nobody is there who could
 */
const findShowing = (visitors: ReadonlySet<Visitor>, { account }: Primary) => {
  if (visitors.size === 0) throw new RefusedByPhone("nobody asked to be linked with this number");
  const visitor = [...visitors].findLast(({ hello }) => hello?.jid === jidOf(account, "pn"));
  return visitor?.hello && { visitor, ...visitor.hello };
};

/** The network has the companion make another code, in the name of the linking that it knows. */
export const refreshCode = (
  network: Network,
  visitors: ReadonlySet<Visitor>,
  primary: Primary,
  { stage = "refresh_code", ref }: StageOrder = {},
): void => {
  const showing = findShowing(visitors, primary);
  if (!showing) return;
  const content = [stanza("link_code_pairing_ref", {}, Buffer.from(ref ?? showing.ref))];
  notify(network, showing.visitor, { stage, force_manual_refresh: "true" }, content);
};

/** A person types a code on the phone. Resolves with the device once it is linked; waits until a companion shows a code. */
export const typeCode = async (
  network: Network,
  visitors: ReadonlySet<Visitor>,
  primary: Primary,
  code: string,
): Promise<Linked> => {
  const { visitor, wrapped, ref } = await network.until(() => findShowing(visitors, primary));
  const companion = aesDecryptCTR(
    wrapped.subarray(48, 80),
    await derivePairingCodeKey(code, wrapped.subarray(0, 32)),
    wrapped.subarray(32, 48),
  );
  delete visitor.hello;
  return await new Promise<Linked>((resolve, reject) => {
    const ephemeral = Curve.generateKeyPair();
    visitor.code = { primary, shared: Curve.sharedKey(ephemeral.private, companion), resolve, reject };
    void sendOwnKey(network, visitor, { primary, ephemeral, code, ref });
  });
};

/** The phone sends its key, under the code that was typed. */
const sendOwnKey = async (
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
  notify(network, visitor, { stage: "primary_hello" }, [
    stanza("link_code_pairing_wrapped_primary_ephemeral_pub", {}, wrapped),
    stanza("primary_identity_pub", {}, primary.identity.public),
    stanza("link_code_pairing_ref", {}, Buffer.from(ref)),
  ]);
};

/**
 * The companion ends its part. `link` goes on with the secret that the two share. If the codes of the two ends differ,
 * the phone refuses.
 */
export const takeFinish = (
  network: Network,
  visitor: Visitor,
  { iq, asked, link }: { iq: Stanza; asked: Stanza; link(code: NonNullable<Visitor["code"]>, secret: Buffer): void },
): void => {
  const { code } = visitor;
  delete visitor.code;
  const secret = code && sharedSecret(visitor, code, asked);
  if (!code || !secret) {
    answer(visitor, iq, "error", [stanza("error", { code: "400" })]);
    code?.reject(new RefusedByPhone("this is not the code the companion shows"));
    return;
  }
  answer(visitor, iq, "result");
  network.stat.finished++;
  network.changed();
  if (!network.rules.finishes.take(undefined, code.primary.account)) link(code, secret);
};

/** The secret that the two share; undefined if the companion used another code than the one that was typed. */
const sharedSecret = (
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
