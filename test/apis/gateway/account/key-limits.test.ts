import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { documentedRoutes, nameOf, type Route } from "../../../support/apis/open-api.ts";
import { customer, made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
let accountId: string;
let routes: Route[];
const PUBLIC = [
  "GET /v1/upstream-webhook",
  "POST /v1/upstream-webhook",
  "GET /v1/upstream-webhook/{channelId}",
  "POST /v1/upstream-webhook/{channelId}",
  "POST /v1/payment-webhook",
  "POST /v1/chatwoot/{webhookId}",
  "POST /v1/flows/data-exchange/{flowId}",
];
/** Open to every key. */
const ANY_KEY = "GET /v1/account";

beforeAll(async () => {
  accountId = (await w.account()).id;
  routes = (await documentedRoutes(w, "gateway")).filter(
    (route) =>
      route.path.startsWith("/v1/") &&
      !route.path.startsWith("/v1/admin/") &&
      ![...PUBLIC, ANY_KEY].includes(nameOf(route)),
  );
});
beforeEach(() => w.advance(60_000));

const issue = (body: object) =>
  w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true, body: { name: "A key", ...body } });
const keyWith = async (body: object): Promise<string> => made(await issue(body), 201).key;

/** Asks with nothing that could do anything, and gives the code of the answer; an open stream has none. */
const ask = async ({ method, path }: Pick<Route, "method" | "path">, key: string): Promise<string | undefined> => {
  const ending = new AbortController();
  const answer = await fetch(
    `${w.app.url}/gateway${path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000")}`,
    {
      method,
      headers: { "x-api-key": key, "x-phone-id": "none", "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: "{broken" }),
      signal: ending.signal,
    },
  );
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    ending.abort();
    return undefined;
  }
  return ((await answer.json()) as { error?: { code: string } }).error?.code;
};

/** Who reads one of these can take a phone over. */
const TAKES_OVER = ["qrcode", "pairing", "pairing-code", "pairing-links", "passkey"].map(
  (path) => `GET /v1/phones/{id}/${path}`,
);
/** It sends. */
const SENDS = ["POST /v1/chats/{id}/messages", "POST /v1/phones/{id}/statuses"];
const scopeOf = (route: Route): string =>
  SENDS.includes(nameOf(route))
    ? "messages.write"
    : `${route.operation.tags[0]}.${route.method === "GET" && !TAKES_OVER.includes(nameOf(route)) ? "read" : "write"}`;

const refusedFor = async (key: string): Promise<string[]> => {
  const said = await Promise.all(routes.map(async (route) => [nameOf(route), await ask(route, key)] as const));
  return said.filter(([, code]) => code === "KEY_SCOPE_MISSING").map(([name]) => name);
};

describe("the scopes of a gateway key", () => {
  test("every route that needs a key is opened by one scope, its resource's read or write, and by no other", async () => {
    const scopes = [...new Set(routes.map(scopeOf))];
    expect([routes.length > 90, scopes.length > 20]).toEqual([true, true]);
    for (const scope of scopes) {
      await w.advance(60_000);
      const closed = routes.filter((route) => scopeOf(route) !== scope).map(nameOf);
      expect(await refusedFor(await keyWith({ scopes: [scope] }))).toEqual(closed);
    }
  });

  test("several open what each of them opens, and other texts beside them nothing", async () => {
    const open = ["phones.read", "messages.write"];
    const { key, limitedTo, scopes } = made(await issue({ scopes: [...open, "everything"] }), 201);
    expect([limitedTo, scopes]).toEqual([open, [...open, "everything"]]);
    expect(await refusedFor(key)).toEqual(routes.filter((route) => !open.includes(scopeOf(route))).map(nameOf));
  });

  test.each([
    [{}],
    [{ scopes: [] }],
    [{ scopes: ["x"] }],
    [{ scopes: ["phones", "phones.*", "Phones.read", " phones.read"] }],
  ])("G-081 %j is kept and limits nothing: only the names of our own list do", async (body: { scopes?: string[] }) => {
    const { key, scopes, limitedTo } = made(await issue(body), 201);
    expect([scopes, limitedTo]).toEqual([body.scopes ?? [], null]);
    expect(await refusedFor(key)).toEqual([]);
  });

  test("G-081 texts that are no scopes are named in the answer, and refused where strict handling is preferred", async () => {
    const strict = { prefer: "handling=strict" };
    const { token, id } = await w.institution();
    const account = await w.account();
    const doors: [string, (scopes: string[], headers?: Record<string, string>) => Promise<Answer>][] = [
      [
        "gateway, admin",
        (scopes, headers = {}) =>
          w.gateway(`/v1/admin/accounts/${account.id}/api-keys`, { admin: true, body: { name: "x", scopes }, headers }),
      ],
      [
        "gateway, own",
        (scopes, headers = {}) => w.gateway("/v1/api-keys", { key: account.key, body: { name: "x", scopes }, headers }),
      ],
      [
        "platform",
        (scopes, headers = {}) =>
          w.platform(`/v1/institutions/${id}/gateway-keys`, { token, body: { name: "x", scopes }, headers }),
      ],
    ];
    const keys = async () =>
      (await w.app.env.db.read((reader) => reader.rows<{ n: number }>("SELECT count(*) AS n FROM api_keys")))[0]?.n;
    for (const [door, make] of doors) {
      const before = await keys();
      const refused = await make(["messages.read", "mesages.write"], strict);
      expect([door, refused.status, refused.text.includes("mesages.write"), await keys()]).toEqual([
        door,
        400,
        true,
        before,
      ]);
      const named = made(await make(["messages.read", "mesages.write"]), 201);
      expect([door, named.warnings]).toEqual([door, ['"mesages.write" is not a scope and limits nothing.']]);
      const alone = made(await make(["mesages.write"]), 201);
      expect([door, alone.scopes, alone.warnings]).toEqual([
        door,
        ["mesages.write"],
        ['"mesages.write" is not a scope and limits nothing.', "No scope limits this key."],
      ]);
      for (const scopes of [[], ["messages.read"]])
        expect(made(await make(scopes, strict), 201)).not.toHaveProperty("warnings");
    }
  });

  test("a read-only key changes nothing and reads no pairing code; with scopes it reads those alone", async () => {
    const writes = routes.filter((route) => scopeOf(route).endsWith(".write")).map(nameOf);
    expect(writes).toEqual(expect.arrayContaining(TAKES_OVER));
    expect(await refusedFor(await keyWith({ readOnly: true }))).toEqual(writes);
    const limited = await keyWith({ readOnly: true, scopes: ["messages.read", "messages.write"] });
    expect(await refusedFor(limited)).toEqual(routes.filter((route) => scopeOf(route) !== "messages.read").map(nameOf));
  });

  test("a refusal says which scope is missing, before the body is read, and nothing happens", async () => {
    const key = await keyWith({ scopes: ["phones.read"] });
    const answer = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } });
    expect([answer.status, answer.body.error]).toEqual([
      403,
      {
        code: "KEY_SCOPE_MISSING",
        message: "The API key may not do this.",
        details: { scope: "phones.write", readOnly: false },
      },
    ]);
    expect(made(await w.gateway("/v1/phones", { key }), 200)).toEqual([]);
  });

  test("what is no route, however it is spelled, is nothing that a limited key may do", async () => {
    const key = await keyWith({ scopes: ["lookup.read"] });
    for (const path of [
      "/v1/nothing",
      "/v1/phones/",
      "/v1//phones",
      "/v1/phones//",
      "/v1/PHONES",
      "/v1/phones/%2e",
      "/v1/phones/a/qrcode/",
    ]) {
      for (const method of ["GET", "HEAD", "DELETE"])
        expect([
          path,
          method,
          (await fetch(`${w.app.url}/gateway${path}`, { method, headers: { "x-api-key": key } })).status,
        ]).toEqual([path, method, 403]);
    }
  });
});

describe("the addresses of a key", () => {
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } }); // as a proxy on this machine says it

  test.each([
    [["203.0.113.7"], ["203.0.113.7", "::ffff:203.0.113.7"], ["203.0.113.8", "2001:db8::1"]],
    [
      ["203.0.113.0/24", "2001:db8::/32"],
      ["203.0.113.255", "2001:db8:ffff::1"],
      ["203.0.114.0", "2001:db9::1", "unknown", ""],
    ],
    [["10.0.0.0/8"], ["10.255.0.1"], ["11.0.0.1"]],
  ])("%j: it works from %j, and from nowhere else (%j)", async (allowedAddresses, inside, outside) => {
    const issued = made(await issue({ allowedAddresses }), 201);
    expect(issued.allowedAddresses).toEqual(allowedAddresses);
    for (const address of inside)
      expect([address, (await w.gateway("/v1/phones", { key: issued.key, ...from(address) })).status]).toEqual([
        address,
        200,
      ]);
    for (const address of outside) {
      const { status, body } = await w.gateway("/v1/phones", { key: issued.key, ...from(address) });
      expect([address, status, body.error.code]).toEqual([address, 403, "KEY_ADDRESS_FORBIDDEN"]);
    }
  });

  test.each([
    ["example.com"],
    ["10.0.0.0/33"],
    ["10.0.0"],
    ["10.0.0.0/"],
    ["10.0.0.0/8/8"],
    ["fe80::1%eth0"],
    ["::/129"],
  ])("%s is no address: 400, and no key is made", async (address) => {
    const before = made(await w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true }), 200).length;
    const { status, body } = await issue({ allowedAddresses: ["10.0.0.1", address] });
    expect([status, Object.keys(body.error.details.fieldErrors)]).toEqual([400, ["allowedAddresses"]]);
    expect(made(await w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true }), 200)).toHaveLength(
      before,
    );
  });

  test("P-133 a platform key has them too: 403 on every kind of route, and they are shown where it is listed", async () => {
    const who = await customer(w);
    const body = {
      name: "A key",
      permissions: ["channels.read", "webhooks.read"],
      allowedAddresses: ["203.0.113.0/24"],
    };
    const { key, allowedAddresses } = made(await w.platform("/v1/api-keys", { token: who.token, body }), 201);
    expect(allowedAddresses).toEqual(body.allowedAddresses);
    expect(made(await w.platform("/v1/api-keys", { token: who.token }), 200).data[0].allowedAddresses).toEqual(
      body.allowedAddresses,
    );
    for (const path of ["/v1/channels", "/v1/webhooks"]) {
      expect((await w.platform(path, { key, ...from("203.0.113.9") })).status).toBe(200);
      const refused = await w.platform(path, { key, ...from("203.0.114.9") });
      expect([refused.status, refused.body.code ?? refused.body.error, refused.body.message]).toEqual([
        403,
        "FORBIDDEN_PERMISSION",
        "The API key may not be used from this address.",
      ]);
    }
    const bad = await w.platform("/v1/api-keys", {
      token: who.token,
      body: { ...body, allowedAddresses: ["nowhere"] },
    });
    expect([bad.status, bad.body.errors[0].path]).toEqual([400, "allowedAddresses.0"]);
  });
});
