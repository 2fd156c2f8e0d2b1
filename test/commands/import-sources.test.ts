import { afterEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SourceFault } from "../../src/commands/moving/found.ts";
import { plannedWebhook } from "../../src/commands/moving/home.ts";
import { findSessions } from "../../src/commands/moving/sources.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import {
  acceptedIdentity,
  baileysFiles,
  evolutionCreds,
  evolutionHash,
  whatsmeowRows,
  writeFolder,
} from "../support/session/moved.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const identity = acceptedIdentity();
const ID = "7c1f5c52-53a5-4a36-9d8a-6a2b6a1f3a10";
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const CSV = `id,sessionId,creds\n1,${ID},${quoted(evolutionCreds(identity))}\n`;

/** The sessions of a source as names and how many entries they have. */
const namesIn = async (source: string, keys?: string): Promise<[name: string, entries: number][]> =>
  Promise.all((await findSessions(source, keys)).map(async ({ name, entries }) => [name, (await entries()).length]));

const refusal = async (source: string, keys?: string): Promise<string> => {
  const thrown: unknown = await namesIn(source, keys).catch((fault: unknown) => fault);
  expect(thrown).toBeInstanceOf(SourceFault);
  return (thrown as SourceFault).message;
};

test("W26-7 folders of Baileys and of WAHA are found at any depth, each a session", async () => {
  const base = newFolder();
  const files = baileysFiles(identity);
  writeFolder(join(base, "noweb/default"), files);
  writeFolder(join(base, "noweb/second"), files);
  expect(await namesIn(base)).toEqual([
    ["default", files.length],
    ["second", files.length],
  ]);
  expect(await namesIn(join(base, "noweb/second"))).toEqual([["second", files.length]]);
});

test("W26-7 a damaged store of WAHA does not hold up its session, and a note says that its messages stay there", async () => {
  const folder = writeFolder(join(newFolder(), "default"), baileysFiles(identity));
  for (const damaged of ["no database", "SQLite format 3\0 and no more"]) {
    writeFileSync(join(folder, "store.sqlite3"), damaged);
    const [found] = await findSessions(folder, undefined);
    expect([found?.name, found?.history]).toEqual(["default", undefined]);
    expect(found?.notes.join()).toContain("its messages stay there");
  }
});

test("W26-7 Evolution is read from CSV and JSON, with the keys of its instances or of its Redis, its names, webhooks and settings", async () => {
  const folder = newFolder();
  const keys = Object.keys(evolutionHash(identity)).length;
  writeFileSync(join(folder, "Session.csv"), CSV);
  expect(await namesIn(join(folder, "Session.csv"))).toEqual([[ID, 1]]);

  const instances = newFolder();
  writeFolder(join(instances, ID), baileysFiles(identity).slice(1));
  expect(await namesIn(join(folder, "Session.csv"), instances)).toEqual([[ID, keys + 1]]);

  const redis = join(newFolder(), "redis.json");
  writeFileSync(redis, JSON.stringify({ [`evolution:instance:${ID}`]: evolutionHash(identity) }));
  expect(await namesIn(join(folder, "Session.csv"), redis)).toEqual([[ID, keys + 1]]);

  writeFileSync(join(folder, "Instance.json"), JSON.stringify([{ id: ID, name: "loja", token: "a secret" }]));
  const webhook = { instanceId: ID, enabled: true, url: "https://hooks.example.com/a?token=secret" };
  writeFileSync(
    join(folder, "Webhook.json"),
    JSON.stringify([{ ...webhook, events: ["MESSAGES_UPSERT", "CHATS_SET"] }]),
  );
  writeFileSync(join(folder, "Setting.csv"), `instanceId,rejectCall,readMessages\n${ID},t,f\n`);
  const [found] = await findSessions(folder, undefined);
  expect(found).toMatchObject({
    name: "loja",
    webhook: { url: webhook.url, events: ["MESSAGES_UPSERT", "CHATS_SET"] },
    notes: ["its setting rejectCall has no counterpart: calls are not rejected"],
  });
});

test("W26-7 Evolution that keeps all in Redis is read from its dump, in each of the forms of such dumps", async () => {
  const file = join(newFolder(), "dump.json");
  const hash = { ...evolutionHash(identity), creds: baileysFiles(identity)[0]?.text ?? "" };
  for (const dump of [
    { [`evolution:instance:${ID}`]: hash },
    [{ [`evolution:instance:${ID}`]: { type: "hash", value: hash }, other: "text" }],
  ]) {
    writeFileSync(file, JSON.stringify(dump));
    expect(await namesIn(file)).toEqual([[ID, Object.keys(hash).length]]);
  }
});

test("W26-7 a database of whatsmeow gives its devices; the file and its folder stay as they are", async () => {
  const folder = newFolder();
  const path = join(folder, "gows.db");
  const db = openWriter(path);
  const tables = whatsmeowRows(identity);
  for (const [name, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {});
    db.exec(`CREATE TABLE ${name} (${columns.join(", ")})`);
    for (const row of rows)
      db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`).run(
        Object.entries(row).map(([column, value]) =>
          typeof value === "string" && /key|sig|details/.test(column) ? Buffer.from(value, "base64") : value,
        ),
      );
  }
  db.close();
  const before = await Bun.file(path).bytes();
  const [found, second] = await findSessions(path, undefined);
  expect([found?.name, found?.format, second]).toEqual(["5511900000001", "whatsmeow", undefined]);
  const entries = (await found?.entries()) ?? [];
  expect(Object.fromEntries(entries.map(({ name, text }) => [name, JSON.parse(text)]))).toEqual(tables);
  expect(await Bun.file(path).bytes()).toEqual(before);
});

test("links, devices, huge files, deep JSON, huge fields, strange ids and damaged files are refused by name, without their content", async () => {
  const folder = newFolder();
  const at = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const linked = writeFolder(join(folder, "linked"), [{ name: "creds.json", text: "{}" }]);
  symlinkSync("/etc/hostname", join(linked, "pre-key-1.json"));
  expect(await refusal(linked)).toContain("links are not followed");
  const big = writeFolder(join(folder, "big"), [{ name: "creds.json", text: " ".repeat(2 * 1024 * 1024) }]);
  expect(await refusal(big)).toContain("more than the 1048576");

  expect(await refusal(at("huge.csv", Buffer.alloc(100 * 1024 * 1024, "a")))).toContain("more than the 67108864");
  const field = `id,sessionId,creds\n1,${ID},"${"a".repeat(3 * 1024 * 1024)}"\n`;
  expect(await refusal(at("field.csv", field))).toContain("line 2 has more than the 1048576 bytes");
  const broken = await refusal(at("broken.csv", `id,sessionId,creds\n1,${ID},"secret`));
  expect(broken).toContain("no CSV");
  expect(broken).not.toContain("secret");
  expect(await refusal(at("deep.json", "[".repeat(10_000_000)))).toContain("nested deeper");
  expect(await refusal(at("bad.json", `{"creds": "secret`))).toBe(`${join(folder, "bad.json")} is no JSON`);
  expect(await refusal(at("path.json", JSON.stringify([{ sessionId: "../../etc", creds: "{}" }])), folder)).toContain(
    "no valid sessionId",
  );
  expect(await refusal(at("fake.db", "SQLite format 3\0 and no more"))).toContain("cannot be read as a database");
  mkdirSync(join(folder, "empty"));
  expect(await refusal(join(folder, "empty"))).toContain("has no sessions");
  expect(await refusal(join(folder, "nothing"))).toContain("does not exist");
  expect(await refusal("/dev/zero")).toContain("no regular file");
  expect(await refusal("postgres://somebody:secret@127.0.0.1:1/db")).not.toContain("secret");
});

test("a webhook is carried over with a secret alone, with the events that have a counterpart; its path is in no remark", () => {
  const webhook = { url: "https://hooks.example.com/a?token=secret", events: ["MESSAGES_UPSERT", "CHATS_SET"] };
  const secret = "a secret of 16 characters";
  const carried = plannedWebhook({ webhook }, { url: undefined, secret });
  expect(carried.webhook).toEqual({ url: webhook.url, secret, events: ["message:received"] });
  const without = plannedWebhook({ webhook }, { url: undefined, secret: undefined });
  expect(without.webhook).toBeUndefined();
  for (const { notes } of [carried, without]) {
    expect(notes.join()).toContain("https://hooks.example.com");
    expect(notes.join()).toContain("CHATS_SET");
    expect(notes.join()).not.toContain("token=");
    expect(notes.join()).not.toContain(secret);
  }
  expect(plannedWebhook({ webhook: { ...webhook, events: ["CHATS_SET"] } }, { url: undefined, secret }).webhook).toBe(
    undefined,
  );
  const own = plannedWebhook({ webhook }, { url: "https://new.example.com", secret });
  expect(own).toEqual({ webhook: { url: "https://new.example.com", secret }, notes: [] });
});
