import { beforeAll, describe, expect, test } from "bun:test";
import { ROLE_SCOPES, ROLES, type Role } from "../../../src/core/tenancy/people/roles.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { insertMember } from "../../../src/store/tables/tenancy/users.ts";
import { documentedRoutes } from "../../support/apis/open-api.ts";
import {
  type AskedOfConsole,
  askConsole,
  memberSession,
  operatorSession,
} from "../../support/customers/console-person.ts";
import { made } from "../../support/tenants/platform.ts";
import { fill, useWorld } from "../../support/use-world.ts";
import { startWorld, WEBHOOK_SECRET } from "../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "40" } });
const ask = (path: string, asked?: AskedOfConsole) => askConsole(w, path, asked);
const webhook = { label: "One", url: "https://hooks.example.com/x", secret: WEBHOOK_SECRET };

const have = {} as { account: string; key: string; operator: string; as: Record<Role, string> };
beforeAll(async () => {
  const { id: account, userId } = await w.institution();
  const as = { OWNER: await memberSession(w, userId) } as Record<Role, string>;
  for (const role of ROLES.filter((one) => one !== "OWNER")) {
    const { userId: other } = await w.institution();
    await w.app.env.db.write((tx) =>
      insertMember(tx, { tenantId: account as TenantId, userId: other, role, createdAt: w.clock.now() }),
    );
    as[role] = await memberSession(w, other);
  }
  const { cookie: operator } = await operatorSession(w);
  const { key } = made(
    await w.gateway(`/v1/admin/accounts/${account}/api-keys`, { admin: true, body: { name: "key" } }),
    201,
  );
  fill(have, { account, key, operator, as });
});

describe("a role", () => {
  test("names only scopes that routes have", async () => {
    const tags = new Set((await documentedRoutes(w, "gateway")).map(({ operation }) => operation.tags[0]));
    for (const scope of Object.values(ROLE_SCOPES).flatMap((scopes) => scopes ?? []))
      expect(tags.has(scope.split(".")[0])).toBe(true);
  });

  test.each<[Role, number, number, number]>([
    ["OWNER", 200, 201, 200],
    ["ADMIN", 200, 201, 200],
    ["MEMBER", 200, 403, 403],
    ["VIEWER", 200, 403, 403],
  ])("%s opens what it permits, and no more", async (role, reads, writes, keys) => {
    await w.advance(60_000);
    const asked = { as: have.as[role], account: have.account };
    expect((await ask("/gateway/v1/phones", asked)).status).toBe(reads);
    expect((await ask("/gateway/v1/webhooks", { ...asked, body: webhook })).status).toBe(writes);
    expect((await ask("/gateway/v1/api-keys", asked)).status).toBe(keys);
    expect((await ask("/gateway/v1/billing/invoices", asked)).status).toBe(keys);
  });

  test("is not raised by its holder: a member changes nobody, an admin makes no owner", async () => {
    await w.advance(60_000);
    const members = `/platform/v1/institutions/${have.account}/members`;
    const { data } = (await ask(members, { as: have.as.OWNER, account: have.account })).body;
    const idOf = (role: Role): string => data.find((one: { role: Role }) => one.role === role).userId;
    for (const role of ["ADMIN", "MEMBER", "VIEWER"] as const) {
      const path = `${members}/${idOf(role)}`;
      const refused = await ask(path, {
        as: have.as[role],
        account: have.account,
        method: "PATCH",
        body: { role: "OWNER" },
      });
      expect(refused.status).toBe(403);
    }
    expect((await ask(members, { as: have.as.OWNER, account: have.account })).body.data).toEqual(data);
  });

  test("opens no route that gives out a token", async () => {
    await w.advance(60_000);
    const asked = { as: have.as.OWNER, account: have.account };
    for (const [path, body] of [
      ["select-institution", { institutionId: have.account }],
      ["accept-invitation", { token: "x" }],
    ] as const) {
      const refused = await ask(`/platform/v1/auth/${path}`, { ...asked, body });
      expect([refused.status, refused.text.includes('token":')]).toEqual([403, false]);
    }
  });
});

test("a suspended account is closed to its members with what to pay, and open to an operator", async () => {
  await w.advance(60_000);
  const suspend = (stage: string) =>
    w.app.env.db.write(async (tx) => {
      await tx.rows("UPDATE tenants SET dunning_stage = ?2 WHERE id = ?1", [have.account, stage]);
    });
  await suspend("SUSPENDED");
  const refused = await ask("/gateway/v1/phones", { as: have.as.OWNER, account: have.account });
  expect([refused.status, refused.body.error.code]).toEqual([402, "ACCOUNT_SUSPENDED"]);
  expect(refused.body.error.details.invoices).toEqual([]);
  expect((await ask("/gateway/v1/phones", { as: have.operator, account: have.account })).status).toBe(200);
  await suspend("NONE");
});

test("an operator's Idempotency-Key counts for each account by itself", async () => {
  await w.advance(60_000);
  const other = (await w.institution()).id;
  const headers = { "idempotency-key": "the-same-key" };
  const [first, again, elsewhere] = [
    await ask("/gateway/v1/webhooks", { as: have.operator, account: have.account, body: webhook, headers }),
    await ask("/gateway/v1/webhooks", { as: have.operator, account: have.account, body: webhook, headers }),
    await ask("/gateway/v1/webhooks", { as: have.operator, account: other, body: webhook, headers }),
  ];
  expect([first.status, again.body.id, elsewhere.status]).toEqual([201, first.body.id, 201]);
  expect(elsewhere.body.id).not.toBe(first.body.id);
});

test("a person uses up nothing of the account's programs, and the other way round", async () => {
  await w.advance(60_000);
  const asked = { as: have.as.OWNER, account: have.account };
  const statuses: number[] = [];
  for (let n = 0; n < 41; n++) statuses.push((await ask("/gateway/v1/phones", asked)).status);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([200, 429]);
  expect((await w.gateway("/v1/phones", { key: have.key })).status).toBe(200);
  expect((await ask("/gateway/v1/phones", { as: have.as.ADMIN, account: have.account })).status).toBe(200);
});

describe("where the console is", () => {
  test("it can be switched off: no sign-in, no doors, no program; links in mails stay", async () => {
    const off = await startWorld({ env: { RECADO_CONSOLE: "off" } });
    const { cookie } = await operatorSession(off);
    for (const path of ["", "/session", "/gateway/v1/admin/accounts", "/assets/x", `/pair/${"0".repeat(32)}`])
      expect((await askConsole(off, path, { as: cookie, headers: { accept: "text/html" } })).status).toBe(404);
    expect((await fetch(`${off.app.url}/`, { redirect: "manual" })).status).toBe(404);
    expect((await fetch(`${off.app.url}/console/reset-password?token=x`)).status).toBe(200);
    const { key } = await off.account();
    const phone = made(await off.gateway("/v1/phones", { key, body: { type: "SESSION", label: "One" } }), 201);
    const refused = await off.gateway(`/v1/phones/${phone.id}/pairing-links`, { key, body: {} });
    expect([refused.status, refused.body.error.code]).toEqual([503, "CONSOLE_OFF"]);
    await off.stop();
  });

  test("it can have a host of its own, to which the root of the APIs does not lead", async () => {
    const own = await startWorld({
      env: { RECADO_PUBLIC_URL: "http://localhost:9", RECADO_CONSOLE_URL: "http://127.0.0.1:9/admin" },
    });
    const at = (host: string, path: string) =>
      fetch(own.app.url + path, { headers: { host, accept: "application/json" }, redirect: "manual" });
    expect((await at("localhost:9", "/")).status).toBe(404);
    expect((await at("localhost:9", "/admin")).status).toBe(404);
    expect((await at("127.0.0.1:9", "/")).headers.get("location")).toBe("/admin");
    expect((await at("127.0.0.1:9", "/admin")).status).toBe(200);
    expect((await at("127.0.0.1:9", "/admin/gateway/v1/account")).status).toBe(403);
    await own.stop();
  });
});
