import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seedCompany } from "../../scripts/seed/company.ts";
import { configOf } from "../../scripts/seed/config.ts";
import { PASSWORD } from "../../scripts/seed/people.ts";
import { plannedTalks } from "../../scripts/seed/talk.ts";
import { startApp } from "../../src/app.ts";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { createLog } from "../../src/kernel/log.ts";
import { openConnection } from "../../src/store/engine/connection.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();

const END_MS = Date.parse("2026-11-20T12:00:00Z");

/** The rows of the company by table, without ids, secrets and values that are derived from them. */
const CONTENT: Record<string, string> = {
  users: "name, email",
  members: "role",
  tenants: "name, status, platform_plan, plan_code",
  channels: "kind, state, label",
  contacts: "name, email, tags",
  conversations: "status, last_message_at",
  messages: "type, content, status, created_at, recipient",
  received_messages: "content",
  templates: "name, language, status, components",
  subscriptions: "name, url, events",
  deliveries: "status",
  batches: "name, text, status",
  scheduled: "payload, status, scheduled_at",
  documents: "title, status, chunk_count",
  agents: "system_prompt",
  invoices: "total_cents, status, due_date",
  usage_days: "day, sent, received",
  groups: "subject, participants",
  calls: "status, peer, duration_seconds, created_at",
};

const contentOf = (dataDir: string): Record<string, string[]> => {
  const connection = openConnection(join(dataDir, "recado.db"), []);
  try {
    const rows = ([table, columns]: [string, string]) => connection.prepare(`SELECT ${columns} FROM ${table}`).rows([]);
    const entries = Object.entries(CONTENT).map((one) => [
      one[0],
      rows(one)
        .map((row) => JSON.stringify(row))
        .toSorted(),
    ]);
    return Object.fromEntries(entries) as Record<string, string[]>;
  } finally {
    connection.close();
  }
};

let dataDir: string;
let company: Awaited<ReturnType<typeof seedCompany>>;
const seeded = async (): Promise<Record<string, string[]>> => {
  company = await seedCompany({ dataDir, seed: 1, endMs: END_MS });
  return contentOf(dataDir);
};
let first: Record<string, string[]>;
// the tests run in any order: each finds the company in the directory
beforeAll(async () => {
  dataDir = newFolder();
  first = await seeded();
}, 60_000);
afterAll(removeFolders);

test("one seed gives one company, also in the directory of an earlier one; another seed gives another", async () => {
  for (const [table, rows] of Object.entries(first)) expect([table, rows.length > 0]).toEqual([table, true]);
  expect(new Set(first["deliveries"])).toEqual(new Set(['["DEAD"]', '["DELIVERED"]', '["PENDING"]']));
  expect(await seeded()).toEqual(first);
  expect(plannedTalks(seededRandom(2), 0)).not.toEqual(plannedTalks(seededRandom(1), 0));
}, 120_000);

test("a directory that holds anything else is refused, and nothing is changed there", async () => {
  const taken = newFolder();
  writeFileSync(join(taken, "recado.db"), "of somebody");
  expect(seedCompany({ dataDir: taken, seed: 1, endMs: END_MS })).rejects.toThrow("is not empty");
  expect(readdirSync(taken)).toEqual(["recado.db"]);
});

/** The length of the list in an answer, or the negated status where there is no list. */
const countAt = async (url: string, headers: Record<string, string>): Promise<number> => {
  const response = await fetch(url, { headers });
  const body = (await response.json()) as unknown[] | Record<string, unknown>;
  const list = Array.isArray(body) ? body : Object.values(body).find(Array.isArray);
  return list?.length ?? -response.status;
};

/** What there is at least, by the path of its list. */
const platformLists = { channels: 1, contacts: 8, conversations: 6, webhooks: 1, bulk: 1 };
const gatewayLists = { phones: 2, templates: 3, "messages/scheduled": 1, "billing/invoices": 2, events: 20, calls: 1 };

test("a server starts on it, both APIs list what is there, its users log in, and no seed takes it away meanwhile", async () => {
  const { institution, account, phones } = company;
  const app = await startApp(configOf(dataDir), {
    log: createLog("silent"),
    simulated: true,
    clock: manualClock(END_MS),
  });
  try {
    for (const [path, least] of Object.entries(platformLists)) {
      const count = await countAt(`${app.platformUrl}/v1/${path}`, { authorization: `Bearer ${institution.key}` });
      expect([path, count >= least]).toEqual([path, true]);
    }
    const documents = `phones/${phones.deliveries}/ai-agent/knowledge`;
    for (const [path, least] of Object.entries({ ...gatewayLists, [documents]: 2 })) {
      const count = await countAt(`${app.gatewayUrl}/v1/${path}`, { "x-api-key": account.key });
      expect([path, count >= least]).toEqual([path, true]);
    }
    for (const { email } of institution.users) {
      const body = JSON.stringify({ email, password: PASSWORD });
      const headers = { "content-type": "application/json" };
      expect((await fetch(`${app.platformUrl}/v1/auth/login`, { method: "POST", headers, body })).status).toBe(200);
    }
    expect(seedCompany({ dataDir, seed: 1, endMs: END_MS })).rejects.toThrow("another process is serving");
    expect(await countAt(`${app.gatewayUrl}/v1/phones`, { "x-api-key": account.key })).toBe(2);
  } finally {
    await app.stop();
  }
}, 60_000);
