import { afterEach, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { console as consoleCheck } from "../../src/doctor/console.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { places } from "../support/processes/doctor.ts";
import { startWorld, type World } from "../support/world.ts";

const temp = tempDatabases();
const { report } = places();

const OPERATOR = `INSERT INTO operators (id, name, email, email_key, password_hash, created_at)
  VALUES ('o1', 'Olga', 'o@example.com', 'o@example.com', 'x', 1)`;
const APP =
  "INSERT INTO console_people (person, totp, totp_since, recovery_codes) VALUES ('operator:o1', 'x', 1, '[]')";

const found = async (settings: Record<string, string>, ...statements: string[]) => {
  const path = temp.path();
  await temp.database(path).close();
  const writer = openWriter(path);
  for (const sql of statements) writer.exec(sql);
  writer.close();
  return report(consoleCheck, { RECADO_DATA_DIR: dirname(path), ...settings });
};

test("switched off it is not checked", async () => {
  expect(await found({ RECADO_CONSOLE: "off" })).toMatchObject({ outcome: "skipped" });
});

test("without an operator, or with one who has a password alone, it is a warning; a second step mends it", async () => {
  expect(await found({})).toMatchObject({ outcome: "warning", found: "there is no operator yet" });
  expect(await found({}, OPERATOR)).toMatchObject({
    outcome: "warning",
    found: "1 of 1 operators sign in with a password alone",
    remedy: expect.stringContaining("passkey"),
  });
  expect(await found({}, OPERATOR, APP)).toMatchObject({ outcome: "ok" });
});

test("http on another host than this machine is a fault: nobody could sign in", async () => {
  const settings = { RECADO_PUBLIC_URL: "https://recado.example", RECADO_CONSOLE_URL: "http://console.example" };
  expect(await found(settings, OPERATOR, APP)).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("http://console.example is not encrypted"),
    remedy: expect.stringContaining("RECADO_CONSOLE_URL"),
  });
});

describe("beside a server", () => {
  let world: World;
  afterEach(() => world.stop());

  test("it is reached at its address, or the address leads elsewhere", async () => {
    world = await startWorld();
    const settings = { RECADO_DATA_DIR: world.dataDir, RECADO_OUTBOUND_ALLOW: "127.0.0.1,localhost" };
    const port = new URL(world.app.url).port;
    const at = (url: string) => report(consoleCheck, { ...settings, RECADO_CONSOLE_URL: url });
    expect(await at(`http://localhost:${port}/console`)).toMatchObject({ found: "there is no operator yet" });
    expect(await at(`http://localhost:${port}/elsewhere`)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("leads to something else"),
    });
  });
});
