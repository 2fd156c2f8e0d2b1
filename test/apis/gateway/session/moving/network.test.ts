import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { StoredEntry } from "../../../../../src/contract/abilities/moving.ts";
import { packEntries, unpackEntries } from "../../../../../src/core/channels/moving/move-archive.ts";
import { recordedBy } from "../../../../support/apis/audit.ts";
import { rowsOf } from "../../../../support/customers/customer.ts";
import type { Receiver } from "../../../../support/servers/receiver.ts";
import { baileysFiles, stopped, talkingClient, whatsmeowTables } from "../../../../support/session/moved.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { type Client, connect, type Identity } from "../../../../support/whatsapp/baileys.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../../support/whatsapp/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

setDefaultTimeout(60_000);
let net: WhatsApp;
let w: World;
let key: string;
let accountId: string;
let hook: Receiver;
let owner: Phone;
let ana: Contact;
let numbers = 10;
beforeAll(async () => {
  net = await startWhatsApp();
  const network = { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root };
  w = await startWorld({ env: { ...network, RECADO_GATEWAY_RATE: "1000000" }, logLevel: "debug" });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  ({ id: accountId, key } = await w.account());
  hook = w.receiver();
  numbers += 1;
  owner = net.phone(`55119000000${numbers}`);
  ana = net.contact({ pn: `55119111100${numbers}`, name: "Ana" });
});

afterEach(async () => {
  // a connected phone writes its keys at any time, and the next test may compare all rows
  for (const { id } of (await w.gateway("/v1/phones", { key })).body)
    expect((await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" })).status).toBe(204);
  await w.settle();
  expect(net.stat.unhandled).toEqual([]);
  const logs = w.logs.join("");
  for (const secret of ["privKey", "rootKey", "noiseKey", "advSecretKey", "chainKey"])
    expect(logs).not.toContain(secret);
});

const runningClient = (): Promise<Client> => talkingClient(net, `${owner.pn}`, ana);
const oldIdentity = async (): Promise<Identity> => stopped(await runningClient());

const bodyOf = async (entries: readonly StoredEntry[], more: object = {}) => ({
  accountId,
  format: "baileys",
  session: await packEntries(entries),
  oldServerStopped: true,
  webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  ...more,
});
const importing = async (entries: readonly StoredEntry[], more: object = {}) =>
  w.gateway("/v1/admin/imports", { admin: true, body: await bodyOf(entries, more) });

const send = async (id: string, text: string) => {
  const body = { phoneId: id, to: ana.pn, type: "text", content: { text } };
  expect((await w.gateway("/v1/messages", { key, body })).status).toBe(202);
  await w.settle();
  await ana.until((one) => one.text === text);
};
const receivedText = async (text: string) => {
  for (let seen = 1; ; seen++) if ((await hook.received(seen))[seen - 1]?.body.data?.content?.text === text) return;
};
/** Both directions, in the old chat and for somebody new. */
const works = async (id: string) => {
  await untilStatus(w, id, "CONNECTED");
  await ana.say("after the move", { to: owner });
  await receivedText("after the move");
  await send(id, "from the new server");
  const bia = net.contact({ pn: `55119222200${numbers}` });
  await bia.say("hello", { to: owner });
  await receivedText("hello");
};

test.each([["of any time"], ["that is the last state"]])(
  "W26-7 a Baileys folder %s opens without a QR code; the old contact is read, and is written to",
  async (which) => {
    const identity = await oldIdentity();
    const { id, phoneNumber, keys, problems } = made(
      await importing(baileysFiles(identity), { isLastState: which !== "of any time" }),
      201,
    );
    expect([phoneNumber, problems]).toEqual([owner.pn, []]);
    expect(keys).toMatchObject({ session: expect.any(Number), "pre-key": expect.any(Number) });
    await works(id);
    expect(owner.devices.length).toBe(1);
    const repeats = w.logs.filter((line) => line.includes(id) && line.includes("PENDING_QR"));
    expect(repeats).toEqual([]);
  },
);

/** Every row, once the phones of earlier tests are connected and have written what they had under way. */
const restingRows = async (): Promise<string[]> => {
  let [rows, same]: [string[], number] = [[], 0];
  await untilTrue(async () => {
    const before = rows;
    rows = await everyRow(w);
    const connecting = await rowsOf(w, "SELECT id FROM channels WHERE state = 'CONNECTING'");
    same = connecting.length === 0 && Bun.deepEquals(before, rows) ? same + 1 : 0;
    return same === 20;
  });
  return rows;
};

test("W26-7 the tables of whatsmeow open without a QR code; chats begin anew by themselves", async () => {
  const identity = await oldIdentity();
  const { id } = made(await importing(whatsmeowTables(identity), { format: "whatsmeow" }), 201);
  await works(id);
});

test("W26-7 what waited while nobody was connected arrives", async () => {
  const identity = await oldIdentity();
  await ana.say("while away", { to: owner });
  const { id } = made(await importing(baileysFiles(identity)), 201);
  await untilStatus(w, id, "CONNECTED");
  await receivedText("while away");
});

const changed = (identity: Identity, change: (creds: any) => void): StoredEntry[] => {
  const creds = structuredClone(JSON.parse(baileysFiles(identity)[0]?.text ?? ""));
  change(creds);
  return [{ name: "creds.json", text: JSON.stringify(creds) }, ...baileysFiles(identity).slice(1)];
};
const flipped = (base64: string): string => {
  const bytes = Buffer.from(base64, "base64");
  bytes[7] = (bytes[7] ?? 0) ^ 1;
  return bytes.toString("base64");
};

test("W26-7 a broken signature, a missing account, a foreign public key and an unpaired session are refused: nothing is stored", async () => {
  const identity = await oldIdentity();
  const before = await restingRows();
  const refused = async (change: (creds: any) => void, problem: string) => {
    const entries = changed(identity, change);
    const inspected = await w.gateway("/v1/admin/imports/inspect", {
      admin: true,
      body: { format: "baileys", session: await packEntries(entries) },
    });
    expect([inspected.status, inspected.body.problems.join()]).toEqual([200, expect.stringContaining(problem)]);
    const { status, body, text } = await importing(entries);
    expect([status, JSON.stringify(body.error.details)]).toEqual([400, expect.stringContaining(problem)]);
    expect(text).not.toContain(Buffer.from(identity.creds.noiseKey.private).toString("base64"));
  };
  const flip = (holder: any, name: string) => {
    const { data } = holder[name];
    if (data === undefined) holder[name] = flipped(holder[name]);
    else holder[name].data = flipped(data);
  };
  await refused((creds) => flip(creds.account, "accountSignature"), "signature of the account");
  await refused((creds) => flip(creds.account, "deviceSignature"), "signature of the device");
  await refused((creds) => flip(creds.signedPreKey, "signature"), "signature of signedPreKey");
  await refused((creds) => flip(creds.noiseKey, "public"), "noiseKey: the public key");
  await refused((creds) => flip(creds.signedIdentityKey, "private"), "signedIdentityKey: the public key");
  await refused((creds) => void delete creds.account, "account is missing");
  await refused((creds) => void (creds.me.id = `${owner.pn}@s.whatsapp.net`), "never paired");
  await refused((creds) => void delete creds.advSecretKey, "advSecretKey");
  expect(await everyRow(w)).toEqual(before);
});

test("W26-7 a look changes nothing, and says what is there", async () => {
  const identity = await oldIdentity();
  const before = await restingRows();
  const { status, body } = await w.gateway("/v1/admin/imports/inspect", {
    admin: true,
    body: { format: "baileys", session: await packEntries(baileysFiles(identity)) },
  });
  expect([status, body.phoneNumber, body.problems]).toEqual([200, owner.pn, []]);
  expect(body.keys["pre-key"]).toBeGreaterThan(0);
  expect(await everyRow(w)).toEqual(before);
});

test("W26-7 a session that is here already is refused, for another account too, and after an export: nothing is stored", async () => {
  const files = baileysFiles(await oldIdentity());
  const { id } = made(await importing(files), 201);
  await untilStatus(w, id, "CONNECTED");
  const other = await w.account();
  const refuse = async () => {
    const before = await restingRows();
    for (const account of [accountId, other.id]) {
      const { status, text } = await importing(files, { accountId: account });
      expect([status, text]).toEqual([400, expect.stringContaining("has this session already")]);
    }
    expect(await everyRow(w)).toEqual(before);
  };
  await refuse();
  made(await w.gateway("/v1/admin/exports", { admin: true, body: { phone: id, stop: true } }), 200);
  await refuse();
});

test("W26-7 of two imports of one session at once, one is refused", async () => {
  const files = baileysFiles(await oldIdentity());
  const statuses = (await Promise.all([importing(files), importing(files)])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400 || status === 409)).toHaveLength(1);
});

test("W26-7 an old server that still runs is noticed when it comes back: the phone is paused with the reason, until its owner takes over", async () => {
  const client = await runningClient();
  const { id } = made(await importing(baileysFiles(client.identity)), 201);
  await client.closed(); // it was replaced; such servers connect again
  await untilStatus(w, id, "CONNECTED");
  const old = connect(net, client.identity);
  await old.opened();
  await untilStatus(w, id, "DISCONNECTED");
  const { body } = await w.gateway(`/v1/phones/${id}`, { key });
  expect(body.stateReason).toBe("OLD_SERVER_RUNS");
  const logins = net.stat.logins;
  w.clock.advance(3_600_000);
  await w.settle();
  expect(net.stat.logins).toBe(logins);
  await stopped(old);
  expect((await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" })).status).toBe(202);
  await untilStatus(w, id, "CONNECTED");
});

test("W26-7 an exported session opens elsewhere, is a Baileys folder, and is paused here, also over a restart", async () => {
  const { id } = made(await importing(baileysFiles(await oldIdentity())), 201);
  await works(id);
  const taking = (more: object = {}) =>
    w.gateway("/v1/admin/exports", { admin: true, body: { phone: `+${owner.pn}`, ...more } });
  const before = await restingRows();
  expect(await taking()).toMatchObject({ status: 409, body: { error: { code: "ALREADY_CONNECTED" } } });
  expect(await everyRow(w)).toEqual(before);
  expect((await taking({ phone: "5511000000000" })).status).toBe(404);

  const { format, session } = made(await taking({ stop: true }), 200);
  const { body } = await w.gateway(`/v1/phones/${id}`, { key });
  expect([format, body.status, body.stateReason]).toEqual(["baileys", "DISCONNECTED", "EXPORTED"]);
  const logged = w.logs.length;
  await w.restart();
  await w.advance(600_000);
  // other phones of this server connect again
  expect(w.logs.slice(logged).filter((line) => line.includes(id) && line.includes('"state":"CONNECT'))).toEqual([]);
  expect((await w.gateway(`/v1/phones/${id}`, { key })).body).toMatchObject({ stateReason: "EXPORTED" });

  const entries = await unpackEntries(session);
  expect(entries.map(({ name }) => name)).toContain("creds.json");
  expect(entries.every(({ name }) => /^[\w.@+=-]+\.json$/.test(name))).toBe(true);
  const network = { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root };
  const elsewhere = await startWorld({ env: network });
  try {
    const account = await elsewhere.account();
    const moved = made(
      await elsewhere.gateway("/v1/admin/imports", {
        admin: true,
        body: { accountId: account.id, format, session, oldServerStopped: true, isLastState: true },
      }),
      201,
    );
    await untilStatus(elsewhere, moved.id, "CONNECTED");
    await elsewhere.gateway("/v1/messages", {
      key: account.key,
      body: { phoneId: moved.id, to: ana.pn, type: "text", content: { text: "from elsewhere" } },
    });
    await elsewhere.settle();
    await ana.until(({ text }) => text === "from elsewhere");
  } finally {
    await elsewhere.stop();
  }
  expect((await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" })).status).toBe(202);
  await untilStatus(w, id, "CONNECTED");
});

test("W26-7 a restricted phone is connected: without stop it is not exported", async () => {
  const { id } = made(await importing(baileysFiles(await oldIdentity())), 201);
  await untilStatus(w, id, "CONNECTED");
  owner.restrict({ until: 4_000_000_000 });
  await untilStatus(w, id, "RESTRICTED");
  const taken = await w.gateway("/v1/admin/exports", { admin: true, body: { phone: id } });
  expect(taken).toMatchObject({ status: 409, body: { error: { code: "ALREADY_CONNECTED" } } });
  await untilStatus(w, id, "RESTRICTED");
});

test("a phone that is not paired, and one of a kind without sessions, is refused for export: nothing changes", async () => {
  const { id } = made(await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "New" } }), 201);
  const waba = await w.wabaPhone(key);
  const before = await restingRows();
  for (const phone of [id, waba.id]) {
    const { status, body } = await w.gateway("/v1/admin/exports", { admin: true, body: { phone, stop: true } });
    expect([status, body.error.code]).toEqual([400, "UNSUPPORTED_TYPE"]);
  }
  expect(await everyRow(w)).toEqual(before);
});

test("imports and exports are recorded in the audit log, without keys", async () => {
  const files = baileysFiles(await oldIdentity());
  const entries = await recordedBy(w, async () => {
    const { id } = made(await importing(files), 201);
    await untilStatus(w, id, "CONNECTED");
    made(await w.gateway("/v1/admin/exports", { admin: true, body: { phone: id, stop: true } }), 200);
  });
  expect(entries.map(({ action, tenantId, details }) => [action, tenantId, details["kind"]])).toEqual([
    ["channel.move-in", accountId, "SESSION"],
    ["channel.move-out", accountId, "SESSION"],
  ]);
});

test("an archive that is no archive, unpacks to too much, or says nothing of the old server is refused; an unknown account too", async () => {
  const before = await restingRows();
  const bomb = Buffer.from(Bun.gzipSync(Buffer.alloc(70 * 1024 * 1024, "a"))).toString("base64");
  const lines = Buffer.from(Bun.gzipSync(Buffer.from('{"name":1}\n'))).toString("base64");
  for (const session of ["not base64!", "AAAA", bomb, lines])
    expect((await importing([], { session })).status).toBe(400);
  expect((await importing([], { oldServerStopped: undefined })).status).toBe(400);
  expect((await importing([], { format: "signal" })).status).toBe(400);
  expect((await importing([], { accountId: "nobody" })).status).toBe(404);
  expect(await everyRow(w)).toEqual(before);
});
