import { beforeAll, describe, expect, test } from "bun:test";
import {
  type AskedOfConsole,
  askConsole,
  memberSession,
  operatorSession,
} from "../../support/customers/console-person.ts";
import { fill, useWorld } from "../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../support/world.ts";

const w = useWorld();

/** What the tests need: two institutions, a member of the first with each role, an operator, and their sessions. */
const have = {} as { own: string; other: string; userId: string; operator: string; operatorId: string; owner: string };
beforeAll(async () => {
  const [own, other] = [await w.institution(), await w.institution()];
  const operator = await operatorSession(w);
  fill(have, {
    own: own.id,
    other: other.id,
    userId: own.userId,
    operator: operator.cookie,
    operatorId: operator.id,
    owner: await memberSession(w, own.userId),
  });
});

const ask = (path: string, asked?: AskedOfConsole) => askConsole(w, path, asked);
const statusOf = async (path: string, asked: AskedOfConsole) => (await ask(path, asked)).status;

describe("through the doors", () => {
  test("a member uses both APIs in their institution", async () => {
    const asked = { as: have.owner, account: have.own };
    const account = await ask("/gateway/v1/account", asked);
    expect([account.status, account.body.id, account.body.key.name]).toEqual([200, have.own, "A User"]);
    const own = await ask("/platform/v1/account", asked);
    expect([own.status, own.body.id, own.body.role]).toEqual([200, have.own, "OWNER"]);
    const made = await ask("/gateway/v1/webhooks", {
      ...asked,
      body: { label: "Ours", url: "https://hooks.example.com/x", secret: WEBHOOK_SECRET },
    });
    expect(made.status).toBe(201);
  });

  test("a query, a body and an id in another spelling arrive", async () => {
    const answer = await ask(`/gateway/v1/phones?limit=1`, { as: have.owner, account: have.own.toUpperCase() });
    expect(answer.status).toBe(200);
    const refusal = await ask("/gateway/v1/webhooks", { as: have.owner, account: have.own, body: { url: 1 } });
    expect([refusal.status, refusal.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("an operator acts in any account as themselves, and the audit log names them and the account", async () => {
    const made = await ask("/gateway/v1/webhooks", {
      as: have.operator,
      account: have.other,
      body: { label: "Theirs", url: "https://hooks.example.com/y", secret: WEBHOOK_SECRET },
    });
    expect(made.status).toBe(201);
    const log = await ask("/gateway/v1/admin/audit?action=webhook.create", { as: have.operator });
    expect(log.status).toBe(200);
    expect(log.body.items[0]).toMatchObject({
      actor: `operator:${have.operatorId}`,
      tenantId: have.other,
      target: made.body.id,
    });
  });

  test("an operator looks after members without being one", async () => {
    const path = `/platform/v1/institutions/${have.other}/members`;
    const asked = { as: have.operator, account: have.other };
    const invited = await ask(path, { ...asked, body: { email: "new@example.com", role: "OWNER" } });
    expect([invited.status, invited.body.role]).toEqual([201, "OWNER"]);
    expect((await ask(path, asked)).body.data.map((one: { email: string }) => one.email)).toContain("new@example.com");
    const withdrawn = `/platform/v1/institutions/${have.other}/invitations/${invited.body.invitationId}`;
    expect(await statusOf(withdrawn, { ...asked, method: "DELETE" })).toBe(204);
    const user = await ask("/platform/v1/auth/institutions", asked);
    expect([user.status, user.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
  });

  test("an event stream passes", async () => {
    const session = await memberSession(w, have.userId);
    const leave = new AbortController();
    const answer = await fetch(`${w.app.url}/console/gateway/v1/events/stream`, {
      headers: {
        "x-recado-console": "1",
        "sec-fetch-site": "same-origin",
        cookie: `recado=${session}`,
        "x-recado-account": have.own,
      },
      signal: leave.signal,
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toStartWith(": connected");
    leave.abort();
  });
});

describe("what the doors refuse", () => {
  const body = { label: "No", url: "https://hooks.example.com/no", secret: WEBHOOK_SECRET };
  const webhooksOf = async (account: string): Promise<string> =>
    (await ask("/gateway/v1/webhooks", { as: have.operator, account })).text;

  test.each<[string, Record<string, string | null>]>([
    ["from another port of this host", { origin: "http://localhost:1", "sec-fetch-site": "same-site" }],
    ["from another port, with an old browser", { origin: "http://localhost:1", "sec-fetch-site": null }],
    ["from another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["of the same site without an origin", { origin: null, "sec-fetch-site": "same-site" }],
    ["typed into the address bar", { origin: null, "sec-fetch-site": "none" }],
    ["from a sandboxed page", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["with neither header", { origin: null, "sec-fetch-site": null }],
    ["without the console's header, as forms send them", { "x-recado-console": null }],
    ["with another value of the console's header", { "x-recado-console": "0" }],
    ["over another scheme", { origin: "https://localhost", "sec-fetch-site": null }],
  ])("a request %s", async (_, headers) => {
    const before = await webhooksOf(have.own);
    const answer = await ask("/gateway/v1/webhooks", { as: have.owner, account: have.own, body, headers });
    expect([answer.status, answer.body.error.code]).toEqual([403, "ORIGIN_REFUSED"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await webhooksOf(have.own)).toBe(before);
  });

  test("no session, an unknown one, and one that has ended", async () => {
    for (const as of [undefined, "unknown"]) {
      const answer = await ask("/gateway/v1/account", { ...(as ? { as } : {}), account: have.own });
      expect([answer.status, answer.body.error.code, answer.body.code]).toEqual([
        401,
        "SESSION_REQUIRED",
        "SESSION_REQUIRED",
      ]);
    }
    const { cookie: as } = await operatorSession(w);
    expect(await statusOf("/platform/v1/account", { as, account: have.own })).toBe(200);
    expect((await ask("/sign-out", { as, method: "POST" })).status).toBeLessThan(300);
    expect(await statusOf("/platform/v1/account", { as, account: have.own })).toBe(401);
  });

  test("a member who names another institution, one that is not there, or none", async () => {
    for (const account of [have.other, "0b7bd3a9-0000-4000-8000-000000000009", "", "' OR 1=1"]) {
      const asked = { as: have.owner, account };
      const gateway = await ask("/gateway/v1/webhooks", { ...asked, body });
      expect([gateway.status, gateway.body.error.code]).toEqual([403, "FORBIDDEN"]);
      const platform = await ask("/platform/v1/contacts", asked);
      expect([platform.status, platform.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
    }
    expect(await webhooksOf(have.other)).not.toContain("hooks.example.com/no");
  });

  test("a member at the admin API, also with the admin token of somebody else", async () => {
    for (const headers of [{}, { "x-admin-token": "the-admin-token" }]) {
      const answer = await ask("/gateway/v1/admin/accounts", { as: have.owner, account: have.own, headers });
      expect([answer.status, answer.body.error.code]).toEqual([403, "ADMIN_FORBIDDEN"]);
    }
  });

  test("a key beside the session opens nothing more", async () => {
    const { key } = await w.account();
    const answer = await ask("/gateway/v1/account", {
      as: have.owner,
      account: have.own,
      headers: { "x-api-key": key },
    });
    expect(answer.body.id).toBe(have.own);
    expect(await statusOf("/gateway/v1/account", { headers: { "x-api-key": key } })).toBe(401);
  });

  test.each([
    "/gateway/../platform/v1/account",
    "/gateway/%2e%2e/platform/v1/account",
    "/gateway/..%2fplatform%2fv1%2faccount",
    "/gateway/v1/%2e%2e/%2e%2e/%2e%2e/metrics",
    "/gateway\\..\\platform/v1/account",
    "/gateway/v1/account%00",
    "/gateway//v1/account",
    "/gatewayx/v1/account",
    "/gateway",
    "/Gateway/v1/account",
    "/gateway/%76%31/account",
    "/gateway/v1/admin%2faccounts",
  ])("the path %s", async (path) => {
    // over a socket: fetch would resolve the path before it sends it
    const { hostname, port } = new URL(w.app.url);
    const answer = await raw(hostname, Number(port), [
      `GET /console${path} HTTP/1.1`,
      `Host: localhost:${port}`,
      "Connection: close",
      "X-Recado-Console: 1",
      "Sec-Fetch-Site: same-origin",
      `Cookie: recado=${have.owner}`,
      `X-Recado-Account: ${have.own}`,
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 (400|404)/);
  });
});

test("a session's cookie opens nothing at the public addresses", async () => {
  const headers = {
    cookie: `recado=${have.operator}; __Host-recado=${have.operator}`,
    "x-recado-console": "1",
    "x-recado-account": have.own,
    origin: new URL(w.app.publicUrl).origin,
    "sec-fetch-site": "same-origin",
  };
  expect((await w.gateway("/v1/account", { headers })).status).toBe(401);
  expect((await w.gateway("/v1/admin/accounts", { headers })).status).toBe(403);
  expect((await w.platform("/v1/account", { headers })).status).toBe(401);
  expect((await w.platform("/v1/account", { token: have.operator })).status).toBe(401);
  expect((await w.gateway("/v1/account", { key: have.operator })).status).toBe(401);
});

const raw = async (hostname: string, port: number, lines: string[]): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  await Bun.connect({
    hostname,
    port,
    socket: {
      open: (socket) => void socket.write(`${lines.join("\r\n")}\r\n\r\n`),
      data: (_, chunk) => void chunks.push(Buffer.from(chunk)),
      close: () => resolve(Buffer.concat(chunks).toString()),
    },
  });
  return promise;
};
