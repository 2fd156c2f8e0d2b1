import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { openBeside } from "../../src/store/engine/connection.ts";
import { processes } from "../support/processes/process.ts";
import { fillEvolution, makeEvolution } from "../support/session/evolution-database.ts";
import { fileMessage, pdfOf } from "../support/session/evolution-files.ts";
import { evolutionHistory, ROTATION, TAKEN_OF_ROTATION } from "../support/session/evolution-history.ts";
import { acceptedIdentity, baileysFiles, evolutionCreds, writeFolder } from "../support/session/moved.ts";
import { durationMs, untilTrue } from "../support/waiting.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

setDefaultTimeout(600_000);
const tools = processes(afterAll);
let postgres: Postgres;
let sql: SQL;
beforeAll(async () => {
  postgres = await startPostgres();
  sql = new SQL({ url: postgres.url, max: 1 });
  await makeEvolution(sql);
});
afterAll(async () => {
  await sql?.close();
  await postgres?.stop();
});

const UNTIL = Math.floor(Date.now() / 1000) - 3600;
const source = () => `${postgres.url}?schema=evolution_api`;
let made = 0;

/** An instance of Evolution with a session and so many rotations of messages. */
const instance = async ({ rotations, people = 4 }: { rotations: number; people?: number }) => {
  made += 1;
  const id = `7c1f5c52-53a5-4a36-9d8a-6a2b6a1f3b${String(made).padStart(2, "0")}`;
  const number = `5511900${String(made).padStart(6, "0")}`;
  const name = `loja ${made}`;
  await sql`INSERT INTO evolution_api."Instance" VALUES (${id}, ${name}, 'an-api-token', ${`${number}@s.whatsapp.net`}, ${number})`;
  await sql`INSERT INTO evolution_api."Session" VALUES (${`s${made}`}, ${id}, ${evolutionCreds(acceptedIdentity(number))}, now())`;
  const history = evolutionHistory(id, { messages: rotations * ROTATION, people, until: UNTIL });
  const own = ({ id: row, ...rest }: Record<string, unknown>) => ({ ...rest, id: `${made}${String(row)}` });
  await fillEvolution(sql, {
    messages: history.messages.map(own),
    contacts: history.contacts.map(own),
    chats: history.chats.map(own),
  });
  return { id, number, name, taken: rotations * TAKEN_OF_ROTATION, people };
};

/** What an import says besides its progress, which a slow machine shows. */
const besides = (err: string): string => err.replaceAll(/^.+: \d+ of \d+ rows, \d+ a second, \d+ s left\n/gm, "");

/** A data directory with an account. */
const company = async () => {
  const dataDir = tools.dataDir();
  const settings = { RECADO_DATA_DIR: dataDir };
  const { id: accountId } = JSON.parse((await tools.run(["account", "create", "--name", "Loja"], settings)).out);
  const importing = (...args: string[]) => tools.run(["import", ...args], settings);
  return { settings, accountId, importing, counts: () => countsIn(dataDir) };
};

const countsIn = (dataDir: string) => {
  const db = openBeside(join(dataDir, "recado.db"));
  const count = (table: string): number => Number(db.prepare(`SELECT count(*) FROM ${table}`).rows([])[0]?.[0]);
  try {
    return {
      phones: count("channels"),
      messages: count("received_messages"),
      contacts: count("contacts"),
      conversations: count("conversations"),
      inbox: count("inbox"),
      copies: count("cached_messages"),
      events: count("events"),
      items: count("history_import_items"),
      sent: count("messages"),
      files: Number(db.prepare("SELECT count(*) FROM media WHERE stored_at IS NOT NULL").rows([])[0]?.[0]),
    };
  } finally {
    db.close();
  }
};

test("W26-7 recado import takes the messages and contacts of an Evolution with its session, looks first, adds nothing twice, and --undo leaves the phone alone", async () => {
  const { name, taken, people } = await instance({ rotations: 30 });
  const { accountId, importing, counts } = await company();
  const before = counts();
  const looked = await importing(source(), "--only", name, "--dry-run", "--json");
  expect([looked.code, besides(looked.err)]).toEqual([0, ""]);
  const [{ history }] = JSON.parse(looked.out).sessions;
  expect(history).toMatchObject({ messages: taken, contacts: people + 2, known: 0 });
  expect(history.leftOut["a message of a group"]).toBe(30);
  expect(counts()).toEqual(before);

  const imported = await importing(source(), "--only", name, "--account", accountId, "--stopped");
  expect([imported.code, besides(imported.err)]).toEqual([0, ""]);
  expect(imported.out).toContain(`history: ${taken} messages, ${people + 2} contacts`);
  expect(imported.out).toContain("left out: 30 × a message of a group");
  expect(counts()).toMatchObject({ phones: 1, messages: taken, contacts: people + 2, inbox: taken, copies: taken });
  expect(counts()).toMatchObject({ events: before.events, sent: 0, conversations: people });

  const rest = await importing(source(), "--only", name, "--account", accountId, "--history");
  expect([rest.code, besides(rest.err)]).toEqual([0, ""]);
  expect(rest.out).toContain(`history: 0 messages, 0 contacts; ${taken + people + 2} were known`);
  expect(counts()).toMatchObject({ messages: taken });

  const undone = await importing("--undo", "--account", accountId);
  expect([undone.code, undone.out.trim()]).toEqual([
    0,
    `removed: ${taken} messages, ${people + 2} contacts, ${people} conversations`,
  ]);
  expect(counts()).toEqual({ ...before, phones: 1 });
  const nothing = await importing("--undo", "--account", accountId);
  expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining("no import of a history")]);
  const all = [looked, imported, rest, undone, nothing].map(({ out, err }) => out + err).join();
  for (const text of [postgres.password, "an-api-token"]) expect(all).not.toContain(text);
});

test("W26-7 recado import --no-history takes sessions alone; --history alone needs no stopped server, --since leaves out what is older", async () => {
  const { name, number, taken } = await instance({ rotations: 5 });
  const { accountId, importing, counts } = await company();
  const without = await importing(source(), "--only", name, "--account", accountId, "--stopped", "--no-history");
  expect([without.code, counts().phones, counts().messages]).toEqual([0, 1, 0]);
  const since = new Date((UNTIL - 50 * 60) * 1000).toISOString();
  const some = await importing(source(), "--only", name, "--account", accountId, "--history", "--since", since);
  expect(some.code).toBe(0);
  const { messages } = counts();
  expect(messages > 0 && messages < taken).toBe(true);
  const phone = await importing(source(), "--only", name, "--account", accountId, "--history", "--phone", number);
  expect([phone.code, counts().messages]).toEqual([0, taken]);

  const wrong = await importing(source(), "--history", "--account", accountId, "--since", "yesterday");
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--since must be a day")]);
  const unknown = await importing(source(), "--only", name, "--account", accountId, "--history", "--phone", "nobody");
  expect([unknown.code, unknown.out]).toEqual([1, expect.stringContaining("problem: There is no such channel")]);
  const both = await importing(source(), "--history", "--no-history", "--account", accountId);
  expect(both.code).toBe(2);
  expect(counts().messages).toBe(taken);
});

test("W26-7 beside a running server the history comes through it, and an import that was killed goes on where it stopped", async () => {
  const { name, taken } = await instance({ rotations: 150, people: 20 });
  const { settings, accountId, importing, counts } = await company();
  await importing(source(), "--only", name, "--account", accountId, "--stopped", "--no-history");
  const asked = ["import", source(), "--only", name, "--account", accountId, "--history"];
  const first = tools.spawn(asked, settings);
  await untilTrue(async () => counts().messages > 200);
  first.child.kill("SIGKILL");
  await first.ended;
  const { messages } = counts();
  expect(messages).toBeLessThan(taken);

  const server = await tools.serve(settings);
  const rest = await importing(source(), "--only", name, "--account", accountId, "--history");
  expect([rest.code, rest.err]).toEqual([
    0,
    expect.stringContaining("goes on where an earlier import was interrupted"),
  ]);
  expect(counts().messages).toBe(taken);
  const undone = await importing("--undo", "--account", accountId);
  expect([undone.code, undone.out]).toEqual([0, expect.stringContaining(`removed: ${taken} messages`)]);
  expect(counts()).toMatchObject({ messages: 0, contacts: 0, inbox: 0, copies: 0, items: 0 });
  server.signal("SIGTERM");
  await server.ended;
});

test("W26-7 files come from a copy of Evolution's bucket and from base64 in its messages, also beside a running server, where an import that was killed leaves out none; --undo takes them back", async () => {
  const { id, name, number } = await instance({ rotations: 1 });
  const { settings, accountId, importing, counts } = await company();
  await importing(source(), "--only", name, "--account", accountId, "--stopped", "--no-history");
  const [inBucket, inRow] = [pdfOf("bucket", 3_000_000), pdfOf("row", 1_500_000)];
  const kept = fileMessage("3EB0F1LE0", inBucket, { at: UNTIL, instanceId: id });
  const encoded = fileMessage("3EB0F1LE1", inRow, { at: UNTIL + 1, instanceId: id });
  Object.assign(encoded["message"] as object, { base64: Buffer.from(inRow).toString("base64") });
  await fillEvolution(sql, { messages: [kept, encoded], contacts: [], chats: [] });
  const path = `${id}/5511922220001@s.whatsapp.net/document/1700000000000_nota.pdf`;
  await sql`INSERT INTO evolution_api."Media" VALUES ('m1', ${path}, 'document', 'application/pdf', 'row3EB0F1LE0', ${id})`;
  const folder = tools.folder();
  mkdirSync(join(folder, "evolution-api", path, ".."), { recursive: true });
  writeFileSync(join(folder, "evolution-api", path), inBucket);
  const asked = [source(), "--only", name, "--account", accountId, "--history", "--phone", number, "--media", folder];

  const looked = await importing(...asked, "--dry-run", "--json");
  const [{ history }] = JSON.parse(looked.out).histories;
  expect(history.files).toEqual({
    count: 2,
    bytes: inBucket.length + inRow.length,
    without: { "its file is not where --media says": 2 },
  });
  expect(counts().files).toBe(0);
  const server = await tools.serve(settings);
  const first = tools.spawn(["import", ...asked], settings);
  await untilTrue(async () => counts().messages > 0);
  first.child.kill("SIGKILL");
  await first.ended;
  const rest = await importing(...asked);
  expect([rest.code, rest.out]).toEqual([0, expect.stringContaining("without its file: 2 ×")]);
  expect(counts().files).toBe(2);
  const undone = await importing("--undo", "--account", accountId);
  expect([undone.code, undone.out]).toEqual([0, expect.stringContaining(", 2 files")]);
  expect(counts()).toMatchObject({ files: 0, messages: 0 });
  server.signal("SIGTERM");
  await server.ended;
});

test("W26-7 a NOWEB store of WAHA is read beside its session, from SQLite and from PostgreSQL; the source stays as it is", async () => {
  const { accountId, importing, counts } = await company();
  const folder = join(tools.folder(), "noweb", "default");
  const number = "5511955550001";
  writeFolder(folder, baileysFiles(acceptedIdentity(number)));
  const at = UNTIL - 100;
  const said = (n: number) => ({
    key: { remoteJid: "98765432101@lid", fromMe: n % 2 === 0, id: `3EB0WAHA${n}` },
    messageTimestamp: at + n,
    message: { conversation: `olá ${n}` },
    status: 3,
  });
  const messages = Array.from({ length: 120 }, (_, n) => said(n));
  const person = { id: "98765432101@lid", notify: "Ana" };
  const store = new Database(join(folder, "store.sqlite3"), { create: true });
  store.exec("CREATE TABLE contacts (id TEXT PRIMARY KEY, data TEXT)");
  store.exec("CREATE TABLE messages (jid TEXT, id TEXT, messageTimestamp INTEGER, data TEXT)");
  store.exec("CREATE TABLE lid_map (id TEXT PRIMARY KEY, pn TEXT)");
  store.prepare("INSERT INTO contacts VALUES (?, ?)").run(person.id, JSON.stringify(person));
  store.prepare("INSERT INTO lid_map VALUES (?, ?)").run(person.id, "5511944440001@s.whatsapp.net");
  for (const one of messages)
    store
      .prepare("INSERT INTO messages VALUES (?, ?, ?, ?)")
      .run(one.key.remoteJid, one.key.id, one.messageTimestamp, JSON.stringify(one));
  store.close();
  const bytes = await Bun.file(join(folder, "store.sqlite3")).bytes();

  const came = await importing(join(folder, ".."), "--account", accountId, "--stopped");
  expect([came.code, besides(came.err)]).toEqual([0, ""]);
  expect(came.out).toContain("history: 120 messages, 1 contacts");
  expect(counts()).toMatchObject({ phones: 1, messages: 120, contacts: 1 });
  expect(await Bun.file(join(folder, "store.sqlite3")).bytes()).toEqual(bytes);

  await sql.unsafe(`CREATE SCHEMA waha; CREATE TABLE waha.contacts (id text PRIMARY KEY, data text);
    CREATE TABLE waha.messages (jid text, id text, "messageTimestamp" bigint, data text)`);
  for (const one of [...messages, said(120)])
    await sql`INSERT INTO waha.messages VALUES (${one.key.remoteJid}, ${one.key.id}, ${one.messageTimestamp}, ${JSON.stringify(one)})`;
  const plain = `${postgres.url}?schema=waha`;
  const nameless = await importing(plain, "--history", "--account", accountId);
  expect([nameless.code, nameless.out]).toEqual([1, expect.stringContaining("name the phone with --phone")]);
  const more = await importing(plain, "--history", "--account", accountId, "--phone", number);
  expect([more.code, more.out]).toEqual([
    0,
    expect.stringContaining("history: 1 messages, 0 contacts; 120 were known"),
  ]);
});

test("W26-7 a company moves from an Evolution with 20,000 messages", async () => {
  const { name, taken } = await instance({ rotations: 1000, people: 500 });
  const { accountId, importing, counts } = await company();
  const importMs = await durationMs(async () => {
    const came = await importing(source(), "--only", name, "--account", accountId, "--stopped");
    expect(came.code).toBe(0);
  });
  expect(counts()).toMatchObject({ messages: taken, contacts: 502, conversations: 500 });
  const undoMs = await durationMs(async () => {
    const undone = await importing("--undo", "--account", accountId);
    expect([undone.code, counts().messages]).toEqual([0, 0]);
  });
  console.error(`20,000 rows: import ${Math.round(importMs)} ms, undo ${Math.round(undoMs)} ms`);
});
