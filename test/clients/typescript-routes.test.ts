import { describe, expect, test } from "bun:test";
import { Recado, RecadoAdmin, RecadoPlatform } from "../../clients/typescript/src/index.ts";
import { Pages } from "../../clients/typescript/src/pages.ts";
import { type Document, operationsOf } from "../../scripts/clients/document.ts";
import { BY_HAND, NOT_FOR_CLIENTS } from "../../scripts/clients/names.ts";
import { namedRoutes, PARTS, typescriptOf } from "../../scripts/clients/typescript.ts";
import gateway from "../snapshots/openapi.gateway.json";
import platform from "../snapshots/openapi.platform.json";

const DOCUMENTS = { gateway: gateway as Document, platform: platform as Document };
const ID = "an id/ü";

/** A client whose requests are kept and answered with nothing. */
const recorded = () => {
  const sent: { method: string; path: string; headers: Headers; body: unknown }[] = [];
  const fetch = (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url);
    sent.push({
      method: init.method ?? "GET",
      path: pathname + search,
      headers: new Headers(init.headers),
      body: init.body,
    });
    return Promise.resolve(Response.json({}));
  };
  const connection = { url: "http://recado.example", fetch };
  const clients = {
    Gateway: new Recado({ ...connection, apiKey: "ak_live_1" }),
    Admin: new RecadoAdmin({ ...connection, adminToken: "the token" }),
    Platform: new RecadoPlatform({ ...connection, token: "pk_1" }),
  };
  return { sent, clients };
};

type Namespaces = Record<string, Record<string, (...args: unknown[]) => unknown>>;

const parts = (["gateway", "platform"] as const).flatMap((api) =>
  PARTS[api].map((part) => ({ name: part.name, routes: namedRoutes(DOCUMENTS[api], part) })),
);

describe.each(parts)("the functions of $name", ({ name, routes }) => {
  test.each(routes)("$namespace.$name asks $operation.method $operation.path", async ({ operation, ...one }) => {
    const { sent, clients } = recorded();
    const call = (clients[name as keyof typeof clients] as unknown as Namespaces)[one.namespace]?.[one.name];
    const input = operation.body ? [{ a: 1 }] : [];
    const answer = call?.(...operation.inPath.map(() => ID), ...input);
    await (answer instanceof Pages ? answer.page() : answer);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(ID))}`,
    ]);
    expect(answer instanceof Pages).toBe(operation.list !== undefined);
  });
});

test("every route of both APIs is a function, but what networks call, and what is written by hand", () => {
  const named = parts.flatMap(({ routes }) => routes.map(({ operation }) => operation.id));
  const all = Object.values(DOCUMENTS).flatMap(operationsOf);
  const without = all.filter(({ tag, id }) => !NOT_FOR_CLIENTS.includes(tag) && !BY_HAND.includes(id));
  expect(named.toSorted()).toEqual(without.map(({ id }) => id).toSorted());
  expect(all.length - named.length).toBeLessThan(9);
});

test("the generated files are what the committed descriptions say", async () => {
  for (const api of ["gateway", "platform"] as const) {
    const file = new URL(`../../clients/typescript/src/generated/${api}.ts`, import.meta.url);
    expect((await Bun.file(file).text()) === typescriptOf(api, DOCUMENTS[api])).toBe(true);
  }
});

test("two functions of one name are refused, and so are a schema that is called as the client's own types are, and one that is missing", () => {
  const route = (operationId: string) => ({ get: { operationId, tags: ["phones"], responses: {} } });
  const twice = { paths: { "/a": route("getPhone"), "/b": route("get") } };
  const part = PARTS.platform[0];
  if (!part) throw new Error("the platform has no part");
  expect(() => namedRoutes(twice, part)).toThrow("get and getPhone would both be phones.get");
  expect(() => typescriptOf("platform", { paths: {}, components: { schemas: { Pages: {} } } })).toThrow("Pages");
  expect(() => typescriptOf("platform", { paths: {} })).toThrow("ErrorCode, PlatformEvent");
});

test.each([
  ["create", { path: "/v1/phones", body: `{"label":"a"}` }, (r: Recado) => r.phones.create({ label: "a" } as never)],
  [
    "query",
    { path: "/v1/events?phoneId=1&type=message%3Areceived", body: undefined },
    (r: Recado) => r.events.list({ phoneId: "1", type: "message:received" }).page(),
  ],
  [
    "a query of nothing",
    { path: "/v1/groups", body: undefined },
    (r: Recado) => r.groups.list({ phoneId: undefined } as never).page(),
  ],
])("%s: where the input goes", async (_, expected, ask) => {
  const { sent, clients } = recorded();
  await ask(clients.Gateway);
  expect(sent).toMatchObject([expected]);
});

test("each client shows its own credential, and a POST its Idempotency-Key", async () => {
  const { sent, clients } = recorded();
  await clients.Gateway.phones.list().page();
  await clients.Admin.stats.get();
  await clients.Platform.channels.list().page();
  await clients.Gateway.phones.reconnect("1");
  await clients.Gateway.phones.reconnect("1", { idempotencyKey: "mine", headers: { "x-request-id": "12345678" } });
  const shown = ["x-api-key", "x-admin-token", "authorization", "idempotency-key", "x-request-id"];
  expect(sent.map(({ headers }) => shown.map((name) => headers.get(name)))).toEqual([
    ["ak_live_1", null, null, null, null],
    [null, "the token", null, null, null],
    [null, null, "Bearer pk_1", null, null],
    ["ak_live_1", null, null, expect.stringMatching(/^[0-9a-f-]{36}$/), null],
    ["ak_live_1", null, null, "mine", "12345678"],
  ]);
});

test.each(["", ".", "..", undefined, {}])("the id %p is refused, and nothing is sent", (id) => {
  const { sent, clients } = recorded();
  expect(() => clients.Gateway.phones.delete(id as string)).toThrow(TypeError);
  expect(sent).toEqual([]);
});
