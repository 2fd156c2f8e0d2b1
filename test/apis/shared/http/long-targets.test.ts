import { expect, test } from "bun:test";
import { CLOUD_ENV } from "../../../support/apis/cloud.ts";
import { EVOLUTION_ENV } from "../../../support/apis/evolution.ts";
import { everyRow } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import { requestRaw } from "../../../support/wire.ts";

const w = useWorld({
  env: {
    ...CLOUD_ENV,
    ...EVOLUTION_ENV,
    RECADO_PUBLIC_URL: "http://localhost:8080",
    RECADO_CONSOLE_URL: "http://painel.localhost:8080",
    RECADO_CLOUD_URL: "http://graph.localhost:8080",
  },
});

const LONGEST = 8 * 1024;
const PUBLIC = "localhost:8080";

/** A target of this length below a prefix. */
const target = (prefix: string, length: number): string => `${prefix}/${"a".repeat(length - prefix.length - 1)}`;
const ask = (host: string, path: string, method = "GET") => requestRaw(w.app.url, { path, host, method });

/** Each mount: its host and prefix, and the body and the headers of its refusal. */
const PLACES: [name: string, place: { host: string; prefix: string; body: object; headers: RegExp[] }][] = [
  [
    "the gateway API",
    {
      host: PUBLIC,
      prefix: "/gateway",
      body: { error: { code: "URI_TOO_LONG", message: expect.any(String), details: {} } },
      headers: [/x-request-id: \S/i],
    },
  ],
  [
    "the platform API",
    {
      host: PUBLIC,
      prefix: "/platform",
      body: { code: "URI_TOO_LONG" },
      headers: [/x-ratelimit-limit: \d/i, /x-ratelimit-remaining: \d/i, /x-ratelimit-reset: \d/i, /x-request-id: \S/i],
    },
  ],
  [
    "the Cloud API, on a host of its own",
    {
      host: "graph.localhost:8080",
      prefix: "",
      body: { error: { code: 100, message: expect.any(String), fbtrace_id: expect.any(String) } },
      headers: [/x-fb-trace-id: \S/i],
    },
  ],
  [
    "the API of Evolution",
    {
      host: PUBLIC,
      prefix: "/evolution",
      body: { status: 414, response: { message: [expect.any(String)] } },
      headers: [/x-request-id: \S/i],
    },
  ],
  [
    "the console, on a host of its own",
    {
      host: "painel.localhost:8080",
      prefix: "",
      body: { error: { code: "URI_TOO_LONG", message: expect.any(String), details: {} } },
      headers: [/x-content-type-options: nosniff/i, /cache-control: no-store/i],
    },
  ],
  ["the figures", { host: PUBLIC, prefix: "/metrics", body: { error: expect.any(String) }, headers: [] }],
  ["what nobody serves", { host: PUBLIC, prefix: "/nothing", body: { error: expect.any(String) }, headers: [] }],
];

test.each(PLACES)(
  "a target over 8 KiB at %s is 414 in the shape and with the headers of that place, and nothing happens",
  async (_, { host, prefix, body, headers }) => {
    const before = await everyRow(w);
    for (const path of [
      target(prefix, LONGEST + 1),
      `${prefix}/${"<".repeat(5000)}/`,
      `${prefix}/${"%2F".repeat(3000)}`,
      `${prefix}/?${'"'.repeat(4000)}`,
      `${prefix}/v1/messages?x=${"{".repeat(9000)}`,
    ])
      for (const method of ["GET", "POST", "DELETE"]) {
        const answer = await ask(host, path, method);
        expect([path.slice(0, 30), method, answer.status]).toEqual([path.slice(0, 30), method, 414]);
        expect(JSON.parse(answer.body)).toMatchObject(body);
        for (const header of headers) expect(answer.head).toMatch(header);
      }
    expect(await everyRow(w)).toEqual(before);
  },
);

test.each(PLACES)("a target of 8 KiB at %s is answered as any other", async (_, { host, prefix }) => {
  expect((await ask(host, target(prefix, LONGEST))).status).not.toBe(414);
});

test("a target too long counts against its address, as every request without credentials", async () => {
  const left = (head: string) => Number(/x-ratelimit-remaining: (\d+)/i.exec(head)?.[1]);
  const first = await ask(PUBLIC, target("/platform", LONGEST + 1));
  const second = await ask(PUBLIC, target("/platform", LONGEST + 1));
  expect(left(second.head)).toBe(left(first.head) - 1);
});
