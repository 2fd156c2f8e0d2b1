import { beforeAll, describe, expect, test } from "bun:test";
import { type Customer, customer, made, rowsOf, webhookBody } from "../../support/tenants/platform.ts";
import { addressed, isPermission, NOTHING, ROUTES, type Shape } from "../../support/tenants/platform-routes.ts";
import { useWorld } from "../../support/use-world.ts";
import type { Answer } from "../../support/world.ts";

const w = useWorld();
let who: Customer;
beforeAll(async () => {
  who = await customer(w);
});

const routes = Object.entries(ROUTES).map(([route, spec]) => ({ route, ...spec }));
const protectedRoutes = routes.filter(({ access }) => access !== "public");
const withBody = routes.filter(({ body }) => body !== undefined);

/** What authentication refuses, with its code on the routes that distinguish such cases. */
const BAD_CREDENTIALS: readonly { what: string; header?: string; code: string }[] = [
  { what: "no header", code: "AUTHENTICATION_REQUIRED" },
  { what: "another scheme", header: "Basic dXNlcjpwYXNz", code: "UNAUTHORIZED" },
  { what: "nothing after Bearer", header: "Bearer", code: "UNAUTHORIZED" },
  { what: "two words after Bearer", header: "Bearer one two", code: "UNAUTHORIZED" },
  { what: "an unknown key", header: `Bearer oapi_sk_live_${"x".repeat(43)}`, code: "INVALID_API_KEY" },
  { what: "a key of the gateway's form", header: `Bearer ak_live_${"x".repeat(43)}`, code: "INVALID_TOKEN" },
  { what: "no token at all", header: "Bearer garbage", code: "INVALID_TOKEN" },
];

describe("401", () => {
  test.each(protectedRoutes)(
    "P-007 P-021 P-024 P-028 P-130 P-131 P-132 P-267 P-308 $route without valid credentials answers in its shape",
    async ({ route, shape, body }) => {
      const before = await rowsOf(w, who.id);
      for (const { what, header, code } of BAD_CREDENTIALS) {
        const { method, path } = addressed(route, { institutionId: who.id });
        const things = { ...NOTHING, institutionId: who.id, userId: who.userId, strangerEmail: who.email };
        const answer = await w.platform(path, {
          method,
          ...(body ? { body: body(things) } : {}),
          headers: header === undefined ? {} : { authorization: header },
        });
        expect([what, answer.status]).toEqual([what, 401]);
        expectShape(answer, shape, shape === "webhooks" || shape === "logs" ? "UNAUTHORIZED" : code);
      }
      expect(await rowsOf(w, who.id)).toEqual(before);
    },
  );

  test("P-004 the gateway's header does not authenticate here", async () => {
    const answer = await w.platform("/v1/channels", { headers: { "x-api-key": who.key } });
    expect([answer.status, answer.body.code]).toEqual([401, "AUTHENTICATION_REQUIRED"]);
  });

  test("P-071 the scheme's letter case does not matter, a repeated blank neither", async () => {
    for (const header of [`bearer ${who.key}`, `BEARER  ${who.key}`])
      expect((await w.platform("/v1/channels", { headers: { authorization: header } })).status).toBe(200);
  });

  test("P-007 a route that does not exist is a 401 for whom nobody knows, and a 404 for others", async () => {
    expectShape(await w.platform("/v1/none"), "plain", "AUTHENTICATION_REQUIRED");
    const answer = await w.platform("/v1/none", { key: who.key });
    expect(answer.status).toBe(404);
    expectShape(answer, "plain", "NOT_FOUND");
  });
});

describe("400", () => {
  test.each(withBody.filter(({ shape }) => shape !== "plain"))(
    "P-020 P-023 $route has the shape of its errors with a slash at its end, too",
    async ({ route, shape, access }) => {
      const { method, path } = addressed(route, { institutionId: who.id });
      const answer = await w.platform(`${path}/`, {
        method,
        ...(access === "public" ? {} : { key: who.key }),
        raw: "{",
      });
      expect(answer.status).toBe(400);
      expectShape(answer, shape, "VALIDATION_ERROR");
    },
  );

  test.each(withBody)(
    "P-020 P-022 P-023 P-027 $route refuses what is not JSON, is none of its objects, or comes as another type",
    async ({ route, shape, access, testOnly, body }) => {
      const before = await rowsOf(w, who.id);
      const { method, path } = addressed(route, { institutionId: who.id });
      const as = isPermission(access) ? { key: testOnly ? who.testKey : who.key } : { token: who.token };
      const things = { ...NOTHING, institutionId: who.id, userId: who.userId, strangerEmail: who.email };
      const json = JSON.stringify(body?.(things));
      const form = new URLSearchParams(
        Object.fromEntries(Object.entries(body?.(things) ?? {}).map(([name, value]) => [name, String(value)])),
      ).toString();
      const bodies = [
        { raw: "{" },
        { raw: "" },
        { raw: "[]" },
        { raw: "null" },
        { raw: '"text"' },
        { raw: json, headers: { "content-type": "text/plain" } },
        { raw: form, headers: { "content-type": "application/x-www-form-urlencoded" } },
      ];
      for (const one of bodies) {
        const answer = await w.platform(path, { method, ...as, ...one });
        expect([one, answer.status]).toEqual([one, 400]);
        expectShape(answer, shape, "VALIDATION_ERROR");
      }
      expect(await rowsOf(w, who.id)).toEqual(before);
    },
  );

  test("P-002 a body of another type than JSON's, as curl sends by default, is answered with the right one", async () => {
    const answer = await w.platform("/v1/channels", {
      key: who.key,
      raw: '{"name":"A channel"}',
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining("The body must be JSON, sent as Content-Type: application/json."),
    ]);
  });

  test("P-002 JSON is taken with a charset, and unknown fields are ignored", async () => {
    const answer = await w.platform("/v1/channels", {
      key: who.key,
      raw: JSON.stringify({ name: "A channel", type: "CHAT_WABA", status: "CONNECTED", id: "mine", colour: "red" }),
      headers: { "content-type": "application/json; charset=utf-8" },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ status: "DISCONNECTED" });
    expect(answer.body.id).not.toBe("mine");
    expect(answer.body.colour).toBeUndefined();
  });

  test("P-002 a request that needs no body takes none, an empty one, and one of the type of JSON", async () => {
    const { id } = made(
      await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_WABA" } }),
      201,
    );
    for (const headers of [{}, { "content-type": "application/json" }]) {
      expect(
        (await w.platform(`/v1/channels/${id}/disconnect`, { key: who.key, method: "POST", headers })).status,
      ).toBe(200);
    }
  });

  test.each([
    [
      "POST /v1/channels",
      "/v1/channels",
      {},
      [
        ["name", "required"],
        ["type", "required"],
      ],
    ],
    [
      "POST /v1/channels",
      "/v1/channels",
      { name: "", type: "SESSION" },
      [
        ["name", "minLength"],
        ["type", "enum"],
      ],
    ],
    [
      "POST /v1/channels",
      "/v1/channels",
      { name: 7, type: null },
      [
        ["name", "type"],
        ["type", "enum"],
      ],
    ],
    [
      "POST messages/text",
      "/v1/channels/none/messages/text",
      {},
      [
        ["text", "required"],
        ["to", "required"],
      ],
    ],
    [
      "POST messages/text",
      "/v1/channels/none/messages/text",
      { to: "+55", text: "" },
      [
        ["text", "minLength"],
        ["to", "pattern"],
      ],
    ],
    ["GET logs", "/v1/webhooks/none/logs?limit=101", undefined, [["limit", "maximum"]]],
  ] as const)(
    "P-022 P-227 %s names each field that is wrong, with the rule it breaks",
    async (_, path, body, issues) => {
      const answer = await w.platform(path, { key: who.key, ...(body === undefined ? {} : { body }) });
      expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
      const errors: { path: string; validation: string; message: string }[] = answer.body.errors;
      expect(errors.map((one) => `${one.path} ${one.validation}`).sort()).toEqual(issues.map((one) => one.join(" ")));
      for (const one of errors) expect(one.message).not.toBe("");
    },
  );
});

describe("other refusals", () => {
  const UNKNOWN = [
    {
      code: "CHANNEL_NOT_FOUND",
      paths: [
        "GET /v1/channels/none",
        "POST /v1/channels/none/connect",
        "POST /v1/channels/none/disconnect",
        "DELETE /v1/channels/none",
      ],
    },
    {
      code: "WEBHOOK_NOT_FOUND",
      paths: ["GET /v1/webhooks/none", "DELETE /v1/webhooks/none", "GET /v1/webhooks/none/logs"],
    },
  ];
  test.each(UNKNOWN)(
    "P-021 P-030 P-201 P-206 $code for an unknown id, and for another institution's, which stays as it was",
    async ({ code, paths }) => {
      const stranger = await customer(w);
      const theirs = made(
        await w.platform("/v1/channels", { key: stranger.key, body: { name: "Theirs", type: "CHAT_WABA" } }),
        201,
      );
      const theirHook = made(await w.platform("/v1/webhooks", { key: stranger.key, body: webhookBody() }), 201);
      const before = await rowsOf(w, stranger.id);
      const foreignId = code === "CHANNEL_NOT_FOUND" ? theirs.id : theirHook.data.id;
      for (const id of ["none", "00000000-0000-4000-8000-000000000000", "a%20b", foreignId]) {
        for (const [method = "", path = ""] of paths.map((one) => one.split(" "))) {
          const answer = await w.platform(path.replace("none", id), { method, key: who.key });
          expect([id, method, path, answer.status]).toEqual([id, method, path, 404]);
          expectShape(answer, "plain", code);
        }
      }
      expect(await rowsOf(w, stranger.id)).toEqual(before);
    },
  );

  test("P-001 P-006 nothing is served without /v1, and the gateway's words mean nothing here", async () => {
    for (const path of ["/channels", "/auth/login", "/webhooks", "/nothing"]) {
      const answer = await w.platform(path, { key: who.key });
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
    for (const path of ["/v1/phones", "/v1/messages", "/v1/events"])
      expect((await w.platform(path, { key: who.key })).status).toBe(404);
  });

  test("a method that a route does not take is a 405 in the shape of the route", async () => {
    const answers = [
      await w.platform("/v1/channels", { key: who.key, method: "DELETE" }),
      await w.platform("/v1/webhooks", { key: who.key, method: "PUT", body: {} }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(405);
      expectShape(answer, "plain", "METHOD_NOT_ALLOWED");
    }
    const login = await w.platform("/v1/auth/login");
    expect([login.status, Object.keys(login.body)]).toEqual([405, ["error"]]);
  });

  test("a body over one megabyte is a 413, and one of exactly that is read", async () => {
    const padded = (bytes: number) => {
      const start = '{"name":"A channel","type":"CHAT_WABA","filler":"';
      return `${start}${"x".repeat(bytes - start.length - 2)}"}`;
    };
    const answer = await w.platform("/v1/channels", { key: who.key, raw: padded(1024 * 1024 + 1) });
    expect(answer.status).toBe(413);
    expectShape(answer, "plain", "PAYLOAD_TOO_LARGE");
    expect((await w.platform("/v1/channels", { key: who.key, raw: padded(1024 * 1024) })).status).toBe(201);
  });

  test("a body over one megabyte is a 413 also when it does not say how long it is", async () => {
    const chunk = new TextEncoder().encode(" ".repeat(64 * 1024));
    const body = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 17; n++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const response = await fetch(`${w.app.url}/platform/v1/channels`, {
      method: "POST",
      headers: { authorization: `Bearer ${who.key}`, "content-type": "application/json" },
      body,
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      { message: expect.any(String), code: "PAYLOAD_TOO_LARGE" },
    ]);
  });

  test("P-010 a request needs no header of a version, and one changes nothing", async () => {
    const plain = await w.platform("/v1/channels", { key: who.key });
    const versioned = await w.platform("/v1/channels", {
      key: who.key,
      headers: { "api-version": "2", accept: "application/vnd.recado.v9+json" },
    });
    expect([versioned.status, versioned.text]).toEqual([plain.status, plain.text]);
  });
});

/** P-003 P-005: JSON, in one of the four bodies; `error` is never the object that the gateway answers with. */
const expectShape = (answer: Answer, shape: Shape, code: string): void => {
  expect(answer.headers.get("content-type")).toStartWith("application/json");
  expect(Number(answer.headers.get("x-ratelimit-limit"))).toBeGreaterThan(0);
  const { error, message, errors, details, ...rest } = answer.body;
  if (shape === "text") {
    expect(Object.keys(answer.body)).toEqual(["error"]);
    expect(error).toBeString();
    return;
  }
  expect(message).toBeString();
  if (shape === "webhooks" && [400, 401].includes(answer.status)) {
    expect([error, rest]).toEqual([code, {}]);
    expect(
      details?.every((one: object) => Object.keys(one).sort().join() === "field,message") ?? answer.status === 401,
    ).toBe(true);
  } else {
    expect([error, rest]).toEqual([undefined, { code }]);
    expect(
      errors?.every((one: object) => Object.keys(one).sort().join() === "message,path,validation") ??
        answer.status !== 400,
    ).toBe(true);
  }
};
