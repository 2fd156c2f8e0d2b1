import { expect, test } from "bun:test";
import { decode } from "../../../plugins/session/keys/rows.ts";
import { entriesIn, marksIn, readStored } from "../../../plugins/session/moving/moving.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { ReadIdentity, StoredEntry } from "../../../src/contract/abilities/moving.ts";
import type { KeyRow, RestoredKeyStore } from "../../../src/contract/ports/key-store.ts";
import { acceptedIdentity, baileysFiles, evolutionCreds, evolutionHash } from "../../support/session/moved.ts";

const identity = acceptedIdentity();
const read = (entries: readonly StoredEntry[], isLastState = true): Promise<ReadIdentity> =>
  readStored({ format: "baileys", entries }, { isLastState, at: 1 }, { random: seededRandom(1) });
/** Each identity gets a new key for pairing, which it never uses again. */
const withoutEphemeral = (text: string): string => text.replace(/"pairingEphemeralKeyPair":\{.*?\}\},/, "");
const rowsOf = (found: ReadIdentity): Map<string, string> => {
  if (!found.ok) throw new Error(found.problems.join());
  return new Map(found.rows.map(({ kind, id, value }) => [`${kind}/${id}`, withoutEphemeral(value ?? "")]));
};
const storeOf = (rows: readonly KeyRow[]): RestoredKeyStore => ({
  read: async (kind, ids) =>
    new Map(rows.flatMap((row) => (row.kind === kind && ids.includes(row.id) ? [[row.id, row.value ?? ""]] : []))),
  idsOf: async (kind) => rows.filter((row) => row.kind === kind).map(({ id }) => id),
  cachedMessage: async () => undefined,
  write: async () => {},
});

const GROUP = "120363000000000001@g.us";
/** What a last state has in the end: a session of a number lies at its LID, where one was there already. */
const KEPT = [
  "app-state-sync-key/AAAA/+B=",
  "creds/creds",
  "device-list/978001",
  "identity-key/978001_1.0",
  "lid-mapping/5511911110001",
  "lid-mapping/978001_reverse",
  "moved/in",
  "pre-key/1",
  "pre-key/40",
  `sender-key/${GROUP}::978001_1::0`,
  "sender-key/5511-1600@g.us::5511911110001::12",
  "session/5511911110002.7",
  "session/978001_1.0",
  "tctoken/978001@lid",
  "tctoken/__index",
].sort();

test("W26-7 names of files give back every id; a last state keeps all but what is made anew", async () => {
  const found = await read(baileysFiles(identity));
  expect([...rowsOf(found).keys()].sort()).toEqual(KEPT);
  expect(found.notes).toEqual([]);
  const fields = Object.entries(evolutionHash(identity)).map(([name, text]) => ({ name, text }));
  const ofHash = await read([...fields, { name: "creds", text: evolutionCreds(identity) }]);
  expect([...rowsOf(ofHash).keys()].sort()).toEqual(KEPT);
});

test("W26-7 any other state loses what may be spent: sessions, devices, and the numbers of pre-keys", async () => {
  const rows = rowsOf(await read(baileysFiles(identity), false));
  expect([...rows.keys()].filter((key) => /^(session|device-list)\//.test(key))).toEqual([]);
  const { nextPreKeyId, firstUnuploadedPreKeyId } = decode(rows.get("creds/creds") ?? "") as typeof identity.creds;
  expect(nextPreKeyId).toBeGreaterThan(2 ** 20);
  expect(firstUnuploadedPreKeyId).toBe(nextPreKeyId);
});

test("W26-7 a pre-key above the counter moves both counters above it", async () => {
  const creds = decode(rowsOf(await read(baileysFiles(identity))).get("creds/creds") ?? "") as typeof identity.creds;
  expect([creds.nextPreKeyId, creds.firstUnuploadedPreKeyId]).toEqual([41, 41]);
});

test("W26-7 what is exported is read again as the same identity with the same keys", async () => {
  const found = await read(baileysFiles(identity));
  if (!found.ok) throw new Error("refused");
  const entries = (await entriesIn(storeOf(found.rows))) ?? [];
  const again = await read(entries);
  expect(Object.fromEntries(rowsOf(again))).toEqual(Object.fromEntries(rowsOf(found)));
  expect(await marksIn(storeOf(found.rows))).toEqual(found.marks);
  expect(entries.map(({ name }) => name)).not.toContain("moved-in.json");
  expect(await entriesIn(storeOf([]))).toBeUndefined();
});

test("W26-7 bytes are read in every form in which Baileys has written them", async () => {
  const [creds, ...keys] = baileysFiles(identity);
  const bytesOf = (text: string) => [...Buffer.from(text, "base64")];
  const rewritten = (form: (bytes: number[]) => unknown): StoredEntry => ({
    name: "creds.json",
    text: JSON.stringify(
      JSON.parse(creds?.text ?? "", (_, value) => (value?.type === "Buffer" ? form(bytesOf(value.data)) : value)),
    ),
  });
  const first = await read([...(creds ? [creds] : []), ...keys]);
  for (const form of [
    (bytes: number[]) => bytes,
    (bytes: number[]) => Object.fromEntries(bytes.entries()),
    (bytes: number[]) => ({ type: "Buffer", data: bytes }),
    (bytes: number[]) => Buffer.from(bytes).toString("base64"),
  ])
    expect([...rowsOf(await read([rewritten(form), ...keys]))]).toEqual([...rowsOf(first)]);
});

test("keys that are broken, hostile or unknown are left out and counted; the identity still comes", async () => {
  const hostile: StoredEntry[] = [
    { name: "pre-key-2.json", text: '{"public":"AAAA","private":"AAAA"}' },
    { name: "session-978002_1.0.json", text: `${'{"a":'.repeat(100_000)}1` },
    { name: "session-978003_1.0.json", text: '{"version":"v2","_sessions":{}}' },
    { name: "app-state-sync-key-BBBB.json", text: '{"keyData":{"type":"Buffer","data":{"length":1e9}}}' },
    { name: "lid-mapping-5511.json", text: '"../../etc/passwd"' },
    { name: "device-list-1.json", text: JSON.stringify(Array(1000).fill("1")) },
    { name: "session-../../etc/passwd.json", text: "{}" },
    { name: "__proto__.json", text: "{}" },
    { name: "constructor-1.json", text: "{}" },
    { name: "pre-key-99999999999.json", text: "{}" },
  ];
  const found = await read([...baileysFiles(identity), ...hostile]);
  expect([...rowsOf(found).keys()].sort()).toEqual(KEPT);
  expect(found.notes).toEqual(["4 entries are no keys and are left out", "6 keys cannot be read and are left out"]);
});

test("credentials of any shape are refused with problems, and never throw", async () => {
  const texts = [
    "",
    "null",
    "[]",
    '"{}"',
    "{",
    `${"[".repeat(1e6)}`,
    '{"noiseKey":5,"me":[],"account":"x","signedPreKey":null}',
  ];
  for (const text of texts) {
    const found = await read([{ name: "creds.json", text }]);
    expect(found.ok).toBe(false);
  }
  expect(await read([])).toMatchObject({ ok: false, problems: ["the credentials are missing, or are no JSON object"] });
  const whole = JSON.parse(baileysFiles(identity)[0]?.text ?? "") as Record<string, unknown>;
  for (const name of [
    "noiseKey",
    "signedIdentityKey",
    "signedPreKey",
    "registrationId",
    "advSecretKey",
    "account",
    "me",
  ])
    for (const value of [null, 1, "x", [], {}, { public: 1, private: [] }, "A".repeat(1000)]) {
      const found = await read([{ name: "creds.json", text: JSON.stringify({ ...whole, [name]: value }) }]);
      if (name === "registrationId" && value === 1) continue;
      expect([name, value, found.ok]).toEqual([name, value, false]);
    }
});
