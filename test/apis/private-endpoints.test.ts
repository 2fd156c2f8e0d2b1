import { beforeAll, describe, expect, test } from "bun:test";
import { createHttp } from "../../src/adapters/http/http.ts";
import {
  type Customer,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  webhookBody,
} from "../support/tenants/platform.ts";
import { everyRow } from "../support/tenants/tenant.ts";
import { useWorld } from "../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../support/world.ts";

const w = useWorld();
let who: Customer;
let key: string;
let phoneId: string;
let webhookId: string;
let sharedId: string;
let flowId: string;
beforeAll(async () => {
  who = await customer(w);
  key = await gatewayKeyOf(w, who);
  phoneId = (await connectedChannel(w, who)).id;
  webhookId = made(await w.platform("/v1/webhooks", { key: who.key, body: webhookBody() }), 201).data.id;
  sharedId = made(
    await w.gateway("/v1/webhooks", { key, body: { label: "Shared", url: PUBLIC, secret: WEBHOOK_SECRET } }),
    201,
  ).id;
  flowId = made(
    await w.gateway("/v1/flows", { key, body: { phoneId, name: "A flow", categories: ["SURVEY"] } }),
    201,
  ).id;
});

const PUBLIC = "https://hooks.example.com/in";
const PRIVATE = [
  "https://127.0.0.2/",
  "https://10.0.0.1:8443/a",
  "https://[::1]/",
  "https://169.254.169.254/",
  "https://168.63.129.16/",
  "https://2130706434/",
  "https://printer.local/",

  "http://10.0.0.1/",
];

/** TABLE: every place at which an endpoint is registered, and the field that a refusal names. */
const PLACES: Record<string, { field: string; put(url: string): Promise<Answer> }> = {
  "a new phone": {
    field: "webhook",
    put: (url) =>
      w.gateway("/v1/phones", {
        key,
        body: { type: "SESSION", label: "A phone", webhook: { url, secret: WEBHOOK_SECRET } },
      }),
  },
  "a phone": {
    field: "webhook",
    put: (url) =>
      w.gateway(`/v1/phones/${phoneId}`, { key, method: "PATCH", body: { webhook: { url, secret: WEBHOOK_SECRET } } }),
  },
  "a new shared webhook": {
    field: "url",
    put: (url) => w.gateway("/v1/webhooks", { key, body: { label: "Shared", url, secret: WEBHOOK_SECRET } }),
  },
  "a shared webhook": {
    field: "url",
    put: (url) => w.gateway(`/v1/webhooks/${sharedId}`, { key, method: "PATCH", body: { url } }),
  },
  "a new webhook of the platform": {
    field: "url",
    put: (url) => w.platform("/v1/webhooks", { key: who.key, body: webhookBody({ url }) }),
  },
  "a webhook of the platform": {
    field: "url",
    put: (url) => w.platform(`/v1/webhooks/${webhookId}`, { key: who.key, method: "PATCH", body: { url } }),
  },
  "a flow's endpoint": {
    field: "endpointUrl",
    put: (url) => w.gateway(`/v1/flows/${flowId}`, { key, method: "PATCH", body: { endpointUrl: url } }),
  },
  "the address of a language model": {
    field: "baseUrl",
    put: (url) =>
      w.gateway("/v1/account/integrations/llm", {
        key,
        method: "PATCH",
        body: { baseUrl: url, apiKey: "the-key-of-an-account" },
      }),
  },
};

const fieldIn = ({ body }: Answer): string =>
  body.details?.[0]?.field ?? Object.keys((body.error?.details?.fieldErrors ?? {}) as object)[0];

describe.each(Object.entries(PLACES))("GAP-C09 %s", (_, { field, put }) => {
  test.each(PRIVATE)(
    "at %s is refused at once, by its field and with the setting that would allow it, and nothing changes",
    async (url) => {
      const before = await everyRow(w);
      const answer = await put(url);
      expect([answer.status, fieldIn(answer), answer.text]).toEqual([
        400,
        field,
        expect.stringContaining("RECADO_OUTBOUND_ALLOW"),
      ]);
      expect(await everyRow(w)).toEqual(before);
    },
  );

  test.each([PUBLIC, "https://no-such-name.invalid/a", "https://127.0.0.1:8443/a"])(
    "at %s is taken: public, not known yet, or allowed",
    async (url) => {
      expect((await put(url)).status).toBeLessThan(300);
    },
  );
});

describe("a name", () => {
  const refusalOf = (addresses: string[] | Error) =>
    createHttp({
      allow: ["10.1.0.0/16"],
      extraCa: undefined,
      resolve: () => (addresses instanceof Error ? Promise.reject(addresses) : Promise.resolve(addresses)),
    }).refusalOf(PUBLIC);

  test("GAP-C09 is refused when all that it leads to is private, and only then", async () => {
    const refused = expect.stringContaining("RECADO_OUTBOUND_ALLOW");
    expect(await refusalOf(["10.0.0.1"])).toEqual(refused);
    expect(await refusalOf(["10.0.0.1", "fd00::1"])).toEqual(refused);
    for (const addresses of [
      ["93.184.216.34"],
      ["10.0.0.1", "93.184.216.34"],
      ["10.1.2.3"],
      [],
      new Error("ENOTFOUND"),
    ])
      expect(await refusalOf(addresses)).toBeUndefined();
  });

  test("GAP-C09 whose server does not answer is taken after two seconds: deliveries find out", async () => {
    const http = createHttp({ allow: [], extraCa: undefined, resolve: () => new Promise(() => {}) });
    expect(await http.refusalOf(PUBLIC)).toBeUndefined();
  });
});
