import { describe, expect, test } from "bun:test";
import { routedEventsOf } from "../../../plugins/waba/inbound.ts";
import { wabaPlugin } from "../../../plugins/waba/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { TemplateApi, TemplateOrder } from "../../../src/contract/content/templates.ts";
import { type Answer, graphError } from "../../support/networks/scripted-graph.ts";
import { CREDENTIALS, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();

const COMPONENTS = [{ type: "BODY", text: "Olá {{1}}, tudo bem?", example: { body_text: [["Ana"]] } }];
const ORDER: TemplateOrder = {
  name: "promo_1",
  language: "pt_BR",
  category: "MARKETING",
  components: COMPONENTS,
  allowCategoryChange: true,
};
const ACCOUNT = `/v26.0/${CREDENTIALS.businessAccountId}/message_templates`;

const apiOf = ({ templates }: { templates?: TemplateApi }): TemplateApi => {
  if (!templates) throw new Error("the link manages no templates");
  return templates;
};
const ok = (body: object): Answer => ({ status: 200, body });

/** The calls of the API, each made once. */
const CALLS: [name: string, call: (api: TemplateApi) => Promise<unknown>][] = [
  ["submit", (api) => api.submit(ORDER)],
  ["edit", (api) => api.edit("1689", { category: "UTILITY" })],
  ["remove", (api) => api.remove({ nativeId: "1689", name: "promo_1" })],
  ["list", (api) => api.list()],
];

describe("managing the templates of a business account", () => {
  test("G-476 G-479 G-481 G-489 a submission is one POST to the account, with every component unchanged", async () => {
    const { graph, link } = channel();
    graph.script(ok({ id: "1689556908129832", status: "PENDING", category: "UTILITY" }));
    const components = [
      { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] }, unknown: { deep: [1] } },
      ...COMPONENTS,
    ];
    expect(await apiOf(link).submit({ ...ORDER, components, messageSendTtlSeconds: 600 })).toEqual({
      ok: true,
      value: { nativeId: "1689556908129832", status: "PENDING", category: "UTILITY" },
    });
    expect(graph.arrived).toMatchObject([
      { method: "POST", path: ACCOUNT, authorization: `Bearer ${CREDENTIALS.accessToken}` },
    ]);
    expect(graph.arrived[0]?.body).toEqual({
      name: "promo_1",
      language: "pt_BR",
      category: "MARKETING",
      allow_category_change: true,
      components,
      message_send_ttl_seconds: 600,
    });
  });

  test("without a time to live none is named", async () => {
    const { graph, link } = channel();
    graph.script(ok({ id: "1", status: "PENDING" }));
    await apiOf(link).submit({ ...ORDER, allowCategoryChange: false });
    expect(graph.arrived[0]?.body).toEqual({
      name: "promo_1",
      language: "pt_BR",
      category: "MARKETING",
      allow_category_change: false,
      components: COMPONENTS,
    });
  });

  test("G-504 an edit is one POST to the template, with what changes alone", async () => {
    const { graph, link } = channel();
    graph.script(ok({ success: true }), ok({ success: true, id: "1689", name: "promo_1", category: "MARKETING" }));
    expect(await apiOf(link).edit("1689", { components: COMPONENTS, messageSendTtlSeconds: 30 })).toEqual({
      ok: true,
      value: {},
    });
    expect(await apiOf(link).edit("1689", { category: "UTILITY" })).toEqual({
      ok: true,
      value: { category: "MARKETING" },
    });
    expect(graph.arrived.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: "POST", path: "/v26.0/1689", body: { components: COMPONENTS, message_send_ttl_seconds: 30 } },
      { method: "POST", path: "/v26.0/1689", body: { category: "UTILITY" } },
    ]);
  });

  test("G-514 a removal names the template's id beside its name, so that its other languages stay", async () => {
    const { graph, link } = channel();
    expect(await apiOf(link).remove({ nativeId: "1689", name: "promo_1" })).toEqual({ ok: true, value: undefined });
    expect(graph.arrived).toMatchObject([{ method: "DELETE", path: ACCOUNT, body: undefined }]);
    expect([...(graph.arrived[0]?.query ?? [])]).toEqual([
      ["hsm_id", "1689"],
      ["name", "promo_1"],
    ]);
  });

  test("G-517 a page lists what can be read, and says how to go on", async () => {
    const { graph, link } = channel();
    const listed = {
      id: "1",
      name: "a",
      status: "APPROVED",
      category: "UTILITY",
      language: "en-US",
      components: COMPONENTS,
      quality_score: { score: "GREEN" },
    };
    const data = [
      listed,
      { ...listed, id: 2, name: "b", status: "REJECTED", rejected_reason: "INVALID_FORMAT", components: undefined },
      { ...listed, id: undefined },
      { ...listed, category: "ACCOUNT_UPDATE" },
      5,
    ];
    graph.script(
      ok({ data, paging: { cursors: { before: "MA", after: "MTAw" }, next: "https://graph.example.com/next" } }),
      ok({ data: [], paging: { cursors: { after: "END" } } }),
    );
    expect(await apiOf(link).list()).toEqual({
      ok: true,
      value: {
        templates: [
          {
            nativeId: "1",
            name: "a",
            language: "en_US",
            category: "UTILITY",
            status: "APPROVED",
            components: COMPONENTS,
          },
          {
            nativeId: "2",
            name: "b",
            language: "en_US",
            category: "UTILITY",
            status: "REJECTED",
            components: [],
            reason: "INVALID_FORMAT",
          },
          // M26-12: a category that is new here is kept, and cannot be sent
          {
            nativeId: "1",
            name: "a",
            language: "en_US",
            category: "UNKNOWN",
            status: "PAUSED",
            components: COMPONENTS,
          },
        ],
        next: "MTAw",
      },
    });
    expect(await apiOf(link).list("MTAw")).toEqual({ ok: true, value: { templates: [] } });
    expect(graph.arrived.map(({ path, query }) => [path, query.get("limit"), query.get("after")])).toEqual([
      [ACCOUNT, "100", null],
      [ACCOUNT, "100", "MTAw"],
    ]);
    for (const field of ["id", "name", "language", "category", "status", "components", "rejected_reason"])
      expect(graph.arrived[0]?.query.get("fields")?.split(",")).toContain(field);
  });

  test.each([
    ["APPROVED", "APPROVED"],
    ["PENDING", "PENDING"],
    ["IN_APPEAL", "PENDING"],
    ["REJECTED", "REJECTED"],
    ["DELETED", "REJECTED"],
    ["PENDING_DELETION", "REJECTED"],
    ["PAUSED", "PAUSED"],
    ["DISABLED", "PAUSED"],
    ["FLAGGED", "PAUSED"],
    ["LIMIT_EXCEEDED", "REJECTED"],
    ["ARCHIVED", "PAUSED"],
    ["SOMETHING_NEW", "PAUSED"],
  ])("GAP-G42 the state %s is %s", async (state, status) => {
    const { graph, link } = channel();
    graph.script(ok({ id: "1", status: state }));
    expect(await apiOf(link).submit(ORDER)).toEqual({ ok: true, value: { nativeId: "1", status } as never });
  });
});

describe("what a call that does not succeed means", () => {
  const REFUSAL = {
    error: {
      ...graphError(100, "Invalid parameter").error,
      error_subcode: 2388299,
      error_user_title: "Not allowed",
      error_user_msg: "No variable at the end",
    },
  };

  describe.each(CALLS)("%s", (_, call) => {
    const said = async (...answers: Answer[]) => {
      const { graph, link } = channel();
      graph.script(...answers);
      return call(apiOf(link));
    };

    test("G-497 a refusal carries the network's own words", async () => {
      const error = {
        code: 100,
        error_subcode: 2388299,
        message: "Invalid parameter",
        error_user_title: "Not allowed",
        error_user_msg: "No variable at the end",
      };
      expect(await said({ status: 400, body: REFUSAL })).toEqual({ ok: false, kind: "refused", error });
    });

    test.each<[string, Answer, boolean]>([
      ["a connection that is cut", "cut", true],
      ["a page of a proxy", { status: 502, body: "<html>" }, true],
      ["a 504 of a proxy", { status: 504, body: "<html>" }, true],
      ["a success that is no JSON", { status: 200, body: "<html>" }, true],
      ["a success that says nothing", { status: 200, body: {} }, true],
      ["the network's own trouble", { status: 503, body: graphError(2, "Service temporarily unavailable") }, false],
      ["a rate limit", { status: 400, body: graphError(80007, "Rate limit issues") }, false],
    ])("GAP-G13 %s is no answer", async (_what, answer, mayHaveHappened) => {
      expect(await said(answer)).toMatchObject({ ok: false, kind: "unavailable", mayHaveHappened });
    });

    test("GAP-G13 an answer that never comes is given up", async () => {
      const { graph } = channel();
      const http = createHttp({ allow: [], extraCa: undefined });
      const impatient = {
        ...http,
        trusted: (request: Parameters<typeof http.trusted>[0]) => http.trusted({ ...request, timeoutMs: 50 }),
      };
      const link = wabaPlugin({
        graphUrl: graph.url,
        graphVersion: "v26.0",
        appSecrets: [],
        verifyToken: undefined,
      }).open(recordingHost({ http: impatient, vault: CREDENTIALS }));
      graph.script("silence");
      expect(await call(apiOf(link))).toMatchObject({ ok: false, kind: "unavailable", mayHaveHappened: true });
      http.close();
    });

    test("G-646 a refused token makes the channel TOKEN_EXPIRED", async () => {
      expect(await said({ status: 401, body: graphError(190, "Error validating access token") })).toMatchObject({
        ok: false,
        kind: "token",
      });
      expect(channel().host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
    });

    test("G-513 without credentials, or with such as cannot be read, nobody is asked", async () => {
      const { graph, host, link, open } = channel();
      expect(await call(apiOf(open({}).link))).toMatchObject({ ok: false, kind: "credentials" });
      expect(await call(apiOf(open({ ...CREDENTIALS, businessAccountId: "" }).link))).toMatchObject({
        ok: false,
        kind: "credentials",
      });
      host.breakVault();
      expect(await call(apiOf(link))).toMatchObject({ ok: false, kind: "credentials" });
      expect(graph.arrived).toEqual([]);
    });
  });

  test("a page that is longer than can be taken is no answer, and is not kept", async () => {
    const { graph, link } = channel();
    graph.script(
      ok({
        data: [
          {
            id: "1",
            name: "a",
            language: "pt_BR",
            category: "UTILITY",
            status: "APPROVED",
            components: [{ type: "BODY", text: "x".repeat(9 * 1024 * 1024) }],
          },
        ],
      }),
    );
    expect(await apiOf(link).list()).toMatchObject({ ok: false, kind: "unavailable" });
  });
});

describe("the id of a template in a webhook", () => {
  const parsed = (id: string) => {
    const value = `{"event":"APPROVED","message_template_id":${id},"message_template_name":"promo","message_template_language":"pt_BR"}`;
    const changes = `{"field":"message_template_status_update","value":${value}},{"field":"something_new","value":{}}`;
    return routedEventsOf(
      `{"object":"whatsapp_business_account","entry":[{"id":"1","time":1739321024,"changes":[${changes}]}]}`,
    ).map(({ event }) => event);
  };
  const beside = expect.objectContaining({ kind: "unknown", what: "field something_new" });

  test("is read to its last digit, though it is too long for a number", () => {
    expect(parsed("24096428473302013")).toEqual([
      expect.objectContaining({ kind: "template", nativeId: "24096428473302013", status: "APPROVED" }),
      beside,
    ]);
    expect(parsed(' "24096428473302013" ')).toEqual([
      expect.objectContaining({ nativeId: "24096428473302013" }),
      beside,
    ]);
  });

  test.each(["1e+308", "1.5", "-1", "null", "{}", "[1]"])(
    "is no whole number: %s, and what stands beside it is read all the same",
    (id) => {
      const events = parsed(id);
      expect(events).toHaveLength(2);
      expect(events?.[1]).toEqual(beside);
    },
  );
});
