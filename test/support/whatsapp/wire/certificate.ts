import { createSign, generateKeyPairSync } from "node:crypto";

/** The part of DER that one certificate needs. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utc: 0x17,
  dnsName: 0x82,
  address: 0x87,
  version: 0xa0,
  extensions: 0xa3,
  boolean: 0x01,
};

const sequence = (...parts: Uint8Array[]) => der(TAG.sequence, ...parts);
const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, "hex"));
const time = (text: string) => der(TAG.utc, Buffer.from(text));

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const ALT_NAME = oid("551d11");
const BASIC_CONSTRAINTS = oid("551d13");

const NAME = sequence(der(TAG.set, sequence(COMMON_NAME, der(TAG.utf8, Buffer.from("WhatsApp for tests")))));
const ALT_NAMES = sequence(der(TAG.dnsName, Buffer.from("localhost")), der(TAG.address, Buffer.from([127, 0, 0, 1])));
const IS_AUTHORITY = sequence(der(TAG.boolean, Buffer.from([0xff])));

const pem = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${label}-----\n`;

/** A certificate for this machine that vouches for itself, and its key; both PEM. */
export const selfSigned = (): { cert: string; key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = der(
    TAG.extensions,
    sequence(
      sequence(BASIC_CONSTRAINTS, der(TAG.octets, IS_AUTHORITY)),
      sequence(ALT_NAME, der(TAG.octets, ALT_NAMES)),
    ),
  );
  const body = sequence(
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1])),
    ECDSA_SHA256,
    NAME,
    sequence(time("200101000000Z"), time("491231235959Z")),
    NAME,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = sequence(body, ECDSA_SHA256, der(TAG.bits, Buffer.from([0]), signature));
  return { cert: pem("CERTIFICATE", certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
};
