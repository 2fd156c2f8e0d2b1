import { describe, expect, test } from "bun:test";
import { Curve, initAuthCreds, proto, type SignalDataSet } from "@whiskeysockets/baileys";
import { openKeys } from "../../../../plugins/session/keys/keys.ts";
import { KeyStoreLost } from "../../../../src/contract/ports/key-store.ts";
import { createLog } from "../../../../src/kernel/log.ts";
import { type KeyDisk, keyDisk } from "../../../support/session/key-disk.ts";

const host = { channelId: "channel", log: createLog("silent") };
const keysOn = ({ openKeyStore }: KeyDisk) =>
  openKeys({ ...host, vault: { read: async () => ({}), write: async () => {}, openKeyStore } });
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "none",
    (error: unknown) => error,
  );

describe("the identity", () => {
  test("is made when there is none, and the same after a restart once it was saved", async () => {
    const disk = keyDisk();
    const first = await keysOn(disk);
    expect(disk.rows.size).toBe(0);
    await first.saveCreds();
    const again = await keysOn(disk);
    expect(again.auth.creds.noiseKey).toEqual(first.auth.creds.noiseKey);
    expect(again.auth.creds.advSecretKey).toBe(first.auth.creds.advSecretKey);
    expect(Buffer.isBuffer(again.auth.creds.signedIdentityKey.private)).toBe(true);
  });

  test("that cannot be read is no reason to make another", async () => {
    const disk = keyDisk();
    await (await keysOn(disk)).saveCreds();
    const before = new Map(disk.rows);
    disk.breakReads();
    expect(await failure(keysOn(disk))).toMatchObject({ message: "the disk cannot be read" });
    expect(disk.rows).toEqual(before);
  });

  test("is paired when a phone has accepted it and its name has a device", async () => {
    const { auth, isPaired } = await keysOn(keyDisk());
    const { creds } = auth;
    expect(isPaired()).toBe(false);
    creds.me = { id: "5511900000001@s.whatsapp.net", name: "~" };
    expect(isPaired()).toBe(false);
    creds.account = {};
    expect(isPaired()).toBe(false);
    creds.me = { id: "5511900000001:12@s.whatsapp.net" };
    expect(isPaired()).toBe(true);
  });

  test("4.2 an identity that was never accepted is forgotten, an accepted identity is not", async () => {
    const { auth, dropTransaction } = await keysOn(keyDisk());
    const { creds } = auth;
    creds.me = { id: "5511900000001@s.whatsapp.net", name: "~" };
    creds.pairingCode = "ABCD1234";
    dropTransaction();
    expect(creds.me).toBeUndefined();
    expect(creds.pairingCode).toBeUndefined();
    creds.me = { id: "5511900000001:12@s.whatsapp.net" };
    creds.account = {};
    dropTransaction();
    expect(creds.me).toEqual({ id: "5511900000001:12@s.whatsapp.net" });
  });

  test("is saved in turn: the last save holds the last state, and those that waited are one", async () => {
    const disk = keyDisk({ yields: 10 });
    const keys = await keysOn(disk);
    const saves = Array.from({ length: 50 }, async (_, index) => {
      keys.auth.creds.nextPreKeyId = index + 1;
      await keys.saveCreds();
      return index;
    });
    await Promise.all(saves);
    expect((await keysOn(disk)).auth.creds.nextPreKeyId).toBe(50);
    expect(disk.writes.length).toBeLessThan(5);
  });

  test("a save that fails is reported, and the next one is made", async () => {
    const disk = keyDisk();
    const keys = await keysOn(disk);
    const failures: Error[] = [];
    keys.onFailure((error) => failures.push(error));
    disk.failNext("before", () => true);
    expect(await failure(keys.saveCreds())).toBeInstanceOf(Error);
    expect(failures).toHaveLength(1);
    await keys.saveCreds();
    expect(disk.rows.size).toBe(1);
  });

  test("a link that lost the key store saves nothing more, and learns why", async () => {
    const disk = keyDisk();
    const first = await keysOn(disk);
    const failures: Error[] = [];
    first.onFailure((error) => failures.push(error));
    const second = await keysOn(disk);
    expect(await failure(first.saveCreds())).toBeInstanceOf(KeyStoreLost);
    expect(await failure(Promise.resolve(first.auth.keys.set({ "device-list": { "1": ["0"] } })))).toBeInstanceOf(
      KeyStoreLost,
    );
    expect(failures.every((error) => error instanceof KeyStoreLost)).toBe(true);
    expect(failures).toHaveLength(2);
    expect(disk.rows.size).toBe(0);
    await second.saveCreds();
    expect(disk.rows.size).toBe(1);
  });
});

describe("the keys of a socket", () => {
  test("come back as they were given, of every type", async () => {
    const { auth } = await keysOn(keyDisk());
    const given: SignalDataSet = {
      "pre-key": { "1": Curve.generateKeyPair() },
      "sender-key": { "g@g.us::1::0": Buffer.from("[]") },
      "sender-key-memory": { "g@g.us": { "1@lid": true } },
      "app-state-sync-version": {
        regular: {
          version: 3,
          hash: Buffer.alloc(128, 7),
          indexValueMap: { "3q2+7w==": { valueMac: Buffer.from([1, 2]) } },
        },
      },
      "lid-mapping": { "5511911110001": "111", "111_reverse": "5511911110001" },
      "device-list": { "5511911110001": ["0", "12"] },
      tctoken: { "111@lid": { token: Buffer.from([9]), timestamp: "5" } },
      "identity-key": { "111_1.0": Buffer.alloc(33, 5) },
    };
    await auth.keys.set(given);
    for (const [kind, byId] of Object.entries(given))
      expect(await auth.keys.get(kind as keyof SignalDataSet, [...Object.keys(byId), "none"])).toEqual(byId as never);
    await auth.keys.set({
      "app-state-sync-key": {
        AAE: proto.Message.AppStateSyncKeyData.create({ keyData: Buffer.from([1]), timestamp: 5 }),
      },
    });
    const { AAE } = await auth.keys.get("app-state-sync-key", ["AAE"]);
    expect(AAE).toBeInstanceOf(proto.Message.AppStateSyncKeyData);
    expect(Buffer.from(AAE?.keyData ?? [])).toEqual(Buffer.from([1]));
    await auth.keys.set({ "pre-key": { "1": null } });
    expect(await auth.keys.get("pre-key", ["1"])).toEqual({});
  });

  test("never hold pre-keys before the counter that numbers them", async () => {
    const disk = keyDisk({ yields: 10 });
    const { auth, saveCreds } = await keysOn(disk);
    auth.creds.nextPreKeyId = 813;
    void saveCreds();
    await auth.keys.set({ "pre-key": { "812": Curve.generateKeyPair() } });
    expect(disk.writes.map(({ rows }) => rows?.[0]?.kind)).toEqual(["creds", "pre-key"]);
  });

  test("write no session: they only have one begin anew, wherever it lies", async () => {
    const disk = keyDisk();
    const { auth } = await keysOn(disk);
    disk.rows.set("session/111_1.2", "{}").set("lid-mapping/5511911110001", JSON.stringify("111"));
    await auth.keys.set({ session: { "5511911110001.2": Buffer.from("another") } });
    expect([...disk.rows.keys()]).toEqual(["lid-mapping/5511911110001"]);
  });

  test("are idle once everything begun is on disk", async () => {
    const disk = keyDisk({ yields: 15 });
    const keys = await keysOn(disk);
    void keys.saveCreds();
    void keys.auth.keys.set({ "device-list": { "1": ["0"] }, session: { "1.0": null } });
    await keys.idle();
    expect(disk.writes.map(({ rows }) => rows?.[0]?.kind)).toEqual(["creds", "device-list", "session"]);
  });
});

test("an identity as Baileys makes it has nothing that a row cannot hold", async () => {
  const disk = keyDisk();
  const keys = await keysOn(disk);
  await keys.saveCreds();
  const { creds } = (await keysOn(disk)).auth;
  expect(Object.keys(creds).sort()).toEqual(
    Object.entries(initAuthCreds())
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name)
      .sort(),
  );
});
