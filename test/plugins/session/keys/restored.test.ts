import { expect, test } from "bun:test";
import { type AuthenticationCreds, initAuthCreds } from "@whiskeysockets/baileys";
import { mendRestored } from "../../../../plugins/session/keys/restored.ts";
import { decode, encode } from "../../../../plugins/session/keys/rows.ts";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import type { RestoredKeyStore } from "../../../../src/contract/ports/key-store.ts";
import { type KeyDisk, keyDisk } from "../../../support/session/key-disk.ts";

const restoredKeyStore = async (disk: KeyDisk): Promise<RestoredKeyStore> => ({
  ...(await disk.openKeyStore()),
  idsOf: async (kind) =>
    [...disk.rows.keys()].flatMap((key) => (key.startsWith(`${kind}/`) ? key.slice(kind.length + 1) : [])),
});

const credsOn = (disk: KeyDisk): AuthenticationCreds =>
  decode(disk.rows.get("creds/creds") ?? "") as AuthenticationCreds;

const GROUP = "120363000000000001@g.us";
const STAYS = [
  `sender-key/${GROUP}::978001_1::0`,
  `sender-key/${GROUP}::900001_1::0`,
  "pre-key/1",
  "pre-key/30",
  "lid-mapping/5511911110001",
  "app-state-sync-key/AAAA",
  "identity-key/978001_1.0",
];
const GOES = [
  "session/978001_1.0",
  `sender-key/${GROUP}::900001_1::3`,
  `sender-key/${GROUP}::5511900000001::3`,
  `sender-key-memory/${GROUP}`,
  "device-list/978001",
];

const restoredDisk = (seed: number) => {
  const disk = keyDisk({ seed });
  const creds = {
    ...initAuthCreds(),
    me: { id: "5511900000001:3@s.whatsapp.net", lid: "900001:3@lid" },
    nextPreKeyId: 31,
    firstUnuploadedPreKeyId: 31,
  };
  disk.rows.set("creds/creds", encode(creds));
  for (const key of [...STAYS, ...GOES]) disk.rows.set(key, encode({ of: key }));
  return { disk, creds };
};

test("what has moved on since goes, and what the network knows the channel by stays", async () => {
  const { disk, creds } = restoredDisk(1);
  await mendRestored(await restoredKeyStore(disk), { random: seededRandom(1) });
  expect([...disk.rows.keys()].sort()).toEqual([...STAYS, "creds/creds"].sort());
  const { nextPreKeyId: _mended, firstUnuploadedPreKeyId: _unuploaded, ...identity } = credsOn(disk);
  const { nextPreKeyId: _next, firstUnuploadedPreKeyId: _first, ...of } = creds;
  expect(encode(identity)).toBe(encode(of));
});

test("old pre-keys are not given to the network again; new ones have numbers that no restore has used", async () => {
  const numbers: number[] = [];
  for (const seed of [1, 2]) {
    const { disk } = restoredDisk(seed);
    await mendRestored(await restoredKeyStore(disk), { random: seededRandom(seed) });
    const { nextPreKeyId, firstUnuploadedPreKeyId } = credsOn(disk);
    expect(firstUnuploadedPreKeyId).toBe(nextPreKeyId);
    // by which Baileys sees that it has to give new ones
    expect(disk.rows.has(`pre-key/${nextPreKeyId - 1}`)).toBe(false);
    expect(nextPreKeyId).toBeWithin(2 ** 20, 2 ** 23);
    numbers.push(nextPreKeyId);
  }
  expect(new Set(numbers).size).toBe(2);
});

test("a key store without an identity stays as it is", async () => {
  const disk = keyDisk();
  await mendRestored(await restoredKeyStore(disk), { random: seededRandom(1) });
  expect([...disk.rows]).toEqual([]);
});
