import type { AuthenticationCreds } from "@whiskeysockets/baileys";
import type { MovingApi, StoredEntry, StoredIdentity } from "../../../src/contract/abilities/moving.ts";
import type { KeyRow, KeyStore, RestoredKeyStore } from "../../../src/contract/ports/key-store.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";
import { credsRow, isPaired, readCreds } from "../keys/keys.ts";
import { mendRestored } from "../keys/restored.ts";
import { BAILEYS_KINDS, CREDS_FILE, type Found, fileNameOf, foundIn } from "./baileys.ts";
import { checkIdentity } from "./identity.ts";
import { checkKeys, withSafeCounters } from "./keys.ts";
import { movedRow } from "./mark.ts";
import { valueIn } from "./values.ts";
import { foundInWhatsmeow } from "./whatsmeow.ts";

/** TABLE: the reader of each format. */
const READERS: Readonly<Record<string, (entries: StoredIdentity["entries"]) => Found>> = {
  baileys: foundIn,
  whatsmeow: foundInWhatsmeow,
};

/** The maximum number of entries to read at a time from a key store. */
const PAGE = 500;

/** @see MovingApi.read */
export const readStored: MovingApi["read"] = async ({ format, entries }, { isLastState, at }, { random }) => {
  const found = ownValue(READERS, format)?.(entries);
  if (!found) return { ok: false, problems: [`the format ${format} is not known`], keys: {}, notes: [] };
  const keys = countsOf(found.keys);
  const checked = checkIdentity(found.creds === undefined ? undefined : valueIn(found.creds));
  if ("problems" in checked) return { ok: false, ...checked, keys, notes: [] };
  const { rows, broken } = checkKeys(found.keys);
  const creds = withSafeCounters(checked.creds, rows);
  const whole: KeyRow[] = [...rows, credsRow(creds), movedRow(at, format)];
  const kept = isLastState ? whole : await mended(whole, random);
  return {
    ok: true,
    phoneNumber: phoneNumberOf(creds),
    marks: marksOf(creds),
    rows: kept,
    keys,
    notes: notesOn(found, broken, isLastState),
  };
};

const countsOf = (keys: Found["keys"]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of keys) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

const notesOn = ({ strange, keys }: Found, broken: number, isLastState: boolean): string[] => [
  ...(strange > 0 ? [`${strange} entries are no keys and are left out`] : []),
  ...(broken > 0 ? [`${broken} keys cannot be read and are left out`] : []),
  ...(!isLastState && keys.some(({ kind }) => kind === "session")
    ? ["open chats make new keys: a contact's next message may be asked for once more, by itself"]
    : []),
];

const phoneNumberOf = ({ me }: AuthenticationCreds): string => /^\d+/.exec(me?.id ?? "")?.[0] ?? "";

/** The noise key is new for every pairing. A number with its device exists once at the network. */
const marksOf = ({ noiseKey, me }: AuthenticationCreds): string[] => [
  `noise:${sha256(noiseKey.public)}`,
  `device:${(me?.id ?? "").split("@", 1)[0]}`,
];

/** @see MovingApi.marksOf */
export const marksIn = async (keyStore: Pick<KeyStore, "read">): Promise<readonly string[]> => {
  const creds = await readCreds(keyStore);
  return creds && isPaired(creds) ? marksOf(creds) : [];
};

/** The rows as if they had come from a backup: see `mendRestored`. */
const mended = async (rows: readonly KeyRow[], random: Parameters<typeof mendRestored>[1]["random"]) => {
  const kept = new Map(rows.map((row) => [`${row.kind}/${row.id}`, row]));
  await mendRestored(keyStoreOf(kept), { random });
  return [...kept.values()];
};

const keyStoreOf = (rows: Map<string, KeyRow>): RestoredKeyStore => ({
  read: async (kind, ids) =>
    new Map(
      ids.flatMap((id) => {
        const value = rows.get(`${kind}/${id}`)?.value;
        return typeof value === "string" ? [[id, value] as const] : [];
      }),
    ),
  cachedMessage: async () => undefined,
  async write({ rows: changed = [] }) {
    for (const row of changed) {
      if (row.value === null) rows.delete(`${row.kind}/${row.id}`);
      else rows.set(`${row.kind}/${row.id}`, row);
    }
  },
  idsOf: async (kind) => [...rows.values()].flatMap((row) => (row.kind === kind ? [row.id] : [])),
});

/** @see MovingApi.entriesOf */
export const entriesIn = async (keyStore: RestoredKeyStore): Promise<StoredEntry[] | undefined> => {
  const creds = await readCreds(keyStore);
  if (!creds || !isPaired(creds)) return undefined;
  const entries: StoredEntry[] = [{ name: CREDS_FILE, text: credsRow(creds).value ?? "" }];
  for (const kind of BAILEYS_KINDS) {
    const ids = await keyStore.idsOf(kind);
    for (let from = 0; from < ids.length; from += PAGE) {
      const texts = await keyStore.read(kind, ids.slice(from, from + PAGE));
      for (const [id, text] of texts) entries.push({ name: fileNameOf(kind, id), text });
    }
  }
  return entries;
};
