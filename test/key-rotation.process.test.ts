import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../src/conformance/seeded-random.ts";
import { embeddingKeyRow, keyRow } from "../src/core/ai/provider.ts";
import { toolHeaders } from "../src/core/ai/tools/tool-secrets.ts";
import { customerRow } from "../src/core/billing/invoices/customer.ts";
import { copyRow, keyStoreRow, vaultRow } from "../src/core/channels/settings/vault.ts";
import { secretRow } from "../src/core/events/outgoing.ts";
import { headersRow } from "../src/core/events/own-headers.ts";
import { queueMail } from "../src/core/tenancy/mail/mails.ts";
import { totpRow } from "../src/core/tenancy/sign-in/second-step.ts";
import { secretsOf, type WrappedKey } from "../src/kernel/crypto.ts";
import type { SubscriptionId, TenantId } from "../src/kernel/ids.ts";
import { localTokenFrom } from "../src/setup.ts";
import { type Connection, openReader } from "../src/store/engine/connection.ts";
import { SEALED } from "../src/store/laws/sealed.ts";
import { processes } from "./support/processes/process.ts";
import { newTenant, type Tenant } from "./support/tenants/tenant.ts";
import { startWorld, type World } from "./support/world.ts";

setDefaultTimeout(120_000);
const tools = processes();
const random = seededRandom(5);
const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

const masterKeyIn = (dataDir: string): Uint8Array =>
  Buffer.from(readFileSync(join(dataDir, "master.key"), "utf8").trim(), "base64");
const rotate = (world: World, ...flags: string[]) =>
  tools.run(["key", "rotate", "--json", ...flags], { RECADO_DATA_DIR: world.dataDir });

/** A stopped world with a secret of every kind, one of them of the time before there were data keys. */
const withSecrets = async (): Promise<{ world: World; tenant: Tenant; masterKey: Uint8Array }> => {
  const world = await startWorld();
  worlds.push(world);
  const tenant = await newTenant(world, "bluebird");
  const { db, secrets } = world.app.env;
  const { phoneId, tenantId } = tenant.ids;
  const masterKey = masterKeyIn(world.dataDir);
  // the answer is kept under the key, and the address of a broker has a password
  const broker = {
    label: "A stream",
    url: "redis://:a-password@127.0.0.1:6379/0?stream=events",
    secret: "s".repeat(16),
  };
  const kept = { key: tenant.gatewayKey, headers: { "Idempotency-Key": "once" }, body: broker };
  expect((await world.gateway("/v1/webhooks", kept)).status).toBe(201);
  const ofBefore = secretsOf(masterKey, random).seal(vaultRow(phoneId, "old"), "a secret of before");
  await db.write(async (tx) => {
    await queueMail(world.app.env, tx, {
      tenantId: undefined,
      recipient: null,
      subject: "a link",
      body: "a secret link",
      isSecret: true,
    });
    tx.run("DELETE FROM jobs WHERE kind = 'mail.send'"); // it would be given up, and its body with it
    const [hook] = await tx.rows<{ id: SubscriptionId }>("SELECT id FROM subscriptions LIMIT 1");
    if (hook)
      tx.run("UPDATE subscriptions SET previous_secret = ?2, headers = ?3 WHERE id = ?1", [
        hook.id,
        secrets.seal(secretRow(hook.id), "a secret of a webhook before"),
        secrets.seal(headersRow(hook.id), "{}"),
      ]);
    tx.run("INSERT INTO vault (channel_id, field, sealed) VALUES (?1, 'old', ?2)", [phoneId, ofBefore]);
    for (let id = 0; id < 450; id++)
      tx.run("INSERT INTO key_rows (channel_id, kind, id, sealed) VALUES (?1, 'k', ?2, ?3)", [
        phoneId,
        `${id}`,
        secrets.seal(keyStoreRow(phoneId, "k", `${id}`), `key ${id}`),
      ]);
    tx.run("INSERT INTO cached_messages (channel_id, provider_message_id, sealed, cached_at) VALUES (?1, 'n', ?2, 0)", [
      phoneId,
      secrets.seal(copyRow(phoneId, "n"), "a copy"),
    ]);
    tx.run(
      `INSERT INTO llm_settings (tenant_id, key, embedding_key, updated_at) VALUES (?1, ?2, ?3, 0)
        ON CONFLICT (tenant_id) DO UPDATE SET key = excluded.key, embedding_key = excluded.embedding_key`,
      [
        tenantId,
        secrets.seal(keyRow(tenantId as TenantId), "a key of models"),
        secrets.seal(embeddingKeyRow(tenantId as TenantId), "a key of models for knowledge"),
      ],
    );
    const { row } = toolHeaders({ id: tenant.ids.toolId, headers: null });
    tx.run("UPDATE agent_tools SET headers = ?2 WHERE id = ?1", [tenant.ids.toolId, secrets.seal(row, "{}")]);
    tx.run(
      "INSERT INTO billing_customers (tenant_id, processor_customer_id, cpf_cnpj, created_at, updated_at) VALUES (?1, 'c', ?2, 0, 0)",
      [tenantId, secrets.seal(customerRow(tenantId as TenantId), "24971563792")],
    );
    tx.run("INSERT INTO console_people (person, totp) VALUES ('operator:o', ?1)", [
      secrets.seal(totpRow("operator:o"), "a secret of codes"),
    ]);
  });
  await world.app.stop();
  return { world, tenant, masterKey };
};

const inDatabase = <Result>({ dataDir }: World, use: (connection: Connection) => Result): Result => {
  const connection = openReader(join(dataDir, "recado.db"));
  try {
    return use(connection);
  } finally {
    connection.close();
  }
};

const FORM = "1.????????.????????????????.*";

/** Every column of the database in which a text has the form of a sealed one, with those texts. */
const sealedTexts = (world: World): Map<string, string[]> =>
  inDatabase(world, (connection) => {
    const tables = connection
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .rows([]) as [string][];
    const columns = tables.flatMap(([table]) =>
      (connection.prepare(`SELECT name FROM pragma_table_info('${table}')`).rows([]) as [string][]).map(
        ([column]) => [table, column] as const,
      ),
    );
    const found = columns.map(([table, column]): [string, string[]] => [
      `${table}.${column}`,
      connection
        .prepare(`SELECT "${column}" FROM "${table}" WHERE typeof("${column}") = 'text' AND "${column}" GLOB '${FORM}'`)
        .rows([])
        .map(([text]) => String(text))
        .filter((text) => /^1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/.test(text)),
    ]);
    return new Map(found.filter(([, texts]) => texts.length > 0));
  });

const wrappedIn = (world: World): WrappedKey[] =>
  inDatabase(
    world,
    (connection) =>
      connection
        .prepare("SELECT purpose, id, wrapped, retired_at AS retiredAt FROM wrapped_keys")
        .objects([]) as WrappedKey[],
  );

/** What each sealed text says, by its row; throws where one does not open. */
const opened = (world: World, masterKey: Uint8Array): Map<string, string> => {
  const secrets = secretsOf(masterKey, random, wrappedIn(world));
  return inDatabase(world, (connection) => {
    const texts = SEALED.flatMap(
      ({ table, column, row }) =>
        connection
          .prepare(`SELECT '${column}', ${row}, ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
          .rows([]) as [string, string, string][],
    );
    return new Map(texts.map(([column, row, sealed]) => [`${column} ${row}`, secrets.open(row, sealed)]));
  });
};

const tokenStatus = async (world: World, token: string): Promise<number> =>
  (await world.platform("/v1/auth/institutions", { token })).status;

test("every column in which a sealed text lies is in the table of those; after a rotation with --data nothing in the database opens with the old key, and everything with the new one", async () => {
  const { world, tenant, masterKey } = await withSecrets();
  const before = opened(world, masterKey);
  const wrappedBefore = wrappedIn(world);
  expect([...sealedTexts(world).keys()].toSorted()).toEqual(
    [...SEALED.map(({ table, column }) => `${table}.${column}`), "wrapped_keys.wrapped"].toSorted(),
  );
  const ids = new Set([...sealedTexts(world).values()].flat().map((text) => text.split(".")[1]));
  expect(ids.size).toBe(2); // under the data key, and under the master key itself

  const { code, err, out } = await rotate(world, "--data");
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({
    from: secretsOf(masterKey, random).keyId,
    isDone: true,
    resealed: before.size,
  });
  const next = masterKeyIn(world.dataDir);
  expect(opened(world, next)).toEqual(before);
  const wrapped = wrappedIn(world);
  expect(wrapped.filter(({ purpose }) => purpose === "data")).toHaveLength(1);
  const withOld = secretsOf(masterKey, random, [...wrapped, ...wrappedBefore]);
  const rows = [...before.keys(), ...wrapped.map(({ purpose, id }) => `wrapped_keys:${purpose}:${id}`)];
  for (const [column, texts] of sealedTexts(world)) {
    for (const text of column === "key_rows.sealed" ? texts.slice(0, 3) : texts)
      for (const row of rows) expect(() => withOld.open(row, text)).toThrow();
  }

  await world.restart();
  expect((await world.gateway(`/v1/phones/${tenant.ids.phoneId}`, { key: tenant.gatewayKey })).body.status).toBe(
    "CONNECTED",
  );
  expect(await tokenStatus(world, tenant.token)).toBe(200);
  expect(world.app.env.localToken).toBe(localTokenFrom(secretsOf(next, random)));
  expect(world.app.env.localToken).not.toBe(localTokenFrom(secretsOf(masterKey, random)));
});

test("without --data the keys are wrapped anew and nothing else changes; what is sealed goes on to open, also after a second rotation", async () => {
  const { world, masterKey } = await withSecrets();
  const [before, texts] = [opened(world, masterKey), sealedTexts(world)];
  texts.delete("wrapped_keys.wrapped");
  for (let round = 0; round < 2; round++) {
    expect((await rotate(world)).err).toBe("");
    const after = sealedTexts(world);
    after.delete("wrapped_keys.wrapped");
    expect(after).toEqual(texts);
    expect(opened(world, masterKeyIn(world.dataDir))).toEqual(before);
    expect(() => opened(world, masterKey)).toThrow();
  }
});

test("with --revoke user tokens of before are refused at once, and so is the local admin token of before", async () => {
  const { world, tenant, masterKey } = await withSecrets();
  await world.restart();
  const old = { "x-admin-token": localTokenFrom(secretsOf(masterKey, random)) };
  expect([
    await tokenStatus(world, tenant.token),
    (await world.gateway("/v1/admin/accounts", { headers: old })).status,
  ]).toEqual([200, 200]);
  await world.app.stop();
  expect((await rotate(world, "--revoke")).err).toBe("");
  await world.restart();
  expect([
    await tokenStatus(world, tenant.token),
    (await world.gateway("/v1/admin/accounts", { headers: old })).status,
  ]).toEqual([401, 403]);
});
