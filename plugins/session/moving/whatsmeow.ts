import { proto } from "@whiskeysockets/baileys";
import type { StoredEntry } from "../../../src/contract/abilities/moving.ts";
import { isRecord, type Json, parsedJson, SIGNED_JSON } from "../../../src/kernel/texts/json.ts";
import { encode } from "../keys/rows.ts";
import type { Found, FoundKey } from "./baileys.ts";
import { bytesIn, pairOf, textIn, wholeIn } from "./values.ts";

// The tables of whatsmeow, https://github.com/tulir/whatsmeow/tree/main/store/sqlstore/upgrades: version 15, and older
// ones, which lack some tables. Each entry is a table: a JSON list of rows of one device, with bytes in base64.

/**
 * The contents of the tables, as Baileys would have stored them. Sessions and group keys have another form, and stay
 * behind.
 */
export const foundInWhatsmeow = (entries: readonly StoredEntry[]): Found => {
  const tables = new Map(entries.map(({ name, text }) => [name, rowsIn(text)]));
  const table = (name: string): Json[] => tables.get(name) ?? [];
  const preKeys = table("whatsmeow_pre_keys");
  const [device] = table("whatsmeow_device");
  return {
    creds: device && encode(credsOf(device, preKeys)),
    keys: [
      ...preKeys.flatMap(preKey),
      ...table("whatsmeow_lid_map").flatMap(mapping),
      ...table("whatsmeow_privacy_tokens").flatMap(token),
      ...table("whatsmeow_app_state_sync_keys").flatMap(appStateKey),
    ],
    strange: 0,
  };
};

const rowsIn = (text: string): Json[] => {
  const rows = parsedJson(text, SIGNED_JSON);
  return Array.isArray(rows) ? rows.filter(isRecord) : [];
};

const idsOf = (preKeys: readonly Json[], isMeant: (row: Json) => boolean): number[] =>
  preKeys.filter(isMeant).flatMap((row) => wholeIn(row["key_id"], 1, 0xff_ffff) ?? []);

const credsOf = (device: Json, preKeys: readonly Json[]): Json => {
  const nextPreKeyId = idsOf(preKeys, () => true).reduce((most, id) => Math.max(most, id), 0) + 1;
  const isWaiting = ({ uploaded }: Json) => uploaded !== true && uploaded !== 1;
  const waiting = idsOf(preKeys, isWaiting).reduce((least, id) => Math.min(least, id), nextPreKeyId);
  return {
    noiseKey: pairOf(device["noise_key"]),
    signedIdentityKey: pairOf(device["identity_key"]),
    signedPreKey: {
      keyPair: pairOf(device["signed_pre_key"]),
      keyId: device["signed_pre_key_id"],
      signature: bytesIn(device["signed_pre_key_sig"]),
    },
    registrationId: device["registration_id"],
    advSecretKey: device["adv_key"],
    account: {
      details: bytesIn(device["adv_details"]),
      accountSignatureKey: bytesIn(device["adv_account_sig_key"]),
      accountSignature: bytesIn(device["adv_account_sig"]),
      deviceSignature: bytesIn(device["adv_device_sig"]),
    },
    me: { id: device["jid"], lid: device["lid"], name: device["push_name"] ?? device["business_name"] },
    platform: device["platform"],
    nextPreKeyId,
    firstUnuploadedPreKeyId: waiting,
  };
};

const preKey = ({ key_id, key }: Json): FoundKey[] => {
  const [id, pair] = [wholeIn(key_id, 1, 0xff_ffff), pairOf(key)];
  return id === undefined || !pair ? [] : [{ kind: "pre-key", id: String(id), text: encode(pair) }];
};

const mapping = ({ lid, pn }: Json): FoundKey[] => {
  const [of, to] = [textIn(pn, 20), textIn(lid, 20)];
  if (!of || !to || !/^\d+$/.test(of + to)) return [];
  return [
    { kind: "lid-mapping", id: of, text: encode(to) },
    { kind: "lid-mapping", id: `${to}_reverse`, text: encode(of) },
  ];
};

const token = ({ their_jid, token: given, timestamp }: Json): FoundKey[] => {
  const [id, bytes, at] = [textIn(their_jid, 60), bytesIn(given), wholeIn(timestamp, 0, Number.MAX_SAFE_INTEGER)];
  if (!id || !bytes || !/^\d+@(lid|s\.whatsapp\.net)$/.test(id)) return [];
  return [{ kind: "tctoken", id, text: encode({ token: bytes, ...(at ? { timestamp: String(at) } : {}) }) }];
};

const appStateKey = ({ key_id, key_data, timestamp, fingerprint }: Json): FoundKey[] => {
  const [id, keyData, print] = [bytesIn(key_id), bytesIn(key_data), bytesIn(fingerprint)];
  if (!id || !keyData) return [];
  const value = {
    keyData,
    timestamp: wholeIn(timestamp, 0, Number.MAX_SAFE_INTEGER) ?? 0,
    ...(print ? { fingerprint: fingerprintIn(print) } : {}),
  };
  return [{ kind: "app-state-sync-key", id: id.toString("base64"), text: encode(value) }];
};

const fingerprintIn = (bytes: Uint8Array): Json | undefined => {
  try {
    return proto.Message.AppStateSyncKeyFingerprint.decode(bytes).toJSON();
  } catch {
    return undefined;
  }
};
