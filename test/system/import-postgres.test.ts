import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { processes } from "../support/processes/process.ts";
import { acceptedIdentity, baileysFiles, evolutionCreds, writeFolder } from "../support/session/moved.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

setDefaultTimeout(120_000);
const tools = processes(afterAll);
let postgres: Postgres | undefined;
afterAll(() => postgres?.stop());

const IDS = ["7c1f5c52-53a5-4a36-9d8a-6a2b6a1f3a10", "1a1f5c52-53a5-4a36-9d8a-6a2b6a1f3a11"] as const;
/** Evolution's tables as Prisma makes them; those columns that are read, and some that must not be. */
const SCHEMA = `
  CREATE SCHEMA evolution_api;
  CREATE TABLE evolution_api."Instance" (id text PRIMARY KEY, name varchar(255), token varchar(255));
  CREATE TABLE evolution_api."Session" (id text PRIMARY KEY, "sessionId" text UNIQUE, creds text, "createdAt" timestamp);
  CREATE TABLE evolution_api."Webhook" (id text, url varchar(500), headers jsonb, enabled boolean, events jsonb, "instanceId" text);
  CREATE TABLE evolution_api."Setting" (id text, "rejectCall" boolean, "groupsIgnore" boolean, "alwaysOnline" boolean,
    "readMessages" boolean, "readStatus" boolean, "syncFullHistory" boolean, "instanceId" text);`;

test("W26-7 recado import reads Evolution straight from its PostgreSQL, and changes nothing there; the password is printed nowhere", async () => {
  postgres = await startPostgres();
  const sql = new SQL({ url: postgres.url, max: 1 });
  await sql.unsafe(SCHEMA);
  const instances = join(tools.folder(), "instances");
  mkdirSync(instances);
  for (const [index, id] of IDS.entries()) {
    const identity = acceptedIdentity(`551190000000${index + 1}`);
    await sql`INSERT INTO evolution_api."Instance" VALUES (${id}, ${`loja ${index + 1}`}, 'an-api-token')`;
    await sql`INSERT INTO evolution_api."Session" VALUES (${`s${index}`}, ${id}, ${evolutionCreds(identity)}, now())`;
    writeFolder(join(instances, id), baileysFiles(identity).slice(1));
  }
  await sql`INSERT INTO evolution_api."Webhook" VALUES ('w', 'https://hooks.example.com/a?token=x', NULL, true,
    '["MESSAGES_UPSERT","CONNECTION_UPDATE","TYPEBOT_START"]'::jsonb, ${IDS[0]})`;
  await sql`INSERT INTO evolution_api."Setting" VALUES ('t', true, true, false, false, false, false, ${IDS[1]})`;

  const settings = { RECADO_DATA_DIR: tools.dataDir() };
  const { id: accountId } = JSON.parse((await tools.run(["account", "create", "--name", "Lojas"], settings)).out);
  const source = `${postgres.url}?schema=evolution_api`;
  const looked = await tools.run(["import", source, "--keys", instances, "--dry-run", "--json"], settings);
  expect([looked.code, looked.err]).toEqual([0, ""]);
  const { sessions } = JSON.parse(looked.out);
  expect(sessions).toMatchObject([
    { name: "loja 1", phoneNumber: "5511900000001", keys: { "pre-key": 2, session: 3 }, problems: [] },
    { name: "loja 2", phoneNumber: "5511900000002", keys: { "pre-key": 2, session: 3 }, problems: [] },
  ]);
  expect(sessions[0].notes.join()).toContain("events without a counterpart: TYPEBOT_START");
  expect(sessions[1].notes.join()).toContain("rejectCall");

  const secret = join(tools.folder(), "secret");
  writeFileSync(secret, "the-secret-of-a-webhook");
  const asked = ["--keys", instances, "--account", accountId, "--stopped", "--webhook-secret-file", secret];
  const imported = await tools.run(["import", source, ...asked], settings);
  expect([imported.code, imported.err]).toEqual([0, ""]);
  expect(imported.out).toContain("loja 1 (5511900000001): is phone ");
  expect(imported.out).toContain("message:received, channel:connected, channel:disconnected");

  const wrong = source.replace(postgres.password, "a-wrong-password");
  const refused = await tools.run(["import", wrong, "--dry-run"], settings);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("cannot be read")]);
  const none = await tools.run(["import", `${postgres.url}?schema=public`, "--dry-run"], settings);
  expect(none.err).toContain("the table Session is missing or empty");
  const odd = await tools.run(["import", `${postgres.url}?schema=a"b`, "--dry-run"], settings);
  expect(odd.err).toContain("is not valid");

  const all = [looked, imported, refused, none, odd].map(({ out, err }) => out + err).join();
  for (const text of [postgres.password, "a-wrong-password", "an-api-token", "token=x"])
    expect(all).not.toContain(text);
  expect(Number((await sql`SELECT count(*) FROM evolution_api."Session"`)[0].count)).toBe(2);
  await sql.close();
});
