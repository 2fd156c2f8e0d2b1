import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Curve, generateSignalPubKey, signedKeyPair, WA_CERT_DETAILS } from "@whiskeysockets/baileys";
import { isSignedBy, setTrustRoot } from "../../../../plugins/session/keys/hardening.ts";
import { type Client, connect } from "../../../support/whatsapp/baileys.ts";
import { startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";

const GENUINE = WA_CERT_DETAILS.PUBLIC_KEY;
afterEach(() => {
  WA_CERT_DETAILS.PUBLIC_KEY = GENUINE;
});

describe("signatures count (5.2)", () => {
  const signer = Curve.generateKeyPair();
  const words = Buffer.from("what was signed");
  const signature = Curve.sign(signer.private, words);

  test("one that is genuine is believed, with the key's type byte and without", () => {
    expect(Curve.verify(signer.public, words, signature)).toBe(true);
    expect(Curve.verify(generateSignalPubKey(signer.public), words, signature)).toBe(true);
    expect(Curve.verify(new Uint8Array(signer.public), new Uint8Array(words), new Uint8Array(signature))).toBe(true);
  });

  test("one of another key, over other words, or of another length is not", () => {
    expect(Curve.verify(Curve.generateKeyPair().public, words, signature)).toBe(false);
    expect(Curve.verify(signer.public, Buffer.from("what was not"), signature)).toBe(false);
    expect(Curve.verify(signer.public, words, Buffer.alloc(64))).toBe(false);
    expect(Curve.verify(signer.public, words, signature.subarray(1))).toBe(false);
    expect(Curve.verify(Buffer.alloc(3), words, signature)).toBe(false);
  });

  test("the key with which a session begins must be signed by the identity, and be there", () => {
    const { keyPair, signature: own } = signedKeyPair(signer, 1);
    expect(
      isSignedBy(generateSignalPubKey(signer.public), {
        publicKey: generateSignalPubKey(keyPair.public),
        signature: own,
      }),
    ).toBe(true);
    expect(isSignedBy(Curve.generateKeyPair().public, { publicKey: keyPair.public, signature: own })).toBe(false);
    expect(isSignedBy(signer.public, undefined)).toBe(false);
  });
});

describe("the root of the network's certificates", () => {
  test("is the one that was set, and stays as it was when that is no key", () => {
    const root = Curve.generateKeyPair().public;
    setTrustRoot(Buffer.from(root).toString("hex"));
    expect(WA_CERT_DETAILS.PUBLIC_KEY).toEqual(Buffer.from(root));
    for (const wrong of ["", "abcd", "z".repeat(64), `${Buffer.from(root).toString("hex")}00`])
      expect(() => setTrustRoot(wrong)).toThrow("32 bytes");
    expect(WA_CERT_DETAILS.PUBLIC_KEY).toEqual(Buffer.from(root));
  });
});

describe("the network", () => {
  let net: WhatsApp;
  let client: Client | undefined;
  beforeEach(async () => {
    net = await startWhatsApp();
  });
  afterEach(async () => {
    client?.end();
    await net.stop();
  });

  test("is believed when its certificate goes back to the trusted root", async () => {
    client = connect(net);
    expect(await client.qr()).toContain("https://");
  });

  test("5.2 is not believed when its certificate goes back to another root", async () => {
    client = connect({ url: net.url, root: Buffer.from(Curve.generateKeyPair().public).toString("hex") });
    expect(await client.closed()).toBe(400);
    expect(net.stat.logins + net.stat.pairings).toBe(0);
  });

  test("5.2 is not believed when its certificate is forged", async () => {
    net.faults.forgedChain();
    client = connect(net);
    expect(await client.closed()).toBe(400);
    expect(net.stat.logins + net.stat.pairings).toBe(0);
  });
});

test("5.3 a process whose sessions are closed, dropped and fail to decrypt prints nothing of them", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../../support/children/session-noise.ts")], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect({ out, err, code }).toEqual({ out: "done\n", err: "", code: 0 });
});
