import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import type { Check, Report } from "../../src/doctor/check.ts";
import { ownLanguageModels, webhookHosts, webhooks } from "../../src/doctor/network/customers.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { places } from "../support/processes/doctor.ts";
import { type Receiver, startReceiver } from "../support/servers/receiver.ts";
import { insertEverythingOf } from "../support/tenants/rows.ts";

const temp = tempDatabases();
const { report } = places();
let receiver: Receiver;
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

const NOBODY = "http://127.0.0.1:1/hook?token=canary";

/**
 * What a check finds in a database that nobody serves: with a row of everything, and changed by these statements. It
 * says nothing of what is behind a host.
 */
const found = async (
  check: Check,
  statements: readonly (readonly [sql: string, ...params: (string | number)[]])[],
  allow = "127.0.0.1",
): Promise<Report> => {
  const path = temp.path();
  const db = temp.database(path);
  await db.write((tx) => insertEverythingOf(tx, "ours"));
  await db.close();
  const writer = openWriter(path);
  for (const [sql, ...params] of statements) writer.prepare(sql).run(params);
  writer.close();
  const received = await report(check, { RECADO_DATA_DIR: dirname(path), RECADO_OUTBOUND_ALLOW: allow });
  expect(JSON.stringify(received)).not.toContain("canary");
  return received;
};

const FAIL = "UPDATE subscriptions SET breaker_failures = 3, last_failed_at = 0 WHERE id = 'subscription-ours'";
const AT = "UPDATE subscriptions SET url = ?1";
const ATTEMPT =
  "INSERT INTO attempts (public_id, delivery_id, subscription_id, event_type, attempt, is_delivered, status_code, error, duration_ms, at) VALUES (?1, 'd', 'subscription-ours', 't', 1, 0, 0, ?1, 1, 1)";

describe("webhooks", () => {
  test("are ok while none fails", async () => {
    expect(await found(webhooks, [])).toMatchObject({ outcome: "ok", found: "none fails now" });
  });

  test("a warning: one that fails now, by its host and id, with its last error", async () => {
    expect(
      await found(webhooks, [[AT, NOBODY], [ATTEMPT, "HTTP 500"], [ATTEMPT, "connect: nobody there"], [FAIL]]),
    ).toMatchObject({
      outcome: "warning",
      found:
        "127.0.0.1:1 (subscription-ours) has failed 3 times in a row, the last at 1970-01-01T00:00:00.000Z: connect: nobody there",
      remedy: expect.stringContaining("POST /v1/admin/dead-letters/replay"),
    });
  });

  test("a warning: one that was disabled for failing; one that its owner switched off is none", async () => {
    const off = "UPDATE subscriptions SET is_active = 0, breaker_failures = 9";
    expect(await found(webhooks, [[off]])).toMatchObject({ outcome: "ok" });
    expect(await found(webhooks, [[`${off}, disabled_at = 1 WHERE id = 'subscription-ours'`]])).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("(subscription-ours) was disabled for failing"),
    });
  });
});

describe("webhook-hosts", () => {
  test("are asked once each, and no webhook is sent anything", async () => {
    expect(await found(webhookHosts, [[AT, receiver.url]])).toMatchObject({
      outcome: "ok",
      found: "all 1 hosts can be reached",
    });
    expect(receiver.arrived.map(({ headers, raw }) => [headers["host"], raw])).toEqual([
      [new URL(receiver.url).host, ""],
    ]);
  });

  test("a warning: nobody there", async () => {
    expect(await found(webhookHosts, [[AT, NOBODY]])).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("127.0.0.1:1 cannot be reached (connect"),
    });
  });

  test("a warning: a host that may not be reached, which is not asked", async () => {
    expect(await found(webhookHosts, [[AT, receiver.url]], "10.0.0.1")).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("RECADO_OUTBOUND_ALLOW"),
    });
    expect(receiver.arrived).toEqual([]);
  });
});

describe("own-language-models", () => {
  const own = (url: string, key = "'the sealed canary'") =>
    [
      "INSERT INTO llm_settings (tenant_id, base_url, key, updated_at) VALUES ('ours', ?1, :key, 1) ON CONFLICT DO UPDATE SET base_url = excluded.base_url, key = excluded.key".replace(
        ":key",
        key,
      ),
      url,
    ] as const;

  test("are those that an account with a key has named, and are asked without it", async () => {
    expect(await found(ownLanguageModels, [own(receiver.url)])).toMatchObject({ outcome: "ok" });
    expect(receiver.arrived.map(({ headers }) => headers["authorization"])).toEqual([undefined]);
    expect(await found(ownLanguageModels, [own(NOBODY, "NULL")])).toMatchObject({ outcome: "skipped" });
  });

  test("those for knowledge too: a warning where nobody is there, unless the account has no key", async () => {
    const forKnowledge = ["UPDATE llm_settings SET embedding_base_url = ?1 WHERE tenant_id = 'ours'", NOBODY] as const;
    expect(await found(ownLanguageModels, [own(receiver.url), forKnowledge])).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("127.0.0.1:1 cannot be reached"),
    });
    expect(receiver.arrived.length).toBe(1);
    expect(await found(ownLanguageModels, [own(NOBODY, "NULL"), forKnowledge])).toMatchObject({ outcome: "skipped" });
  });

  test("an Azure address keeps its api-version behind the path of the models", async () => {
    const asked: string[] = [];
    const azure = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ url }) {
        asked.push(new URL(url).pathname + new URL(url).search);
        return new Response("{}");
      },
    });
    const { outcome } = await found(ownLanguageModels, [own(`${azure.url.origin}/openai?api-version=2024-10-21`)]);
    await azure.stop(true);
    expect([outcome, asked]).toEqual(["ok", ["/openai/models?api-version=2024-10-21"]]);
  });

  test("a warning: nobody there", async () => {
    expect(await found(ownLanguageModels, [own(NOBODY)])).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("127.0.0.1:1 cannot be reached"),
      remedy: expect.stringContaining("PATCH /v1/account/integrations/llm"),
    });
  });
});
