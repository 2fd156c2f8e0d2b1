import { beforeAll, describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { goodBody, routesWithBodies, schemaOfBody, sendRaw } from "../../../support/apis/body-routes.ts";
import { nameOf, type Route } from "../../../support/apis/open-api.ts";
import { everyRow, newTenant, type Tenant } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";

const MINUTE_MS = 60_000;
const STRICT = { prefer: "handling=strict" };

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let tenant: Tenant;
let routes: Route[];
beforeAll(async () => {
  tenant = await newTenant(w, "tenant");
  routes = await routesWithBodies(w);
});

describe("Prefer: handling=strict", () => {
  test("GAP-C12 an unknown field is 400 VALIDATION_ERROR, named, on every route with a body, and nothing happens", async () => {
    const wrong: string[] = [];
    for (const route of routes) {
      await w.advance(MINUTE_MS);
      const before = await everyRow(w);
      const good = goodBody(route, tenant) as Record<string, unknown> | null;
      const raw = JSON.stringify({ ...good, idempotencykey: "misspelt" });
      const { status, text, headers } = await sendRaw(w, tenant, route, { raw, headers: STRICT });
      const isNamed = text.includes("idempotencykey") && text.includes("is not a field here");
      if (status !== 400 || !isNamed || headers.get("preference-applied") !== "handling=strict")
        wrong.push(`${nameOf(route)}: ${status} ${text}`);
      if (JSON.stringify(await everyRow(w)) !== JSON.stringify(before))
        wrong.push(`${nameOf(route)} changed something`);
    }
    expect(wrong).toEqual([]);
    expect(routes.length).toBeGreaterThan(50);
  }, 120_000);

  const phoneId = () => tenant.ids.phoneId;
  const send = (type: keyof typeof SAMPLES, content: object) => ({
    phoneId: phoneId(),
    to: "5511999990001",
    type,
    content: { ...SAMPLES[type], ...content },
  });
  const NESTED: [what: string, path: string, body: () => object, named: string[]][] = [
    [
      "the content of a message",
      "/v1/messages",
      () => send("text", { txet: "x" }),
      ["content txet is not a field here"],
    ],
    [
      "a button of it",
      "/v1/messages",
      () => send("button", { buttons: [{ id: "1", text: "Sim", titel: "x" }] }),
      ["content buttons.0.titel is not a field here"],
    ],
    [
      "a message for later",
      "/v1/messages/scheduled",
      () => ({ scheduledAt: "2099-01-01T00:00:00Z", payload: { ...send("text", { a: 1 }), b: 2 } }),
      ["payload b is not a field here", "payload content.a is not a field here"],
    ],
    [
      "the webhook of a phone",
      "/v1/phones",
      () => ({ type: "SESSION", label: "A phone", webhook: { event: [] } }),
      ["webhook event is not a field here"],
    ],
    [
      "a body that may be missing",
      "/v1/phones/{id}/contacts/sync",
      () => ({ anything: 1 }),
      ["anything is not a field here"],
    ],
  ];
  test.each(NESTED)("GAP-C12 names an unknown field at its place: in %s", async (_, path, body, named) => {
    const at = path.replace("{id}", phoneId());
    const { status, body: said } = await w.gateway(at, { key: tenant.gatewayKey, body: body(), headers: STRICT });
    const { fieldErrors = {} } = said.error.details;
    const complaints = Object.entries<string[]>(fieldErrors).flatMap(([field, all]) =>
      all.map((one) => `${field} ${one}`),
    );
    expect([status, complaints.toSorted()]).toEqual([400, named.toSorted()]);
  });

  test("GAP-C12 on the platform too, with other faults beside it", async () => {
    const { body } = await w.platform("/v1/bulk", {
      token: tenant.token,
      body: { channelId: phoneId(), text: "", recipients: [{ to: "5511999990001", nmae: "x" }] },
      headers: STRICT,
    });
    expect(
      body.errors.map(({ path, validation }: { path: string; validation: string }) => `${path} ${validation}`),
    ).toEqual(["text minLength", "recipients.0.nmae forbidden"]);
  });

  test.each([
    "handling=strict",
    'Handling="strict"',
    "respond-async, handling=strict; x=1",
    "handling=strict, handling=lenient",
  ])("GAP-C12 is asked for by %s", async (prefer) => {
    const { status, headers } = await w.gateway("/v1/phones", {
      key: tenant.gatewayKey,
      body: { a: 1 },
      headers: { prefer },
    });
    expect([status, headers.get("preference-applied")]).toEqual([400, "handling=strict"]);
  });

  test.each(["", "handling=lenient", "strict", "handling=lenient, handling=strict"])(
    "GAP-C12 without it unknown fields stay ignored: %p",
    async (prefer) => {
      const { status, headers } = await w.gateway("/v1/messages", {
        key: tenant.gatewayKey,
        body: { ...send("text", { x: 1 }), y: 2 },
        headers: { prefer },
      });
      expect([status, headers.get("preference-applied")]).toEqual([202, null]);
    },
  );

  test("GAP-C12 a body without any is taken, what is free of form stays free, and the answer says that it was looked at", async () => {
    const { status, headers } = await w.gateway("/v1/messages", {
      key: tenant.gatewayKey,
      body: send("text", {}),
      headers: STRICT,
    });
    expect([status, headers.get("preference-applied")]).toEqual([202, "handling=strict"]);
    for (const type of Object.keys(SAMPLES) as (keyof typeof SAMPLES)[]) {
      const { text } = await w.gateway("/v1/messages", {
        key: tenant.gatewayKey,
        body: send(type, {}),
        headers: STRICT,
      });
      expect([type, text.includes("is not a field here")]).toEqual([type, false]);
    }
  });

  test("GAP-C12 good bodies of all routes have no unknown fields", async () => {
    const wrong: string[] = [];
    for (const route of routes.filter(
      ({ method, operation }) => method !== "DELETE" && !operation.tags?.includes("admin"),
    )) {
      await w.advance(MINUTE_MS);
      const { text } = await sendRaw(w, tenant, route, {
        raw: JSON.stringify(goodBody(route, tenant) ?? {}),
        headers: STRICT,
      });
      if (text.includes("is not a field here"))
        wrong.push(`${nameOf(route)} ${JSON.stringify(schemaOfBody(route)).slice(0, 200)}: ${text}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});
