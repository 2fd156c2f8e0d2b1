import { describe, expect, test } from "bun:test";
import {
  ACCOUNT_ID,
  type Answered,
  entriesOf,
  errorOf,
  graphBench,
  listOf,
  NUMBER_ID,
  USER,
  valuesOf,
} from "../fixture.ts";
import { type Fields, fieldsOf } from "../shape.ts";
import { ENDPOINT_JSON, flowBench, keyPair, PLAIN_JSON } from "./fixture.ts";

const bench = graphBench();
const flows = () => ({ ...bench(), ...flowBench(bench()) });
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const faultOf = (answer: Answered) => [
  codeOf(answer),
  errorOf(answer)["error_subcode"],
  fieldsOf(errorOf(answer)["error_data"])["details"],
];
const faultsIn = ({ body }: Answered) => listOf(body["validation_errors"]).map((one) => one["error"]);
const PLAIN = JSON.stringify(PLAIN_JSON);

describe("a flow", () => {
  test("is created as a draft, read with its fields, listed page by page, changed and deleted", async () => {
    const { create, made, call } = flows();
    const created = await create({ flow_json: PLAIN, endpoint_uri: "https://flows.test/1" });
    expect(created.body).toEqual({ id: expect.stringMatching(/^\d{16}$/), success: true, validation_errors: [] });
    const id = String(created.body["id"]);
    expect((await call("GET", `/v25.0/${id}`)).body).toEqual({
      id,
      name: "Sign up",
      status: "DRAFT",
      categories: ["SIGN_UP"],
      validation_errors: [],
    });
    const fields =
      "id,json_version,data_api_version,endpoint_uri,preview.invalidate(false),whatsapp_business_account{id},application";
    expect((await call("GET", `/v25.0/${id}?fields=${fields}`)).body).toMatchObject({
      json_version: "7.1",
      endpoint_uri: "https://flows.test/1",
      preview: { preview_url: expect.stringContaining(id), expires_at: "2026-12-20T12:00:00+0000" },
      whatsapp_business_account: { id: ACCOUNT_ID },
    });
    const second = await made({ name: "Second", categories: '["OTHER"]' });
    const page = await call("GET", `/v25.0/${ACCOUNT_ID}/flows?fields=id,categories&limit=1`);
    expect(page.body["data"]).toEqual([{ id, categories: ["SIGN_UP"] }]);
    const after = String(fieldsOf(fieldsOf(page.body["paging"])["cursors"])["after"]);
    expect(
      (await call("GET", `/v25.0/${ACCOUNT_ID}/flows?fields=id,categories&limit=1&after=${after}`)).body["data"],
    ).toEqual([{ id: second, categories: ["OTHER"] }]);
    expect((await call("POST", `/v25.0/${id}`, { name: "Renamed", categories: ["SURVEY", "OTHER"] })).body).toEqual({
      success: true,
    });
    expect((await call("GET", `/v25.0/${id}?fields=name,categories`)).body).toMatchObject({
      name: "Renamed",
      categories: ["SURVEY", "OTHER"],
    });
    expect((await call("DELETE", `/v25.0/${id}`)).body).toEqual({ success: true });
    expect(errorOf(await call("GET", `/v25.0/${id}`))).toMatchObject({ code: 100, error_subcode: 33 });
  });

  test("copies another one of its account", async () => {
    const { made, create, call } = flows();
    const source = await made({ flow_json: PLAIN, endpoint_uri: "https://flows.test/1" });
    const clone = await made({ name: "Clone", clone_flow_id: source });
    expect((await call("GET", `/v25.0/${clone}?fields=json_version,endpoint_uri`)).body).toMatchObject({
      json_version: "7.1",
      endpoint_uri: "https://flows.test/1",
    });
    expect(codeOf(await create({ name: "Another", clone_flow_id: "1" }))).toBe(100);
  });

  const REFUSED: [why: string, fields: Fields][] = [
    ["no name", { name: undefined }],
    ["an empty name", { name: " " }],
    ["no categories", { categories: undefined }],
    ["an empty list of categories", { categories: [] }],
    ["an unknown category", { categories: ["SIGN_UP", "FUN"] }],
    ["categories that are no list", { categories: "[SIGN_UP" }],
    ["an endpoint that is no URL", { endpoint_uri: "flows.test" }],
    ["a flow JSON that is no text", { flow_json: PLAIN_JSON }],
  ];
  test.each(REFUSED)("is refused with %s", async (_why, fields) => {
    const { create, graph } = flows();
    expect(codeOf(await create(fields))).toBe(100);
    expect(graph.flows.size).toBe(0);
  });

  test("has a name of its own in its account, and is nobody else's", async () => {
    const { graph, create, made, call } = flows();
    const id = await made();
    expect(codeOf(await create())).toBe(100);
    expect((await call("POST", `/v25.0/${id}`, { name: "Sign up" })).status).toBe(200);
    const second = await made({ name: "Second" });
    expect(codeOf(await call("POST", `/v25.0/${second}`, { name: "Sign up" }))).toBe(100);
    graph.addToken({ token: "other", businessAccountIds: ["999"] });
    graph.addToken({ token: "sender", businessAccountIds: [ACCOUNT_ID], scopes: ["whatsapp_business_messaging"] });
    expect(errorOf(await call("GET", `/v25.0/${id}`, undefined, "other"))).toMatchObject({
      code: 100,
      error_subcode: 33,
    });
    expect(codeOf(await call("DELETE", `/v25.0/${id}`, undefined, "sender"))).toBe(10);
    expect([...graph.flows.values()].map((flow) => flow.name)).toEqual(["Sign up", "Second"]);
  });
});

describe("a flow JSON", () => {
  test("is uploaded as a file and kept with its faults, which say where they are", async () => {
    const { made, upload, call } = flows();
    const id = await made();
    const broken = await upload(id, '{\n  "version": "7.1",\n  "colour": "red",\n  "screens": []\n}');
    expect(broken.body).toMatchObject({
      success: true,
      validation_errors: [
        { error: "INVALID_PROPERTY_KEY", error_type: "FLOW_JSON_ERROR" },
        { error: "MIN_ITEMS_REQUIRED" },
      ],
    });
    expect(listOf(broken.body["validation_errors"])[0]).toMatchObject({
      line_start: 3,
      line_end: 3,
      column_start: 3,
      column_end: 11,
    });
    expect(faultsIn(await call("GET", `/v25.0/${id}`))).toEqual(["INVALID_PROPERTY_KEY", "MIN_ITEMS_REQUIRED"]);
    expect((await upload(id, PLAIN)).body).toEqual({ success: true, validation_errors: [] });
    expect(faultsIn(await call("GET", `/v25.0/${id}`))).toEqual([]);
  });

  test("comes in the right form only", async () => {
    const { made, upload, call, graph } = flows();
    const id = await made();
    expect(codeOf(await upload(id, PLAIN, { name: "other.json" }))).toBe(100);
    expect(codeOf(await upload(id, PLAIN, { asset_type: "PICTURE" }))).toBe(100);
    expect(codeOf(await call("POST", `/v25.0/${id}/assets`, { name: "flow.json", asset_type: "FLOW_JSON" }))).toBe(100);
    expect(graph.flows.get(id)?.json).toBeUndefined();
  });

  const [first] = PLAIN_JSON.screens;
  const withScreen = (patch: Fields) => ({ ...PLAIN_JSON, screens: [{ ...first, ...patch }] });
  const FAULTY: [what: string, json: unknown, errors: string[]][] = [
    ["no JSON", "{", ["INVALID_FLOW_JSON"]],
    ["a list", [], ["INVALID_FLOW_JSON"]],
    ["no version", { screens: PLAIN_JSON.screens }, ["MISSING_FLOW_JSON_VERSION"]],
    ["a version that is none", { ...PLAIN_JSON, version: "A.B" }, ["INVALID_FLOW_JSON_VERSION"]],
    ["a version of long ago", { ...PLAIN_JSON, version: "1.0" }, ["UNSUPPORTED_FLOW_JSON_VERSION"]],
    ["a screen id with a digit", withScreen({ id: "FIRST_1" }), ["PATTERN_MISMATCH"]],
    ["a screen without an id", withScreen({ id: undefined }), ["MISSING_REQUIRED_TYPE_PROPERTY"]],
    ["a screen of the reserved id", withScreen({ id: "SUCCESS" }), ["SCREEN_ID_IS_RESERVED_KEYWORD"]],
    ["two screens of one id", { ...PLAIN_JSON, screens: [first, first] }, ["DUPLICATE_SCREEN_IDS"]],
    ["no terminal screen", withScreen({ terminal: false }), ["MISSING_TERMINAL_SCREEN"]],
    ["a screen without a layout", withScreen({ layout: undefined }), ["MISSING_REQUIRED_TYPE_PROPERTY"]],
    ["another layout", withScreen({ layout: { type: "Grid", children: [] } }), ["INVALID_PROPERTY_VALUE"]],
    ["a layout without children", withScreen({ layout: { type: "SingleColumnLayout" } }), ["INVALID_PROPERTY_TYPE"]],
    [
      "an unknown component",
      withScreen({ layout: { type: "SingleColumnLayout", children: [{ type: "Marquee" }] } }),
      ["INVALID_PROPERTY_VALUE"],
    ],
    ["an endpoint without routes", { ...ENDPOINT_JSON, routing_model: {} }, ["INVALID_ROUTING_MODEL"]],
    [
      "a route to nowhere",
      { ...ENDPOINT_JSON, routing_model: { WELCOME: ["ELSEWHERE"], DONE: [] } },
      ["INVALID_ROUTING_MODEL"],
    ],
    [
      "routes in a circle",
      { ...ENDPOINT_JSON, routing_model: { WELCOME: ["DONE"], DONE: ["WELCOME"] } },
      ["INVALID_ROUTING_MODEL"],
    ],
  ];
  test.each(FAULTY)("with %s has its fault", async (_what, json, errors) => {
    const { create } = flows();
    expect(faultsIn(await create({ flow_json: typeof json === "string" ? json : JSON.stringify(json) }))).toEqual(
      errors,
    );
  });
});

describe("publishing", () => {
  test("makes a draft sendable and unchangeable, deprecation ends it; webhooks report each", async () => {
    const { graph, made, publish, upload, call, receive, clock } = flows();
    const hooks = receive();
    const id = await made({ flow_json: PLAIN });
    expect((await publish(id)).body).toEqual({ success: true });
    expect(codeOf(await publish(id))).toBe(139002);
    expect(codeOf(await upload(id, PLAIN))).toBe(139001);
    expect(codeOf(await call("POST", `/v25.0/${id}`, { name: "New" }))).toBe(139001);
    expect(codeOf(await call("DELETE", `/v25.0/${id}`))).toBe(139004);
    expect((await call("POST", `/v25.0/${id}/deprecate`)).body).toEqual({ success: true });
    expect(faultOf(await call("POST", `/v25.0/${id}/deprecate`))).toEqual([
      139003,
      undefined,
      "Flow is already deprecated",
    ]);
    expect((await call("GET", `/v25.0/${id}`)).body).toMatchObject({ name: "Sign up", status: "DEPRECATED" });
    await graph.webhooks.settled();
    expect(entriesOf(hooks[0])).toMatchObject([
      { id: ACCOUNT_ID, time: Math.floor(clock.now() / 1000), changes: [{ field: "flows" }] },
    ]);
    const received = hooks
      .flatMap(valuesOf)
      .map(({ event, flow_id: flow, old_status: from, new_status: to }) => [event, flow, from, to]);
    expect(received).toEqual([
      ["FLOW_STATUS_CHANGE", id, undefined, "DRAFT"],
      ["FLOW_STATUS_CHANGE", id, "DRAFT", "PUBLISHED"],
      ["FLOW_STATUS_CHANGE", id, "PUBLISHED", "DEPRECATED"],
    ]);
  });

  test("is refused to a draft without a JSON or with a faulty one (139002), and deprecation to any draft (139003)", async () => {
    const { made, publish, call, graph } = flows();
    const id = await made();
    expect(codeOf(await publish(id))).toBe(139002);
    expect(faultOf(await call("POST", `/v25.0/${id}/deprecate`))).toEqual([
      139003,
      undefined,
      "Can't deprecate unpublished flow",
    ]);
    const faulty = await made({ name: "Faulty", flow_json: "{" });
    expect(faultOf(await publish(faulty))).toEqual([139002, undefined, "Publishing Flow with validation errors"]);
    expect([...graph.flows.values()].map((flow) => flow.status)).toEqual(["DRAFT", "DRAFT"]);
  });

  test("of one with an endpoint asks for its URL (4233024) and for a key that is signed (4233012)", async () => {
    const { made, publish, call, setKey, graph } = flows();
    const id = await made({ flow_json: JSON.stringify(ENDPOINT_JSON) });
    expect(faultOf(await publish(id)).slice(0, 2)).toEqual([139002, 4233024]);
    await call("POST", `/v25.0/${id}`, { endpoint_uri: "https://flows.test/1" });
    expect(faultOf(await publish(id)).slice(0, 2)).toEqual([139002, 4233012]);
    expect((await setKey(keyPair().publicKey)).body).toEqual({ success: true });
    await call("POST", `/v25.0/${NUMBER_ID}/register`, { messaging_product: "whatsapp", pin: "123456" });
    expect(faultOf(await publish(id)).slice(0, 2)).toEqual([139002, 4233012]);
    await setKey(keyPair().publicKey);
    expect((await publish(id)).status).toBe(200);
    expect(graph.flows.get(id)?.status).toBe("PUBLISHED");
  });

  test("happens at creation where it is asked for and can be; else the draft stays, or nothing is made", async () => {
    const { create, graph } = flows();
    await create({ flow_json: PLAIN, publish: true });
    await create({ name: "Faulty", flow_json: "{", publish: true });
    expect(codeOf(await create({ name: "Endpoint", flow_json: JSON.stringify(ENDPOINT_JSON), publish: true }))).toBe(
      139002,
    );
    expect([...graph.flows.values()].map(({ name, status }) => [name, status])).toEqual([
      ["Sign up", "PUBLISHED"],
      ["Faulty", "DRAFT"],
    ]);
  });

  test("can fail on order, as of an account blocked by integrity (139000)", async () => {
    const { graph, made, publish } = flows();
    const id = await made({ flow_json: PLAIN });
    graph.failNext(1, { kind: "error", code: 139000 }, { operation: "flow.publish" });
    expect([codeOf(await publish(id)), graph.flows.get(id)?.status]).toEqual([139000, "DRAFT"]);
  });
});

describe("sending a flow", () => {
  const message = (id: string, mode?: string) => ({
    type: "interactive",
    interactive: {
      type: "flow",
      body: { text: "Sign up" },
      action: {
        name: "flow",
        parameters: { flow_message_version: "3", flow_id: id, flow_cta: "Go", ...(mode === undefined ? {} : { mode }) },
      },
    },
  });

  test("asks for its mode; a deprecated or unknown one is refused, a blocked one with 132068", async () => {
    const { graph, made, publish, send } = flows();
    const id = await made({ flow_json: PLAIN });
    expect([codeOf(await send(message(id))), (await send(message(id, "draft"))).status]).toEqual([131009, 200]);
    await publish(id);
    expect([codeOf(await send(message(id, "draft"))), (await send(message(id))).status]).toEqual([131009, 200]);
    await graph.moveFlow(id, "BLOCKED");
    expect(codeOf(await send(message(id)))).toBe(132068);
    await graph.moveFlow(id, "DEPRECATED");
    expect(codeOf(await send(message(id)))).toBe(131009);
    expect(codeOf(await send(message("1")))).toBe(131009);
    expect(graph.sent.size).toBe(2);
  });

  test("goes ten times an hour while it is throttled (132069)", async () => {
    const { graph, made, publish, send, clock } = flows();
    const id = await made({ flow_json: PLAIN });
    await publish(id);
    expect(
      (
        await fetch(`${graph.url}/_sim/flows/move`, {
          method: "POST",
          body: JSON.stringify({ id, status: "THROTTLED" }),
        })
      ).status,
    ).toBe(200);
    for (let round = 0; round < 10; round++) expect((await send({ ...message(id), to: USER })).status).toBe(200);
    expect(codeOf(await send(message(id)))).toBe(132069);
    clock.advance(3_600_000);
    expect((await send(message(id))).status).toBe(200);
  });
});
