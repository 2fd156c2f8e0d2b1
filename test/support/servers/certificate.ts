import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";

/** One value in DER: a tag, its length, and its content. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const bytes = body.length < 256 ? [body.length] : [body.length >> 8, body.length & 0xff];
  const length = body.length < 128 ? bytes : [0x80 + bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value, "latin1"));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));

const COMMON_NAME = oid("550403");
const SUBJECT_ALT_NAME = oid("551d11");
const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));

const timeOf = (atMs: number): Buffer =>
  text(
    0x17,
    new Date(atMs)
      .toISOString()
      .slice(2)
      .replaceAll(/[-:T]|\.\d+/g, ""),
  );
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, name))));

/** A certificate that a host signs for itself, valid for the year before `toMs`: its own trust anchor. */
export const selfSigned = (host: string, toMs: number): { cert: string; key: string } => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const names = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, sequence(text(0x82, host))))));
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const validity = sequence(timeOf(toMs - 365 * 86_400_000), timeOf(toMs));
  const certificate = sequence(
    version3,
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    nameOf(host),
    validity,
    nameOf(host),
    publicKey,
    names,
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", certificate, privateKey));
  const body = sequence(certificate, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
};
