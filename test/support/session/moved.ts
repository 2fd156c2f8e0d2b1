import { BufferJSON } from "@whiskeysockets/baileys";
import type { StoredEntry } from "../../../src/contract/moving.ts";
import type { Client, Identity } from "../whatsapp/baileys.ts";

// Identities of plain Baileys clients, as other programs store them.

const json = (value: unknown): string => JSON.stringify(value, BufferJSON.replacer);

/** The keys of an identity: kind, id and value. */
export const keysOf = ({ rows }: Pick<Identity, "rows">): { kind: string; id: string; value: unknown }[] =>
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

/** The tables of whatsmeow of the same identity, as its sqlite holds them: rows with bytes in base64. */
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
