import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HistoryRow } from "../../../../../src/contract/abilities/moving.ts";
import { packEntries } from "../../../../../src/core/channels/moving/move-archive.ts";
import { moveIn } from "../../../../../src/core/channels/moving/move-in.ts";
import { LOCAL } from "../../../../../src/core/tenancy/audit/audit.ts";
import { SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { recordedBy } from "../../../../support/apis/audit.ts";
import { rowsOf } from "../../../../support/customers/customer.ts";
import {
  evolutionHistory,
  historyRows,
  personNumber,
  ROTATION,
  TAKEN_OF_ROTATION,
} from "../../../../support/session/evolution-history.ts";
import { acceptedIdentity, baileysFiles } from "../../../../support/session/moved.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { startWorld, type World } from "../../../../support/world.ts";

setDefaultTimeout(60_000);
let w: World;
let accountId: string;
let key: string;
let phone: string;
let numbers = 0;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "1000000" } });
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ id: accountId, key } = await w.account());
  phone = await pausedPhone(accountId);
});

/** A phone of a session that has moved in, and that nothing connects. */
const pausedPhone = async (owner: string): Promise<string> => {
  numbers += 1;
  const stored = { format: "baileys", entries: baileysFiles(acceptedIdentity(`5511900000${100 + numbers}`)) };
  return (await moveIn(w.app.env, LOCAL, { accountId: owner }, { stored, isLastState: true })).channel.id;
};

const seconds = (): number => Math.floor(w.clock.now() / SECOND_MS);
/** Two rotations of messages, of four people. */
const small = () => evolutionHistory("instance", { messages: 2 * ROTATION, people: 4, until: seconds() - 3600 });

const packed = (rows: readonly HistoryRow[]): Promise<string> =>
  packEntries(rows.map(({ kind, text }) => ({ name: kind, text })));
const message = (row: object): HistoryRow => ({ kind: "message", text: JSON.stringify(row) });
const post = (path: string, body: object) => w.gateway(`/v1/admin/imports/history${path}`, { admin: true, body });

type More = { run?: string; source?: string; phone?: string; accountId?: string; format?: string };
const home = (more: More = {}) => ({
  accountId,
  phone,
  format: "evolution",
  source: "a-hash-of-the-source",
  run: "first",
  ...more,
});
const begin = async (more?: More): Promise<string> => made(await post("", home(more)), 200).cursor;
const take = async (rows: readonly HistoryRow[], part: object = {}, more?: More) =>
  post("/rows", { ...home(more), from: "", to: "end", isLast: true, rows: await packed(rows), ...part });
/** Imports all rows at once. */
const imported = async (rows: readonly HistoryRow[], more?: More) => {
  await begin(more);
  return made(await take(rows, {}, more), 200);
};
const undo = (of = accountId) => post("/undo", { accountId: of });

const messagesHere = async (): Promise<any[]> => (await w.gateway("/v1/messages?limit=100", { key })).body.items;
const chatsHere = async (): Promise<any[]> => (await w.gateway("/v1/chats?limit=100", { key })).body.items;
const contactsHere = async (): Promise<any[]> => (await w.gateway("/v1/contacts?limit=100", { key })).body.items;

/** What an undo leaves: the records of the acts and counts of nothing, and nothing of the import. */
const rest = (rows: readonly string[]): string[] =>
  rows.filter((row) => !/^audit_entries|^tenant_counts .*"n":0\}$/.test(row)).toSorted();

const LEFT_OUT = {
  "a reaction, an edit, a vote or another act on a message": 2,
  "a message of a group": 2,
  "a message that was deleted": 2,
  "a message that cannot be read": 2,
  "a group": 1,
  "a contact without a number": 1,
};

describe("the history of another program", () => {
  test("W26-7 messages come with their times, directions and types, people with their names; what cannot come is counted by reason", async () => {
    const history = small();
    const counts = await imported(historyRows(history));
    expect(counts).toEqual({ messages: 2 * TAKEN_OF_ROTATION, contacts: 6, known: 0, leftOut: LEFT_OUT });
    const here = await messagesHere();
    expect(here).toHaveLength(2 * TAKEN_OF_ROTATION);
    const taken = history.messages.filter(
      ({ message: said, messageType, key: of, status }: any) =>
        ["conversation", "imageMessage", "documentMessage", "locationMessage"].includes(messageType) &&
        status !== "DELETED" &&
        !of.remoteJid.endsWith("@g.us") &&
        typeof said.imageMessage !== "string",
    );
    const newestFirst = taken.toReversed();
    expect(here.map(({ direction }) => direction)).toEqual(
      newestFirst.map(({ key: of }: any) => (of.fromMe ? "outbound" : "inbound")),
    );
    expect(here.map(({ createdAt }) => Date.parse(createdAt) / SECOND_MS)).toEqual(
      newestFirst.map(({ messageTimestamp }: any) => messageTimestamp),
    );
    expect(new Set(here.map(({ type }) => type))).toEqual(new Set(["text", "image", "document", "location"]));
    expect(here.find(({ type }) => type === "image").content.caption).toMatch(/^foto \d+$/);
    expect(here.find(({ content }) => content.text === "resposta 15").quotedMessageId).toEqual(
      here.findLast(({ content }) => content.name === "Loja").id,
    );
    const names = (await contactsHere()).map(({ name }) => name);
    expect(names).toContain("Nunca escreveu");
    expect(names).toContain("Da agenda");
    expect(names).not.toContain("Você");
  });

  test("W26-7 nothing is published, nothing is unread, and nobody is answered", async () => {
    const hook = w.receiver();
    made(
      await w.gateway("/v1/webhooks", {
        key,
        body: { label: "all", url: hook.url, secret: "the-secret-of-a-webhook" },
      }),
      201,
    );
    await imported(historyRows(small()));
    await w.settle();
    expect(hook.arrived).toEqual([]);
    expect(await rowsOf(w, "SELECT * FROM events WHERE channel_id = ?", [phone])).toEqual([]);
    const unread = await rowsOf(w, "SELECT status, unread_count FROM conversations WHERE channel_id = ?", [phone]);
    expect(new Set(unread.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ status: "CLOSED", unread_count: 0 })]),
    );
  });

  test("W26-7 a second import adds nothing, and what it finds is known", async () => {
    const rows = historyRows(small());
    await imported(rows);
    const before = rest(await everyRow(w));
    const again = await imported(rows, { run: "second" });
    expect(again).toMatchObject({ messages: 0, contacts: 0, known: 2 * TAKEN_OF_ROTATION + 6 });
    const changed = rest(await everyRow(w)).filter((row) => !before.includes(row));
    expect(changed.every((row) => row.startsWith("history_imports "))).toBe(true);
  });

  test("W26-7 a look changes nothing, and says the same as the import that follows it", async () => {
    const rows = await packed(historyRows(small()));
    const before = await everyRow(w);
    const looked = made(await post("/inspect", { format: "evolution", rows }), 200);
    const named = made(await post("/inspect", { format: "evolution", rows, accountId, phone }), 200);
    expect(await everyRow(w)).toEqual(before);
    expect(named).toEqual(looked);
    expect(looked).toEqual(await imported(historyRows(small())));
    const known = made(await post("/inspect", { format: "evolution", rows, accountId, phone }), 200);
    const again = await imported(historyRows(small()), { run: "second" });
    expect(known).toMatchObject({ messages: 0, contacts: 0, known: 2 * TAKEN_OF_ROTATION + 6 });
    expect(known).toEqual(again);
  });

  test("W26-7 an interrupted import goes on after the last part, and takes no part twice or out of turn", async () => {
    const rows = historyRows(small());
    const [first, second] = [rows.slice(0, 20), rows.slice(20)];
    expect(await begin()).toBe("");
    expect((await take(first, { to: "20", isLast: false })).status).toBe(200);
    expect(await begin({ run: "later" })).toBe("20");
    const before = await everyRow(w);
    expect((await take(second, { from: "" }, { run: "later" })).status).toBe(400);
    expect((await take(second, { from: "20" }, { run: "first" })).status).toBe(400);
    expect((await take(second, { from: "20" }, { run: "later", source: "another" })).status).toBe(400);
    expect(await everyRow(w)).toEqual(before);
    expect((await take(second, { from: "20" }, { run: "later" })).status).toBe(200);
    expect(await messagesHere()).toHaveLength(2 * TAKEN_OF_ROTATION);
    expect((await take(second, { from: "end" }, { run: "later" })).status).toBe(400);
  });
});

describe("an undo", () => {
  test("W26-7 removes exactly what the last import has added, and a second one is refused", async () => {
    const before = rest(await everyRow(w));
    const acts = await recordedBy(w, async () => {
      await imported(historyRows(small()));
      expect(await messagesHere()).toHaveLength(2 * TAKEN_OF_ROTATION);
      const undone = made(await undo(), 200);
      expect(undone).toMatchObject({ messages: 2 * TAKEN_OF_ROTATION, contacts: 6, conversations: 4, isDone: true });
    });
    expect(acts.map(({ action, target }) => [action, target])).toEqual([
      ["channel.import-history", phone],
      ["channel.undo-import", phone],
    ]);
    expect(rest(await everyRow(w))).toEqual(before);
    const after = await everyRow(w);
    expect((await undo()).status).toBe(400);
    expect(await everyRow(w)).toEqual(after);
  });

  test("W26-7 leaves contacts that people have changed since, and what was here before", async () => {
    const old = personNumber(0);
    const mine = { phoneNumber: old, name: "Minha cliente" };
    const { id } = made(await w.gateway("/v1/contacts", { key, body: mine }), 201);
    await imported(historyRows(small()));
    await w.advance(SECOND_MS);
    const other = (await contactsHere()).find(({ phoneNumber }) => phoneNumber.endsWith(personNumber(1)));
    made(await w.gateway(`/v1/contacts/${other.id}`, { key, method: "PATCH", body: { name: "Nome novo" } }), 200);
    expect(made(await undo(), 200)).toMatchObject({ messages: 2 * TAKEN_OF_ROTATION, contacts: 4 });
    const left = await contactsHere();
    expect(new Map(left.map(({ id: one, name }) => [one, name]))).toEqual(
      new Map([
        [id, "Minha cliente"],
        [other.id, "Nome novo"],
      ]),
    );
    expect(await chatsHere()).toEqual([]);
  });

  const renamed = async (index: number): Promise<void> => {
    await w.advance(SECOND_MS);
    const other = (await contactsHere()).find(({ phoneNumber }) => phoneNumber.endsWith(personNumber(index)));
    made(await w.gateway(`/v1/contacts/${other.id}`, { key, method: "PATCH", body: { name: "Nome novo" } }), 200);
    await w.advance(SECOND_MS);
  };
  const namesHere = async (): Promise<(string | null)[]> => (await contactsHere()).map(({ name }) => name);
  /** A message of a person whose name it does not say. */
  const nameless = (index: number) =>
    message({
      key: { id: "3EB0BBBB", remoteJid: `${personNumber(index)}@s.whatsapp.net`, fromMe: false },
      message: { conversation: "quem é?" },
      messageTimestamp: seconds() - 7200,
    });

  test("W26-7 leaves a contact that somebody has changed, also if the import goes on or is repeated afterwards", async () => {
    const rows = historyRows(small());
    await begin();
    made(await take(rows.slice(0, 20), { to: "20", isLast: false }), 200);
    await renamed(1);
    made(await take(rows.slice(20), { from: "20" }), 200);
    await renamed(2);
    await imported(rows, { run: "second" });
    expect(made(await undo(), 200)).toMatchObject({ messages: 2 * TAKEN_OF_ROTATION, contacts: 4 });
    expect(await namesHere()).toEqual(["Nome novo", "Nome novo"]);
  });

  test("W26-7 leaves a name that somebody has changed after the import has given it, also after a repeat", async () => {
    await imported([nameless(1)], { source: "another" });
    expect(await namesHere()).toEqual([null]);
    await imported(historyRows(small()));
    await renamed(1);
    await imported(historyRows(small()), { run: "second" });
    made(await undo(), 200);
    expect(await namesHere()).toEqual(["Nome novo"]);
  });

  test("W26-7 removes a contact that came without a name, and got one from a later part", async () => {
    const before = rest(await everyRow(w));
    const rows = historyRows(small());
    await begin();
    made(await take([nameless(1)], { to: "1", isLast: false }), 200);
    expect(await namesHere()).toEqual([null]);
    await w.advance(SECOND_MS);
    made(await take(rows, { from: "1" }), 200);
    made(await undo(), 200);
    expect(rest(await everyRow(w))).toEqual(before);
  });

  test("W26-7 takes back the import before, until another one has added something", async () => {
    const before = rest(await everyRow(w));
    const rows = historyRows(small());
    await imported(rows);
    await imported([], { run: "second", source: "another" });
    expect(made(await undo(), 200)).toMatchObject({ messages: 2 * TAKEN_OF_ROTATION, isDone: true });
    expect(rest(await everyRow(w))).toEqual(before);

    await imported(rows, { run: "third" });
    const besides = async () => rest(await everyRow(w)).filter((row) => !row.startsWith("history_import"));
    const kept = await besides();
    await imported([...rows, nameless(1)], { run: "fourth", source: "another" });
    expect(made(await undo(), 200)).toMatchObject({ messages: 1, contacts: 0, isDone: true });
    expect(await besides()).toEqual(kept);
    expect(await rowsOf(w, "SELECT * FROM history_import_items WHERE channel_id = ?", [phone])).toEqual([]);
    expect((await undo()).status).toBe(400);
  });

  test("W26-7 takes back the phones of one command together, and leaves those of an earlier one", async () => {
    const second = await pausedPhone(accountId);
    const third = await pausedPhone(accountId);
    await imported(historyRows(small()), { phone: third, run: "earlier" });
    await w.advance(SECOND_MS);
    await imported(historyRows(small()));
    await imported(historyRows(small()), { phone: second });
    const strangers = await w.account();
    expect((await undo(strangers.id)).status).toBe(400);
    expect(made(await undo(), 200)).toMatchObject({ messages: 4 * TAKEN_OF_ROTATION, isDone: true });
    const left = await rowsOf(w, "SELECT DISTINCT channel_id AS id FROM received_messages WHERE tenant_id = ?", [
      accountId,
    ]);
    expect(left).toEqual([{ id: third }]);
  });

  test("W26-7 of many rows is done in parts, each of which is whole", async () => {
    const many = evolutionHistory("instance", { messages: 5400, people: 40, until: seconds() - 3600 });
    const before = rest(await everyRow(w));
    await imported(historyRows(many));
    const parts: any[] = [];
    for (let isDone = false; !isDone && parts.length < 10; { isDone } = parts.at(-1))
      parts.push(made(await undo(), 200));
    expect(parts.length).toBeGreaterThan(1);
    expect(rest(await everyRow(w))).toEqual(before);
  });
});

test("W26-7 the timer of an old message is not the timer of its chat", async () => {
  const said = (id: string, expiration: number) => ({
    id,
    key: { id, remoteJid: "5511922220001@s.whatsapp.net", fromMe: false },
    pushName: "Ana",
    messageType: "extendedTextMessage",
    message: {
      extendedTextMessage: { text: id, contextInfo: { expiration, ephemeralSettingTimestamp: "1700000000" } },
    },
    messageTimestamp: seconds() - 86_400,
  });
  expect(await imported([message(said("3EB0A1", 86_400))])).toMatchObject({ messages: 1 });
  const kinds = await rowsOf(w, "SELECT DISTINCT kind FROM key_rows WHERE channel_id = ?", [phone]);
  expect(kinds).not.toContainEqual({ kind: "chat-timer" });
  expect((await messagesHere()).map(({ content }) => content.text)).toEqual(["3EB0A1"]);
});

describe("a row that lies", () => {
  const until = () => seconds() - 60;
  const row = (more: object = {}) => ({
    id: "row",
    key: { id: "3EB0AAAA", remoteJid: "5511922220001@s.whatsapp.net", fromMe: false },
    pushName: "Ana",
    messageType: "conversation",
    message: { conversation: "olá" },
    messageTimestamp: until(),
    ...more,
  });

  test.each<[string, () => HistoryRow, string]>([
    ["is no JSON", () => ({ kind: "message", text: "{" }), "a message that cannot be read"],
    ["is nested too deeply", () => ({ kind: "message", text: "[".repeat(100_000) }), "a message that cannot be read"],
    ["has no key", () => message(row({ key: null })), "a message that cannot be read"],
    ["has no time", () => message(row({ messageTimestamp: 0 })), "a message that cannot be read"],
    ["has no message", () => message(row({ message: null })), "a message that cannot be read"],
    ["has no content", () => message(row({ message: {} })), "a message without content"],
    ["is of the future", () => message(row({ messageTimestamp: until() + 10 * 86_400 })), "a message from the future"],
    ["was never sent", () => message(row({ status: "ERROR" })), "a message that was never sent"],
    [
      "is a status",
      () => message(row({ key: { id: "A1", remoteJid: "status@broadcast" } })),
      "a status, or a post of a channel",
    ],
    ["names nobody", () => message(row({ key: { id: "A1", remoteJid: "nobody" } })), "a message without a person"],
  ])("W26-7 that %s is left out with its reason, and changes nothing", async (_, make, reason) => {
    await begin();
    const before = await everyRow(w);
    const counts = made(await take([make()], { isLast: false, to: "" }), 200);
    expect(counts).toEqual({ messages: 0, contacts: 0, known: 0, leftOut: { [reason]: 1 } });
    const changed = (await everyRow(w)).filter((one) => !before.includes(one));
    expect(changed.every((one) => one.startsWith("history_imports "))).toBe(true);
  });

  test("W26-7 an id of another chat does not replace the message that has it", async () => {
    await imported([message(row())]);
    const other = { id: "3EB0AAAA", remoteJid: "5511922220002@s.whatsapp.net", fromMe: true };
    expect(await imported([message(row({ key: other, message: { conversation: "outra" } }))])).toMatchObject({
      messages: 0,
      known: 1,
    });
    expect((await messagesHere()).map(({ content }) => content.text)).toEqual(["olá"]);
  });

  test("W26-7 rows of another kind, of no format, or for a phone of another account are refused, and nothing changes", async () => {
    const stranger = await w.account();
    const theirs = await pausedPhone(stranger.id);
    await begin();
    const before = await everyRow(w);
    const secret = [{ name: "secret", text: "{}" }];
    expect((await post("/rows", { ...home(), from: "", to: "", rows: await packEntries(secret) })).status).toBe(400);
    expect((await post("/rows", { ...home(), from: "", to: "", rows: "no archive" })).status).toBe(400);
    expect((await post("", home({ format: "telegram" }))).status).toBe(400);
    expect((await post("", home({ phone: theirs }))).status).toBe(404);
    expect((await take([message(row())], {}, { phone: theirs })).status).toBe(404);
    expect((await post("", home({ accountId: "nobody" }))).status).toBe(404);
    expect(await everyRow(w)).toEqual(before);
  });
});

test("W26-7 a row of WAHA's NOWEB store is read in the form of Baileys, with both addresses of its person", async () => {
  const said = {
    key: { remoteJid: "98765432101@lid", remoteJidAlt: "5511944440001@s.whatsapp.net", fromMe: false, id: "3EB0WAHA" },
    messageTimestamp: seconds() - 60,
    pushName: "Ana",
    message: { extendedTextMessage: { text: "pelo WAHA" } },
    status: 3,
  };
  const file = {
    ...said,
    key: { ...said.key, id: "3EB0FILE" },
    message: {
      imageMessage: {
        mimetype: "image/png",
        caption: "da loja",
        directPath: "/v/t62.7118-24/x.enc",
        mediaKey: { type: "Buffer", data: Buffer.alloc(32, 7).toString("base64") },
        fileSha256: { type: "Buffer", data: [...Buffer.alloc(32, 8)] },
        fileLength: 2048,
      },
    },
  };
  const person = { id: "5511944440002@s.whatsapp.net", name: "Bia", notify: "bia", pn: null };
  const rows: HistoryRow[] = [{ kind: "person", text: JSON.stringify(person) }, message(said), message(file)];
  expect(await imported(rows, { format: "waha" })).toEqual({ messages: 2, contacts: 1, known: 0, leftOut: {} });
  const here = await messagesHere();
  expect(here.map(({ type, content }) => [type, content.text ?? content.caption])).toEqual(
    expect.arrayContaining([
      ["text", "pelo WAHA"],
      ["image", "da loja"],
    ]),
  );
  const contacts = (await contactsHere()).map(({ name, phoneNumber }) => `${name} ${phoneNumber.replace("+", "")}`);
  expect(contacts.toSorted()).toEqual(["Ana 5511944440001", "Bia 5511944440002"]);
});
