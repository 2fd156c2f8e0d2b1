import { describe, expect, test } from "bun:test";
import { recordedBy } from "../../../support/apis/audit.ts";
import { newCustomer, rowsOf, sendsOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const NOBODY = "00000000-0000-4000-8000-000000000000";
const SCREENS = {
  version: "7.0",
  screens: [{ id: "START", title: "Olá", terminal: true, layout: { type: "SingleColumnLayout", children: [] } }],
};
const call = (path: string, options: { body?: unknown; method?: string; key?: string } = {}) =>
  w.gateway(path, { key: c.key, ...options });
const create = (more: object = {}) =>
  call("/v1/flows", { body: { phoneId: c.phone.id, name: "Pesquisa", categories: ["SURVEY"], ...more } });
/** A flow that is there, by its view. */
const flow = async (more: object = {}): Promise<any> => {
  const { status, body, text } = await create(more);
  if (status !== 201) throw new Error(`the flow was not made: ${status} ${text}`);
  return body;
};
const post = (id: string, verb: string): Promise<Answer> => call(`/v1/flows/${id}/${verb}`, { method: "POST" });

describe("managing flows", () => {
  test("EP-G06 a flow is made upstream at once, with our address as its endpoint, and shown as a draft", async () => {
    const made = await flow({ json: SCREENS, endpointUrl: "https://hooks.example.com/flow" });
    const upstream = w.graph.flows.get(made.upstreamFlowId);
    expect(made).toMatchObject({
      phoneId: c.phone.id,
      name: "Pesquisa",
      categories: ["SURVEY"],
      status: "DRAFT",
      endpointUrl: "https://hooks.example.com/flow",
    });
    expect(upstream).toMatchObject({ endpointUri: `${w.app.gatewayUrl}/v1/flows/data-exchange/${made.id}` });
    expect((await call(`/v1/flows/${made.id}`)).body).toEqual(made);
  });

  test("EP-G06 what the upstream finds wrong with the screens is shown, and does not refuse the flow", async () => {
    const made = await flow({ json: { version: "7.0" } });
    expect(made.validationErrors.length).toBeGreaterThan(0);
    const mended = await call(`/v1/flows/${made.id}`, { method: "PATCH", body: { json: SCREENS } });
    expect([mended.status, mended.body.validationErrors]).toEqual([200, []]);
  });

  test("EP-G06 the body is checked, and nothing happens", async () => {
    const before = w.graph.journal.length;
    for (const [field, value] of [
      ["name", ""],
      ["name", "x".repeat(121)],
      ["categories", []],
      ["categories", "SURVEY"],
      ["endpointUrl", "http://hooks.example.com/flow"],
      ["endpointUrl", "flow"],
      ["json", "{}"],
      ["phoneId", "nobody"],
    ] as const)
      expect(fieldsOf(await create({ [field]: value }))).toEqual([field]);
    expect(w.graph.journal.length).toBe(before);
    expect(await rowsOf(w, "SELECT id FROM flows WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  });

  test("EP-G06 phones that are unknown, another account's or no official number have no flows", async () => {
    const other = await newCustomer(w);
    const session = (await call("/v1/phones", { body: { type: "SESSION", label: "A phone" } })).body.id;
    for (const phoneId of [NOBODY, other.phone.id, session])
      expect(gatewaySays(await create({ phoneId }))).toBe("404 PHONE_NOT_FOUND");
  });

  test("EP-G06 a refusal of the upstream is passed on, and the flow is nowhere", async () => {
    w.graph.failNext(1, { kind: "error", code: 100, subcode: 4016019 }, { operation: "flow.create" });
    const answer = await create();
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details.upstreamError).toMatchObject({ code: 100, error_subcode: 4016019 });
    expect((await call("/v1/flows")).body).toEqual({ items: [], nextCursor: null });
  });

  test("EP-G06 an answer that is lost leaves a flow without the upstream's id, which sync finds again", async () => {
    w.graph.failNext(1, { kind: "reset", isAccepted: true }, { operation: "flow.create" });
    expect(gatewaySays(await create({ name: "Perdida" }))).toBe("502 UPSTREAM_UNAVAILABLE");
    const [lost] = (await call("/v1/flows")).body.items;
    expect(lost).toMatchObject({ name: "Perdida", upstreamFlowId: null });
    expect(gatewaySays(await post(lost.id, "publish"))).toBe("400 FLOW_NOT_SYNCED");
    expect(gatewaySays(await call(`/v1/flows/${lost.id}`, { method: "PATCH", body: { name: "x" } }))).toBe(
      "400 FLOW_NOT_SYNCED",
    );
    const synced = await post(lost.id, "sync");
    expect(synced.status).toBe(200);
    expect(w.graph.flows.has(synced.body.upstreamFlowId)).toBe(true);
  });

  test("EP-G06 one that never arrived upstream stays unsynced, and can be deleted", async () => {
    w.graph.failNext(1, { kind: "reset" }, { operation: "flow.create" });
    await create({ name: "Nunca" });
    const [lost] = (await call("/v1/flows")).body.items;
    expect(gatewaySays(await post(lost.id, "sync"))).toBe("400 FLOW_NOT_SYNCED");
    expect((await call(`/v1/flows/${lost.id}`, { method: "DELETE" })).status).toBe(204);
    expect(gatewaySays(await call(`/v1/flows/${lost.id}`))).toBe("404 FLOW_NOT_FOUND");
  });

  test("EP-G06 publish, deprecate and delete do so upstream, and its refusals are passed on", async () => {
    const made = await flow({ json: SCREENS });
    expect((await post(made.id, "publish")).body.status).toBe("PUBLISHED");
    expect(w.graph.flows.get(made.upstreamFlowId)?.status).toBe("PUBLISHED");
    expect(gatewaySays(await call(`/v1/flows/${made.id}`, { method: "DELETE" }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect((await call(`/v1/flows/${made.id}`)).status).toBe(200);
    expect((await post(made.id, "deprecate")).body.status).toBe("DEPRECATED");
    const draft = await flow({ name: "Rascunho" });
    expect((await call(`/v1/flows/${draft.id}`, { method: "DELETE" })).status).toBe(204);
    expect(w.graph.flows.has(draft.upstreamFlowId)).toBe(false);
  });

  test("EP-G06 the list goes on by its cursor, newest first, and can be of one phone", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      w.clock.advance(1);
      ids.unshift((await flow({ name })).id);
    }
    const first = (await call("/v1/flows?limit=2")).body;
    expect(first.items.map(({ id }: any) => id)).toEqual(ids.slice(0, 2));
    const rest = (await call(`/v1/flows?limit=2&cursor=${first.nextCursor}`)).body;
    expect([rest.items.map(({ id }: any) => id), rest.nextCursor]).toEqual([ids.slice(2), null]);
    expect((await call(`/v1/flows?phoneId=${NOBODY}`)).body.items).toEqual([]);
    expect(fieldsOf(await call(`/v1/flows?cursor=${NOBODY}`))).toEqual(["cursor"]);
    expect(fieldsOf(await call("/v1/flows?phoneId=abc"))).toEqual(["phoneId"]);
  });

  test("EP-G06 flows of another account are unknown", async () => {
    const made = await flow();
    const other = await newCustomer(w);
    for (const [path, method] of [
      ["", "GET"],
      ["", "PATCH"],
      ["", "DELETE"],
      ["/publish", "POST"],
      ["/deprecate", "POST"],
      ["/sync", "POST"],
    ] as const)
      expect(
        gatewaySays(
          await w.gateway(`/v1/flows/${made.id}${path}`, {
            key: other.key,
            method,
            ...(method === "PATCH" ? { body: {} } : {}),
          }),
        ),
      ).toBe("404 FLOW_NOT_FOUND");
    expect((await call(`/v1/flows/${made.id}`)).body).toEqual(made);
  });

  test("EP-G06 a flow is sent by either id; one that the upstream lacks is refused before queueing", async () => {
    const made = await flow({ json: SCREENS });
    await post(made.id, "publish");
    const content = (flowId: string) => ({
      type: "flow",
      content: { text: "Abra", flowId, flowCta: "Abrir", flowActionPayload: { screen: "START" } },
    });
    for (const id of [made.id, made.upstreamFlowId]) {
      await c.sent(content(id));
      expect(sendsOf(w, c).at(-1).interactive.action.parameters.flow_id).toBe(made.upstreamFlowId);
    }
    w.graph.failNext(1, { kind: "reset" }, { operation: "flow.create" });
    await create({ name: "Nunca" });
    const lost = (await call("/v1/flows")).body.items.find(({ name }: any) => name === "Nunca");
    expect(gatewaySays(await c.send(content(lost.id)))).toBe("400 FLOW_NOT_SYNCED");
    expect(gatewaySays(await c.send(content(NOBODY)))).toBe("404 FLOW_NOT_FOUND");
    expect(sendsOf(w, c)).toHaveLength(2);
  });

  test("EP-G06 they go with their phone", async () => {
    const made = await flow();
    await call(`/v1/phones/${c.phone.id}`, { method: "DELETE" });
    expect(gatewaySays(await call(`/v1/flows/${made.id}`))).toBe("404 FLOW_NOT_FOUND");
  });
});

describe("key pairs", () => {
  const key = (method = "GET", id = c.phone.id) => call(`/v1/phones/${id}/flows-keypair`, { method });

  test("EP-G06 a key is made, given to the upstream and shown; the private half is nowhere in clear", async () => {
    expect(gatewaySays(await key())).toBe("404 NO_PUBLIC_KEY");
    const made = await key("POST");
    expect(made.status).toBe(201);
    expect(made.body.publicKey).toStartWith("-----BEGIN PUBLIC KEY-----");
    expect((await key()).body).toEqual(made.body);
    expect(made.text).not.toContain("PRIVATE");
    const stored = await rowsOf<{ sealed: string }>(w, "SELECT sealed FROM vault WHERE channel_id = ?1", [c.phone.id]);
    expect(stored.filter(({ sealed }) => sealed.includes("PRIVATE"))).toEqual([]);
  });

  test("EP-G06 a key that the upstream refuses does not replace the one it has", async () => {
    const { publicKey } = (await key("POST")).body;
    w.graph.failNext(1, { kind: "error", code: 100 }, { operation: "key.set" });
    const acts = await recordedBy(w, async () => {
      expect(gatewaySays(await key("POST"))).toBe("400 UPSTREAM_BAD_REQUEST");
    });
    expect(acts).toEqual([]);
    expect((await key()).body.publicKey).toBe(publicKey);
  });

  test("EP-G06 other phones have none", async () => {
    const other = await newCustomer(w);
    for (const id of [NOBODY, other.phone.id])
      for (const method of ["GET", "POST"]) expect(gatewaySays(await key(method, id))).toBe("404 PHONE_NOT_FOUND");
    expect(
      w.graph.journal.filter(
        ({ method, path }) =>
          method === "POST" && path.endsWith(`/${other.phone.phoneNumberId}/whatsapp_business_encryption`),
      ),
    ).toEqual([]);
  });
});
