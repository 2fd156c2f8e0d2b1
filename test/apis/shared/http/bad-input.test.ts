import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MAX_PICTURE_BODY_BYTES } from "../../../../src/apis/gateway/media/pictures.ts";
import { type BadBody, badBodiesOf, deepObject, MALFORMED, NO_OBJECTS } from "../../../support/apis/bad-bodies.ts";
import { goodBody, routesWithBodies, schemaOfBody, sendRaw } from "../../../support/apis/body-routes.ts";
import { nameOf, type Route } from "../../../support/apis/open-api.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { ROUTES, type Shape } from "../../../support/tenants/platform-routes.ts";
import { everyRow, newTenant, type Tenant } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const MIB = 1024 * 1024;
const LONG = new Set([
  "/v1/ai/summary",
  "/v1/phones/{id}/ai-agent/knowledge",
  "/v1/media/files/base64",
  "/v1/admin/imports",
  "/v1/admin/imports/inspect",
  "/v1/admin/imports/history/inspect",
  "/v1/admin/imports/history/rows",
]);
/** Routes that take a picture, in base64. */
const PICTURES = new Set([
  "PUT /v1/phones/{id}/profile",
  "PUT /v1/groups/{id}/picture",
  "PATCH /v1/newsletters/{newsletterId}",
]);
/** The largest body of a route. */
const biggestBodyOf = (route: Route): number => {
  if (PICTURES.has(nameOf(route))) return MAX_PICTURE_BODY_BYTES;
  return LONG.has(route.path) ? 20 * MIB : MIB;
};
const MINUTE_MS = 60_000;

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
let tenant: Tenant;
let routes: Route[];
beforeAll(async () => {
  tenant = await newTenant(w, "tenant");
  routes = await routesWithBodies(w);
});
beforeEach(() => w.advance(MINUTE_MS)); // a new rate window

const schemaOf = schemaOfBody;
const goodBodyOf = (route: Route) => goodBody(route, tenant);
const post = (route: Route, raw: string | FormData, contentType = "application/json"): Promise<Answer> =>
  sendRaw(w, tenant, route, { raw: raw as string, contentType });

/** The names in a refusal of the platform, by the shape of its route: where fields are named, and where not. */
const NAMES: Record<Shape, { invalid: string; other: string }> = {
  text: { invalid: "error", other: "error" },
  webhooks: { invalid: "details,error,message", other: "code,message" },
  plain: { invalid: "code,errors,message", other: "code,message" },
  logs: { invalid: "code,errors,message", other: "code,message" },
};
/** The shape `text` has no codes: what its statuses stand for. */
const WITHOUT_CODE: Record<number, string> = { 400: "VALIDATION_ERROR", 413: "PAYLOAD_TOO_LARGE" };

const shapeOf = (route: Pick<Route, "method" | "path">): Shape => ROUTES[nameOf(route)]?.shape ?? "plain";

/** What a refusal says in short, once it is found to be in the shape that its API and route promise. */
const says = (route: Route, answer: Answer): string => {
  if (route.api === "gateway") return gatewaySays(answer);
  const { status, body, text } = answer;
  if (status < 400) return String(status);
  const { [shapeOf(route)]: names } = NAMES;
  if (
    Object.keys(body as object)
      .toSorted()
      .join() !== (status === 400 ? names.invalid : names.other)
  )
    throw new Error(`${nameOf(route)} answered ${status} in another shape: ${text}`);
  return `${status} ${shapeOf(route) === "text" ? WITHOUT_CODE[status] : (body.code ?? body.error)}`;
};

/** The fields that a VALIDATION_ERROR names, by their first name; undefined where the shape of the route names none. */
const fieldsIn = ({ api, ...route }: Route, { body }: Answer): string[] | undefined => {
  if (api === "gateway") return Object.keys(body.error.details.fieldErrors as object);
  const shape = shapeOf(route);
  if (shape === "text") return undefined;
  const paths: string[] =
    shape === "webhooks"
      ? body.details.map((one: { field: string }) => one.field)
      : body.errors.map((one: { path: string }) => one.path);
  return paths.map((path) => path.split(".")[0] ?? "");
};

/** The rows that were not there before, and those that are not there any more. */
const changesIn = (before: readonly string[], after: readonly string[]): string[] => {
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...after.filter((row) => !was.has(row)),
    ...before.filter((row) => !is.has(row)).map((row) => `gone: ${row}`),
  ];
};

/** Begins another minute. The function that it gives says what has changed, and who was called, since then. */
const sinceNextMinute = async (route: Route): Promise<() => Promise<string[]>> => {
  await w.advance(MINUTE_MS);
  const before = await everyRow(w);
  const calls = w.graph.journal.length;
  return async () => {
    const after = await everyRow(w);
    const isSame = Bun.deepEquals(after, before);
    return [
      ...(isSame ? [] : [`${route.api} ${nameOf(route)} changed ${changesIn(before, after).join("\n")}`]),
      ...(w.graph.journal.length === calls ? [] : [`${route.api} ${nameOf(route)} called the upstream`]),
    ];
  };
};

/** Tries bodies on every route that takes one; after each route nothing may have changed, for anyone. */
const onEveryRoute = async (
  attempts: (route: Route) => { why: string; send: () => Promise<Answer>; said: string; field?: string }[],
) => {
  const wrong: string[] = [];
  let tried = 0;
  for (const route of routes) {
    let findings = await sinceNextMinute(route);
    const { perMinute = Number.POSITIVE_INFINITY } = ROUTES[nameOf(route)] ?? {};
    for (const [n, { why, send, said, field }] of attempts(route).entries()) {
      if (n > 0 && n % perMinute === 0) {
        wrong.push(...(await findings()));
        findings = await sinceNextMinute(route); // what is due by then is not the doing of the bodies
      }
      tried += 1;
      const answer = await send();
      const answered = says(route, answer);
      if (answered !== said)
        wrong.push(`${route.api} ${nameOf(route)} with ${why.slice(0, 100)}: ${answered} instead of ${said}`);
      else if (field !== undefined && fieldsIn(route, answer)?.includes(field) === false)
        wrong.push(`${route.api} ${nameOf(route)} with ${why.slice(0, 100)} does not name ${field}: ${answer.text}`);
    }
    wrong.push(...(await findings()));
  }
  expect(wrong).toEqual([]);
  return tried;
};

const REFUSED = "400 VALIDATION_ERROR";
const takesNull = ({ operation }: Route) => operation.requestBody.required !== true;

test("every route that takes a body is tried, on both APIs", () => {
  const names = routes.map((route) => `${route.api} ${nameOf(route)}`);
  expect(names).toEqual(
    expect.arrayContaining([
      "gateway POST /v1/phones",
      "gateway POST /v1/messages",
      "gateway POST /v1/admin/clock",
      "platform POST /v1/auth/register",
      "platform PUT /v1/webhooks/{id}",
    ]),
  );
  expect(names.length).toBeGreaterThanOrEqual(19);
});

describe("a body that is not what the description says is refused in the API's shape, and changes nothing", () => {
  test("G-040 P-027 malformed JSON", () =>
    tryAll((route) =>
      Object.entries(MALFORMED).map(([why, raw]) => ({ why, send: () => post(route, raw), said: REFUSED })),
    ));

  test("G-040 P-027 bytes that are not UTF-8", () =>
    tryAll((route) => [
      {
        why: "a lone byte",
        send: () => post(route, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) as unknown as string),
        said: REFUSED,
      },
    ]));

  test("G-040 P-027 JSON that is no object", () =>
    tryAll((route) =>
      Object.entries(takesNull(route) ? NO_OBJECTS : { ...NO_OBJECTS, null: "null" }).map(([why, raw]) => ({
        why,
        send: () => post(route, raw),
        said: REFUSED,
      })),
    ));

  test("G-040 P-027 no body at all", () =>
    tryAll((route) => (takesNull(route) ? [] : [{ why: "nothing", send: () => post(route, ""), said: REFUSED }])));

  test("G-042 P-027 X-253 each property in every wrong type, and each required one missing", () =>
    tryAll(
      (route) =>
        badBodiesOf(schemaOf(route), goodBodyOf(route)).map(({ why, body, field }: BadBody) => ({
          why,
          send: () => post(route, JSON.stringify(body)),
          said: REFUSED,
          field,
        })),
      500,
    ));

  test("G-013 G-040 a good body of another content type", () =>
    tryAll((route) =>
      [
        "text/plain",
        "application/xml",
        "application/octet-stream",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "json",
        "text/json",
      ].map((type) => ({
        why: type,
        send: () => post(route, JSON.stringify(goodBodyOf(route)), type),
        said: REFUSED,
      })),
    ));

  test("G-013 G-040 the fields of a good body as a form", () =>
    tryAll((route) => {
      const fields = Object.entries(goodBodyOf(route)).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]);
      const parts = fields
        .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
        .join("");
      return [
        {
          why: "urlencoded",
          send: () =>
            post(
              route,
              new URLSearchParams([...fields, ["more", "x"]]).toString(),
              "application/x-www-form-urlencoded",
            ),
          said: REFUSED,
        },
        {
          why: "multipart",
          send: () => post(route, `${parts}--b--\r\n`, "multipart/form-data; boundary=b"),
          said: REFUSED,
        },
      ];
    }));

  test("G-040 P-027 a property that is nested beyond reason", () =>
    tryAll((route) => {
      const [name] = Object.keys(schemaOf(route).properties ?? {}).filter(
        (one) => schemaOf(route).properties?.[one]?.type !== "object",
      );
      if (name === undefined) return [];
      const deep = (depth: number) => ({
        why: `${name} of depth ${depth}`,
        send: () => post(route, `{"${name}":${deepObject(depth)}}`),
        said: REFUSED,
      });
      return [{ ...deep(20), field: name }, deep(100), deep(10_000), deep(150_000)];
    }));

  test("G-040 P-027 more values than anybody needs", () =>
    tryAll((route) => [
      {
        why: "many",
        send: () => post(route, `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join()}}`),
        said: REFUSED,
      },
    ]));

  test("G-040 P-027 the required fields hidden under __proto__ or constructor", () =>
    tryAll((route) => {
      const hidden = JSON.stringify(goodBodyOf(route));
      if ((schemaOf(route).required ?? []).length === 0) return [];
      const escaped = `{"\\u005f_proto__":${hidden}}`;
      return [
        escaped,
        `{"__proto__":${hidden}}`,
        `{"constructor":{"prototype":${hidden}}}`,
        `{"__proto__":null}`,
        `{"__proto__":{"__proto__":${hidden}}}`,
      ].map((raw) => ({
        why: raw,
        send: () => post(route, raw),
        said: REFUSED,
      }));
    }));

  test("G-040 P-027 1 MiB and one byte", () =>
    tryAll((route) => {
      const big = `{"padding":"${"x".repeat(biggestBodyOf(route))}`.slice(0, biggestBodyOf(route) - 1);
      return [{ why: "too much", send: () => post(route, `${big}"}`), said: "413 PAYLOAD_TOO_LARGE" }];
    }));

  test("G-040 P-027 as much without saying how long it is", () =>
    tryAll((route) => {
      const stream = () => new Blob(["{", " ".repeat(biggestBodyOf(route)), "}"]).stream() as unknown as string;
      return [{ why: "an endless stream", send: () => post(route, stream()), said: "413 PAYLOAD_TOO_LARGE" }];
    }));
});

test("G-040 P-027 1 MiB exactly is read: what is unknown in it is ignored, what is required is missed", async () => {
  const wrong: string[] = [];
  for (const route of routes.filter((one) => (schemaOf(one).required ?? []).length > 0)) {
    const raw = `{"padding":"${"x".repeat(biggestBodyOf(route))}`.slice(0, biggestBodyOf(route) - 2);
    const answered = says(route, await post(route, `${raw}"}`));
    if (answered !== REFUSED) wrong.push(`${route.api} ${nameOf(route)}: ${answered}`);
  }
  expect(wrong).toEqual([]);
});

/** What official numbers do not offer: each answers so, whatever the body. */
const OF_SESSIONS = [
  "PATCH /v1/chats/{id}",
  "PATCH /v1/groups/{id}/chat",
  "PATCH /v1/phones/{id}/privacy",
  "PATCH /v1/phones/{id}/labels/{label}",
];

test("P-027 changes hidden under __proto__ change nothing, and pollute nothing", async () => {
  const isTried = (one: (typeof routes)[number]) =>
    one.method === "PATCH" && (schemaOf(one).required ?? []).length === 0 && !OF_SESSIONS.includes(nameOf(one));
  for (const route of routes.filter(isTried)) {
    const read = async () => {
      const { data, updatedAt: _, ...shown } = (await post({ ...route, method: "PATCH" }, "{}")).body;
      return data ? { ...data, updatedAt: undefined } : shown;
    };
    const before = await read();
    const answer = await post(
      route,
      '{"__proto__":{"name":"Hidden","label":"Hidden","status":"INACTIVE","url":"https://hidden.example.com","events":[]}}',
    );
    expect([nameOf(route), answer.status]).toEqual([nameOf(route), 200]);
    expect(await read()).toEqual(before);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["status"]).toBeUndefined();
});

const tryAll = async (attempts: Parameters<typeof onEveryRoute>[0], atLeast = 1): Promise<void> => {
  expect(await onEveryRoute(attempts)).toBeGreaterThanOrEqual(atLeast);
};
