import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { publicReach } from "../../src/doctor/network/public-reach.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { places } from "../support/processes/doctor.ts";
import { insertEverythingOf } from "../support/tenants/rows.ts";

const temp = tempDatabases();
const { report } = places();

/** What is found at a public URL; with links that somebody was given, or after they have ended. */
const found = async (publicUrl: string, linksEndAt: number) => {
  const path = temp.path();
  const db = temp.database(path);
  await db.write(async (tx) => {
    await insertEverythingOf(tx, "ours");
    await tx.rows("UPDATE channels SET kind = 'SESSION'", []);
    await tx.rows(
      `INSERT INTO pairing_links (id, hash, tenant_id, channel_id, created_by, created_at, expires_at)
        SELECT 'link', 'hash', tenant_id, id, 'admin', 1, ?1 FROM channels LIMIT 1`,
      [linksEndAt],
    );
    await tx.rows(
      `INSERT INTO invitations (id, tenant_id, email, email_key, role, token_hash, is_mailed, created_at, expires_at)
        SELECT 'invitation', id, 'ana@example.com', 'ana@example.com', 'MEMBER', 'hash', 0, 1, ?1 FROM tenants LIMIT 1`,
      [linksEndAt],
    );
  });
  await db.close();
  return report(publicReach, { RECADO_DATA_DIR: dirname(path), RECADO_PUBLIC_URL: publicUrl });
};
const tomorrow = () => Date.now() + DAY_MS;

test.each([
  ["http://localhost:8080", "this computer alone"],
  ["http://192.168.1.9:8080", "computers of the same network alone"],
  ["http://recado.local", "computers of the same network alone"],
])("a link to %s that somebody was given is a warning", async (url, reach) => {
  const { outcome, found: said, remedy } = await found(url, tomorrow());
  expect(outcome).toBe("warning");
  expect(said).toContain(reach);
  expect(said).toContain("pairing links");
  expect(said).toContain("invitations");
  expect(remedy).toContain("RECADO_PUBLIC_URL");
});

test("a public address is ok, and a private one where nobody was given anything", async () => {
  expect((await found("https://recado.example.com", tomorrow())).outcome).toBe("ok");
  expect((await found("http://localhost:8080", Date.now() - DAY_MS)).outcome).toBe("ok");
});

test.each([
  ["WABA", "others need it for the webhooks of WABA"],
  ["SOCIAL", "others need it for the webhooks of SOCIAL, the files that SOCIAL fetches"],
])("what the network of a %s channel calls and fetches needs the public address too", async (kind, needs) => {
  const path = temp.path();
  const db = temp.database(path);
  await db.write(async (tx) => {
    await insertEverythingOf(tx, "ours");
    await tx.rows("UPDATE channels SET kind = ?1", [kind]);
  });
  await db.close();
  const { outcome, found: said } = await report(publicReach, {
    RECADO_DATA_DIR: dirname(path),
    RECADO_PUBLIC_URL: "http://localhost:8080",
  });
  expect([outcome, said]).toEqual(["warning", expect.stringContaining(needs)]);
});
