import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BufferJSON, Curve, initAuthCreds, proto } from "@whiskeysockets/baileys";
import type { StoredEntry } from "../../../src/contract/abilities/moving.ts";
import { type Client, type Identity, linked } from "../whatsapp/baileys.ts";
import type { Contact, WhatsApp } from "../whatsapp/index.ts";

// Identities of plain Baileys clients, in the forms of other programs.

const json = (value: unknown): string => JSON.stringify(value, BufferJSON.replacer);

/** The keys of an identity: kind, id and value. */
const keysOf = ({ rows }: Pick<Identity, "rows">): { kind: string; id: string; value: unknown }[] =>
  [...rows].map(([name, value]) => {
    const at = name.indexOf(" ");
    return { kind: name.slice(0, at), id: name.slice(at + 1), value };
  });

/** Baileys' `useMultiFileAuthState`, byte for byte. */
export const baileysFiles = ({ creds, rows }: Pick<Identity, "creds" | "rows">): StoredEntry[] => [
  { name: "creds.json", text: json(creds) },
  ...keysOf({ rows }).map(({ kind, id, value }) => ({
    name: `${`${kind}-${id}`.replaceAll("/", "__").replaceAll(":", "-")}.json`,
    text: json(value),
  })),
];

/** Evolution's `Session.creds`: JSON of a JSON text. */
export const evolutionCreds = ({ creds }: Pick<Identity, "creds">): string => json(json(creds));

/** Evolution's hash in Redis: `<type>-<id>`, each JSON. */
export const evolutionHash = ({ rows }: Pick<Identity, "rows">): Record<string, string> =>
  Object.fromEntries(keysOf({ rows }).map(({ kind, id, value }) => [`${kind}-${id}`, json(value)]));

/** Ends a client, and resolves when its socket is gone. */
export const stopped = async (client: Client): Promise<Identity> => {
  const closed = client.closed();
  client.end();
  await closed;
  return client.identity;
};

const base64 = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString("base64");

/** The tables of whatsmeow for the same identity, in the form of its sqlite: rows with bytes in base64. */
export const whatsmeowRows = ({ creds, rows }: Pick<Identity, "creds" | "rows">): Record<string, object[]> => {
  const keys = keysOf({ rows });
  const jid = creds.me?.id.replace(/:/, ".0:") ?? "";
  const { account } = creds;
  return {
    whatsmeow_device: [
      {
        jid,
        lid: creds.me?.lid ?? "",
        registration_id: creds.registrationId,
        noise_key: base64(creds.noiseKey.private),
        identity_key: base64(creds.signedIdentityKey.private),
        signed_pre_key: base64(creds.signedPreKey.keyPair.private),
        signed_pre_key_id: creds.signedPreKey.keyId,
        signed_pre_key_sig: base64(creds.signedPreKey.signature),
        adv_key: creds.advSecretKey,
        adv_details: base64(account?.details),
        adv_account_sig: base64(account?.accountSignature),
        adv_account_sig_key: base64(account?.accountSignatureKey),
        adv_device_sig: base64(account?.deviceSignature),
        platform: creds.platform ?? "",
        business_name: "",
        push_name: creds.me?.name ?? "",
      },
    ],
    whatsmeow_pre_keys: keys
      .filter(({ kind }) => kind === "pre-key")
      .map(({ id, value }) => ({
        jid,
        key_id: Number(id),
        key: base64((value as { private: Uint8Array }).private),
        uploaded: 1,
      })),
    whatsmeow_lid_map: keys
      .filter(({ kind, id }) => kind === "lid-mapping" && /^\d+$/.test(id))
      .map(({ id, value }) => ({ lid: value as string, pn: id })),
  };
};

/** The same as entries. */
export const whatsmeowTables = (identity: Pick<Identity, "creds" | "rows">): StoredEntry[] =>
  Object.entries(whatsmeowRows(identity)).map(([name, rows]) => ({ name, text: JSON.stringify(rows) }));

/** Writes entries as files, in a new folder. */
export const writeFolder = (folder: string, entries: readonly StoredEntry[]): string => {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of entries) writeFileSync(join(folder, name), text);
  return folder;
};

/** A plain client of this phone that has talked with the contact both ways. */
export const talkingClient = async (net: WhatsApp, pn: string, contact: Contact): Promise<Client> => {
  const client = await linked(net, pn);
  await client.sock.sendMessage(contact.jid, { text: "from the old server" });
  await contact.until(({ text }) => text === "from the old server");
  await contact.say("to the old server", { to: net.phone(pn) });
  await client.until(() =>
    client.messages.some(({ message }) => JSON.stringify(message).includes("to the old server")),
  );
  return client;
};

/** An identity that a phone has accepted, with a key of each kind, without a network. */
export const acceptedIdentity = (pn = "5511900000001"): Pick<Identity, "creds" | "rows"> => {
  const creds = initAuthCreds();
  const phone = Curve.generateKeyPair();
  const details = Buffer.from(proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: 1, keyIndex: 1 }).finish());
  const { public: own, private: secret } = creds.signedIdentityKey;
  const account = {
    details,
    accountSignatureKey: phone.public,
    accountSignature: Curve.sign(phone.private, Buffer.concat([Buffer.of(6, 0), details, own])),
    deviceSignature: Curve.sign(secret, Buffer.concat([Buffer.of(6, 1), details, own, phone.public])),
  };
  const group = "120363000000000001@g.us";
  const rows = new Map<string, unknown>([
    ["pre-key 1", Curve.generateKeyPair()],
    ["pre-key 40", Curve.generateKeyPair()],
    ["session 978001_1.0", { _sessions: {}, version: "v1" }],
    ["session 5511911110001.0", { _sessions: {}, version: "v1" }],
    ["session 5511911110002.7", { _sessions: {}, version: "v1" }],
    [`sender-key ${group}::978001_1::0`, Buffer.from("[]")],
    ["sender-key 5511-1600@g.us::5511911110001::12", Buffer.from("[]")],
    [`sender-key-memory ${group}`, { "978001:0@lid": true }],
    ["app-state-sync-key AAAA/+B=", { keyData: Buffer.alloc(32, 1), timestamp: "1700000000" }],
    ["app-state-sync-version regular_high", { version: 1, hash: Buffer.alloc(128), indexValueMap: {} }],
    ["lid-mapping 5511911110001", "978001"],
    ["lid-mapping 978001_reverse", "5511911110001"],
    ["device-list 978001", ["0", "3"]],
    ["identity-key 978001_1.0", Buffer.alloc(33, 5)],
    ["tctoken 978001@lid", { token: Buffer.from("token"), timestamp: "1700000000" }],
    ["tctoken __index", { token: Buffer.from('["978001@lid"]') }],
  ]);
  const me = { id: `${pn}:7@s.whatsapp.net`, lid: "900001:7@lid", name: "Loja" };
  return { creds: { ...creds, account, me, nextPreKeyId: 31, firstUnuploadedPreKeyId: 31 }, rows };
};
