import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import gateway from "./snapshots/openapi.gateway.json";
import platform from "./snapshots/openapi.platform.json";
import { documentedRoutes, resolvedIn } from "./support/apis/open-api.ts";
import { startWorld } from "./support/world.ts";

type Operation = {
  operationId?: string;
  summary?: string;
  parameters?: { name: string; in: string }[];
  responses?: Record<string, unknown>;
};

const operationsOf = (document: { paths: object }): { name: string; path: string; operation: Operation }[] =>
  Object.entries(resolvedIn(document, document.paths as Record<string, Record<string, Operation>>)).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  );
const parametersIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

describe.each([
  ["gateway", gateway],
  ["platform", platform],
] as const)("the description of the %s API", (_, document) => {
  const operations = operationsOf(document);

  test("G-025 is valid OpenAPI 3.1 in the eyes of a validator that is not ours", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect([errors, valid, validator.version]).toEqual([undefined, true, "3.1"]);
  });

  test("G-025 every operation has an id of its own, a summary, a success, and each parameter of its path", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(operations.length);
    for (const { name, path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((one) => one.in === "path").map((one) => one.name);
      expect([name, declared.toSorted()]).toEqual([name, parametersIn(path).toSorted()]);
      expect([name, Boolean(operation.operationId && operation.summary)]).toEqual([name, true]);
      expect([name, Object.keys(operation.responses ?? {}).some((status) => status < "400")]).toEqual([name, true]);
    }
  });
});

describe("what the gateway's description says of routes that no schema of an answer describes", () => {
  const paths = resolvedIn(gateway, gateway.paths) as unknown as Record<
    string,
    Record<string, Operation & { requestBody?: { content: object } }>
  >;
  const statusesOf = (name: string): string[] => {
    const [method = "", path = ""] = name.split(" ");
    return Object.keys(paths[path]?.[method]?.responses ?? {});
  };

  test.each([
    ["post /v1/upstream-webhook", ["403", "413", "503"]],
    ["get /v1/upstream-webhook", ["403", "429"]],
    ["post /v1/payment-webhook", ["401", "413", "429", "503"]],
    ["post /v1/flows/data-exchange/{flowId}", ["400", "404", "413", "421", "427", "432", "500", "502", "503"]],
    ["get /v1/events/stream", ["200", "400", "401", "402", "403", "429"]],
    ["post /v1/messages", ["413", "500"]],
  ])("G-025 %s may be answered %p", (name, statuses) =>
    expect(statusesOf(name)).toEqual(expect.arrayContaining([...statuses])),
  );

  test("G-025 every body may be too large, and those that are JSON are said to be", () => {
    const withBody = operationsOf(gateway).filter(({ operation }) => "requestBody" in operation);
    expect(
      withBody.filter(({ operation }) => operation.responses?.["413"] === undefined).map(({ name }) => name),
    ).toEqual([]);
    for (const path of ["/v1/upstream-webhook", "/v1/payment-webhook"])
      expect(Object.keys(paths[path]?.["post"]?.requestBody?.content ?? {})).toEqual(["application/json"]);
  });
});

describe("the description of the platform API", () => {
  const operations = operationsOf(platform) as { name: string; operation: any }[];
  const parametersOf = (name: string) =>
    Object.fromEntries(
      operations.find((one) => one.name === name)?.operation.parameters.map((one: any) => [one.name, one.schema]),
    );

  test("EP-P01 says what page and limit are wherever there are pages", () => {
    const paged = operations.filter(({ operation }) =>
      operation.parameters?.some((one: { name: string }) => one.name === "page"),
    );
    expect(paged.length).toBe(6);
    for (const { name } of paged)
      expect([name, parametersOf(name)]).toMatchObject([
        name,
        {
          page: { type: "integer", minimum: 1, default: 1 },
          limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
        },
      ]);
    expect(parametersOf("get /v1/webhooks/{id}/logs")["status"].enum).toEqual(["DELIVERED", "FAILED"]);
  });

  test("P-020 names a body that is too large wherever one is taken, and nowhere else", () => {
    for (const { name, operation } of operations)
      expect([name, "413" in operation.responses]).toEqual([name, "requestBody" in operation]);
  });

  test("names the limits' headers with every success and a 429, and those of all answers with each refusal", () => {
    const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
    const ofAll = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
    const ofFailures = [...ofAll, "Retry-After", "Idempotent-Replayed", ...limits];
    const refused: Record<string, string[]> = {
      401: [...ofAll, "WWW-Authenticate", ...limits],
      409: [...ofAll, "Retry-After", ...limits],
      429: [...ofAll, "Retry-After", ...limits],
      500: ofFailures,
      502: ofFailures,
      503: ofFailures,
    };
    for (const { name, operation } of operations)
      for (const [status, answer] of Object.entries<{ headers?: object }>(operation.responses)) {
        const isKeyed = name.startsWith("post ") && operation.security?.length !== 0;
        const good = isKeyed && status < "300" ? [...limits, "Idempotent-Replayed"] : limits;
        const expected = status < "400" ? good : (refused[status] ?? [...ofAll, ...limits]);
        expect([name, status, Object.keys(answer.headers ?? {}).toSorted()]).toEqual([
          name,
          status,
          expected.toSorted(),
        ]);
      }
  });
});

test("G-025 the served description is that of the command and the snapshot, before and after every route was used", async () => {
  const w = await startWorld({
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_ADDRESS_RATE: "100000", RECADO_TEST_CLOCK: "" },
  });
  try {
    const { key } = await w.account();
    const { token } = await w.institution("ENTERPRISE");
    const routes = (await Promise.all([documentedRoutes(w, "gateway"), documentedRoutes(w, "platform")]))
      .flat()
      .filter(({ path }) => path !== "/v1/events/stream");
    for (const { api, method, path } of routes) {
      const credentials = api === "platform" ? { token } : path.startsWith("/v1/admin") ? { admin: true } : { key };
      const body = method === "GET" ? {} : { body: {} };
      await w[api](path.replaceAll(/\{\w+\}/g, "none"), { method, ...credentials, ...body });
    }
    for (const [api, snapshot] of [["gateway", gateway] as const, ["platform", platform] as const]) {
      const { servers, ...served } = (await w[api]("/openapi.json")).body;
      const { servers: _, ...committed } = snapshot;
      expect(servers).toEqual([{ url: w.app[`${api}Url`] }]);
      expect(JSON.stringify(served) === JSON.stringify(committed)).toBe(true);
    }
  } finally {
    await w.stop();
  }
});
