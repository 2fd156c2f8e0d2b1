import { type AuthenticationCreds, proto } from "@whiskeysockets/baileys";
import type { KeyRow } from "../../../src/contract/ports/key-store.ts";
import { isRecord, ownValue, recordOf } from "../../../src/kernel/texts/json.ts";
import { underLid } from "../keys/addresses.ts";
import { encode } from "../keys/rows.ts";
import type { FoundKey } from "./baileys.ts";
import { bytesIn, pairOf, publicKeyIn, textIn, valueIn } from "./values.ts";

/** Longer than any key, in characters of JSON. */
const MAX_CHARS = 1024 * 1024;

/**
 * Always left out: the people who have our key of a group, and the state of contacts that this server does not have.
 */
const LEFT_OUT = ["sender-key-memory", "app-state-sync-version"];

/** The rows to store, the ids by kind, and the number of unreadable keys. */
export type CheckedKeys = { rows: KeyRow[]; broken: number };

/** Checks the values of keys one by one. A broken one is left out and counted: the network replaces it. */
export const checkKeys = (keys: readonly FoundKey[]): CheckedKeys => {
  const rows: KeyRow[] = [];
  let broken = 0;
  for (const { kind, id, text } of keys) {
    if (LEFT_OUT.includes(kind)) continue;
    const value = text.length > MAX_CHARS ? undefined : ownValue(READERS, kind)?.(valueIn(text));
    if (value === undefined) broken += 1;
    else rows.push({ kind, id, value: encode(value) });
  }
  return { rows: underLids(rows), broken };
};

const isSession = (value: unknown): boolean =>
  isRecord(value) && value["version"] === "v1" && isRecord(value["_sessions"]);

const appStateKey = (value: unknown): unknown => {
  const { keyData, timestamp, fingerprint } = recordOf(value);
  const bytes = bytesIn(keyData);
  if (!bytes) return undefined;
  try {
    return proto.Message.AppStateSyncKeyData.fromObject({
      keyData: bytes,
      ...(typeof timestamp === "number" || typeof timestamp === "string" ? { timestamp: Number(timestamp) } : {}),
      ...(isRecord(fingerprint) ? { fingerprint } : {}),
    }).toJSON();
  } catch {
    return undefined;
  }
};

const preKey = (value: unknown): unknown => {
  const { private: privateKey, public: publicKey } = recordOf(value);
  const pair = pairOf(privateKey);
  return pair && publicKeyIn(publicKey)?.equals(pair.public) === true ? pair : undefined;
};

const token = (value: unknown): unknown => {
  const { token: given, timestamp, senderTimestamp } = recordOf(value);
  const bytes = bytesIn(given);
  if (!bytes) return undefined;
  return {
    token: bytes,
    ...(typeof timestamp === "string" || typeof timestamp === "number" ? { timestamp: String(timestamp) } : {}),
    ...(typeof senderTimestamp === "number" ? { senderTimestamp } : {}),
  };
};

const devices = (value: unknown): unknown =>
  Array.isArray(value) && value.length <= 200 && value.every((one) => /^\d{1,3}$/.test(String(one)))
    ? value.map(String)
    : undefined;

/** TABLE: the readers for the values of each kind; undefined for an invalid value. */
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  "pre-key": preKey,
  session: (value) => (isSession(value) ? value : undefined),
  "sender-key": (value) => bytesIn(value),
  "app-state-sync-key": appStateKey,
  "lid-mapping": (value) => (/^\d{1,20}$/.test(textIn(value, 20) ?? "") ? value : undefined),
  "device-list": devices,
  "identity-key": (value) => bytesIn(value),
  tctoken: token,
};

/**
 * Sessions of numbers whose LID is known move to the address of the LID, where they are looked for; a session that is
 * already there stays.
 */
const underLids = (rows: readonly KeyRow[]): KeyRow[] => {
  const lids = new Map(rows.flatMap(({ kind, id, value }) => (kind === "lid-mapping" ? [[id, value ?? ""]] : [])));
  const taken = new Set(rows.flatMap(({ kind, id }) => (kind === "session" ? [id] : [])));
  return rows.flatMap((row) => {
    const [, user = "", domain = ""] = (row.kind === "session" && /^(\d+)(_128)?\./.exec(row.id)) || [];
    const lid = lids.get(user);
    if (lid === undefined) return [row];
    const to = underLid(row.id, String(JSON.parse(lid)));
    return taken.has(to) || (domain !== "" && domain !== "_128") ? [] : [{ ...row, id: to }];
  });
};

/** The credentials with counters above every existing pre-key: no number is given out a second time. */
export const withSafeCounters = (creds: AuthenticationCreds, rows: readonly KeyRow[]): AuthenticationCreds => {
  const highest = rows.reduce((most, { kind, id }) => (kind === "pre-key" ? Math.max(most, Number(id)) : most), 0);
  if (highest < creds.nextPreKeyId) return creds;
  return { ...creds, nextPreKeyId: highest + 1, firstUnuploadedPreKeyId: highest + 1 };
};
