import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { createGatewayApi } from "../../../../src/apis/gateway/api.ts";
import { MAX_PICTURE_BODY_BYTES } from "../../../../src/apis/gateway/media/pictures.ts";
import { createPlatformApi } from "../../../../src/apis/platform/api.ts";
import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  linkOf,
  type RouteTable,
  routeOptionsOf,
  routeTable,
} from "../../../../src/apis/shared/route-table.ts";
import { startWorld, type World } from "../../../support/world.ts";

// What is true of a route is stated where the route is declared, and read from there alone.

const MIB = 1024 * 1024;
const PREFIX = "/base";
let w: World;
let gateway: ReturnType<typeof createGatewayApi>["table"];
let platform: ReturnType<typeof createPlatformApi>["table"];
beforeAll(async () => {
  w = await startWorld();
  gateway = createGatewayApi(w.app.env, { prefix: PREFIX, url: () => "http://localhost/base" }).table;
  platform = createPlatformApi(w.app.env, { prefix: PREFIX, url: () => "http://localhost/base" }).table;
});
afterAll(() => w.stop());

const namesWhere = <Options>({ routes }: RouteTable<Options>, is: (routeOptions: Options) => boolean): string[] =>
  routes
    .filter(({ routeOptions }) => is(routeOptions))
    .map(({ name }) => name)
    .sort();

describe("the gateway states at its routes", () => {
  test("who opens them", () => {
    expect(namesWhere(gateway, ({ access }) => access === "signature")).toEqual([
      "GET /v1/upstream-webhook/:channelId",
      "POST /v1/chatwoot/:webhookId",
      "POST /v1/flows/data-exchange/:flowId",
      "POST /v1/upstream-webhook",
      "POST /v1/upstream-webhook/:channelId",
    ]);
    expect(namesWhere(gateway, ({ access }) => access === "processor")).toEqual(["POST /v1/payment-webhook"]);
    expect(namesWhere(gateway, ({ access }) => access === "public").filter((name) => name.includes(" /v1"))).toEqual([
      "GET /v1/upstream-webhook",
    ]);
    expect(namesWhere(gateway, ({ access }) => access === "admin").every((name) => name.includes(" /v1/admin/"))).toBe(
      true,
    );
  });

  test("which bodies are larger than others'", () => {
    const larger = gateway.routes.filter(
      ({ routeOptions }) => routeOptions.maxBodyBytes !== COMMON_ROUTE_OPTIONS.maxBodyBytes,
    );
    expect(Object.fromEntries(larger.map(({ name, routeOptions }) => [name, routeOptions.maxBodyBytes / MIB]))).toEqual(
      {
        "POST /v1/upstream-webhook": 4,
        "POST /v1/upstream-webhook/:channelId": 4,
        "POST /v1/ai/summary": 20,
        "POST /v1/phones/:id/ai-agent/knowledge": 20,
        "POST /v1/phones/:id/ai-agent/knowledge/files": 10.125,
        "POST /v1/chatwoot/:webhookId": 4,
        "POST /v1/media/files": 100.125,
        "POST /v1/admin/imports": 20,
        "POST /v1/admin/imports/history/files": 100,
        "POST /v1/admin/imports/history/inspect": 20,
        "POST /v1/admin/imports/history/rows": 20,
        "POST /v1/admin/imports/inspect": 20,
        "PATCH /v1/newsletters/:newsletterId": MAX_PICTURE_BODY_BYTES / MIB,
        "PUT /v1/groups/:id/picture": MAX_PICTURE_BODY_BYTES / MIB,
        "PUT /v1/phones/:id/profile": MAX_PICTURE_BODY_BYTES / MIB,
        "POST /v1/media/files/base64": 20,
        "POST /v1/calls/:id/recording": 50,
      },
    );
  });

  test("which counts as a send, which need the header of a phone, and whose URLs are signed", () => {
    expect(namesWhere(gateway, ({ countsAsSend }) => countsAsSend)).toEqual([
      "POST /v1/chats/:id/messages",
      "POST /v1/messages",
      "POST /v1/messages/:id/forward",
      "POST /v1/messages/cheapest",
      "POST /v1/phones/:id/statuses",
    ]);
    expect(namesWhere(gateway, ({ namesPhone }) => namesPhone)).toEqual([
      "DELETE /v1/media/upstream/:upstreamId",
      "POST /v1/media/upload",
      "POST /v1/media/upload/resumable",
    ]);
    expect(namesWhere(gateway, ({ isUrlSigned }) => isUrlSigned)).toEqual([
      "GET /files/:accountId/:mediaId",
      "GET /files/:accountId/recordings/:callId/:fileId",
      "GET /sent-files/:messageId",
      "GET /v1/upstream-webhook",
      "GET /v1/upstream-webhook/:channelId",
      "POST /v1/upstream-webhook",
      "POST /v1/upstream-webhook/:channelId",
    ]);
  });

  test("which store their answer with their effect, and which take a dry run", () => {
    const sends = [
      "POST /v1/chats/:id/messages",
      "POST /v1/groups/:id/messages",
      "POST /v1/messages",
      "POST /v1/messages/:id/forward",
      "POST /v1/messages/cheapest",
      "POST /v1/messages/scheduled",
      "POST /v1/phones/:id/statuses",
    ];
    expect(namesWhere(gateway, ({ storesAnswer }) => storesAnswer)).toEqual(sends);
    expect(namesWhere(gateway, ({ takesDryRun }) => takesDryRun)).toEqual([
      "PATCH /v1/templates/:id",
      "POST /v1/admin/accounts/:id/join",
      ...sends,
      "POST /v1/templates",
    ]);
    const ofPlatform = namesWhere(platform, ({ storesAnswer }) => storesAnswer);
    expect(ofPlatform.filter((name) => !name.includes("/messages/"))).toEqual(["POST /v1/bulk"]);
    const joins = "POST /v1/institutions/:institutionId/accounts";
    expect(namesWhere(platform, ({ takesDryRun }) => takesDryRun)).toEqual([...ofPlatform, joins].toSorted());
  });

  test("which need a live link", () => {
    const isOfGroups = (name: string) => /^[A-Z]+ \/v1\/(?:groups|communities|newsletters)\b/.test(name);
    const linked = namesWhere(gateway, ({ link }) => link !== "none");
    expect(linked.filter(isOfGroups)).toEqual(namesWhere(gateway, () => true).filter(isOfGroups));
    expect(linked.filter((name) => !isOfGroups(name))).toEqual([
      "DELETE /v1/chats/:id",
      "DELETE /v1/phones/:id",
      "DELETE /v1/phones/:id/blocks",
      "DELETE /v1/phones/:id/labels/:label",
      "GET /v1/phones/:id/blocks",
      "GET /v1/phones/:id/business-profile",
      "GET /v1/phones/:id/catalog/collections",
      "GET /v1/phones/:id/catalog/products",
      "GET /v1/phones/:id/chats/:to/timer",
      "GET /v1/phones/:id/contacts/:to/about",
      "GET /v1/phones/:id/contacts/:to/business-profile",
      "GET /v1/phones/:id/contacts/:to/profile-picture",
      "GET /v1/phones/:id/orders/:orderId",
      "GET /v1/phones/:id/pairing",
      "GET /v1/phones/:id/pairing-code",
      "GET /v1/phones/:id/passkey",
      "GET /v1/phones/:id/privacy",
      "GET /v1/phones/:id/profile",
      "GET /v1/phones/:id/qrcode",
      "GET /v1/phones/:id/quota",
      "PATCH /v1/chats/:id",
      "PATCH /v1/phones/:id/business-profile",
      "PATCH /v1/phones/:id/labels/:label",
      "PATCH /v1/phones/:id/privacy",
      "PATCH /v1/phones/:id/settings",
      "POST /v1/calls/:id/reject",
      "POST /v1/chats/:id/clear",
      "POST /v1/phones/:id/blocks",
      "POST /v1/phones/:id/call-links",
      "POST /v1/phones/:id/chats/resync",
      "POST /v1/phones/:id/history",
      "POST /v1/phones/:id/labels",
      "POST /v1/phones/:id/logout",
      "POST /v1/phones/:id/pairing-code",
      "POST /v1/phones/:id/passkey",
      "POST /v1/phones/:id/passkey/confirm",
      "POST /v1/phones/:id/presence",
      "POST /v1/phones/:id/presence/subscriptions",
      "POST /v1/phones/:id/reconnect",
      "POST /v1/phones/:id/rotate-token",
      "PUT /v1/chats/:id/labels",
      "PUT /v1/phones/:id/chats/:to/timer",
      "PUT /v1/phones/:id/credentials",
      "PUT /v1/phones/:id/profile",
      "PUT /v1/phones/:id/proxy",
    ]);
  });
});

describe("the platform states at its routes", () => {
  test("who opens them", () => {
    expect(namesWhere(platform, ({ access }) => access === "public").filter((name) => name.includes(" /v1"))).toEqual([
      "POST /v1/auth/forgot-password",
      "POST /v1/auth/join",
      "POST /v1/auth/login",
      "POST /v1/auth/register",
      "POST /v1/auth/reset-password",
      "POST /v1/auth/verify-email",
    ]);
    expect(namesWhere(platform, ({ access }) => access === "pending")).toEqual([
      "DELETE /v1/auth/sessions/:sessionId",
      "GET /v1/auth/institutions",
      "GET /v1/auth/sessions",
      "POST /v1/auth/accept-invitation",
      "POST /v1/auth/change-password",
      "POST /v1/auth/delete-user",
      "POST /v1/auth/request-verification",
      "POST /v1/auth/select-institution",
    ]);
  });

  test("the shape of their errors, and which need a live link", () => {
    expect(namesWhere(platform, ({ errors }) => errors === "text")).toEqual([
      "POST /v1/auth/login",
      "POST /v1/auth/register",
    ]);
    expect(namesWhere(platform, ({ errors }) => errors === "logs")).toEqual([
      "GET /v1/webhooks/:id/logs",
      "POST /v1/webhooks/:id/retry",
      "POST /v1/webhooks/:id/test",
    ]);
    expect(namesWhere(platform, ({ errors }) => errors === "webhooks")).toHaveLength(6);
    expect(namesWhere(platform, ({ link }) => link === "required")).toEqual([
      "DELETE /v1/channels/:channelId",
      "POST /v1/channels/:channelId/connect",
      "POST /v1/channels/:channelId/disconnect",
      "PUT /v1/channels/:channelId/credentials",
    ]);
    expect(namesWhere(platform, ({ link }) => link === "optional")).toEqual([
      "POST /v1/bulk/forecast",
      "POST /v1/bulk/validate",
    ]);
  });
});

describe("a request is looked up as Elysia routes it", () => {
  const of = (method: string, path: string) => gateway.find(method, PREFIX + path);

  test("with a slash at its end, and HEAD as GET", () => {
    expect(of("POST", "/v1/messages/").routeOptions.countsAsSend).toBe(true);
    expect(of("HEAD", "/v1/phones/x/qrcode").name).toBe("GET /v1/phones/:id/qrcode");
  });

  test("a word is no parameter: percent-encoded or in other letters it is another path", () => {
    expect(of("POST", "/v1/upstream%2Dwebhook").routeOptions.access).toBe("key");
    expect(of("POST", "/v1/Upstream-Webhook").routeOptions.access).toBe("key");
    expect(of("POST", "/v1//upstream-webhook").routeOptions.access).toBe("key");
    expect(of("POST", "/v1/upstream-webhook/a/more").routeOptions.access).toBe("key");
  });

  test("what does not exist below /v1 needs a key, below /v1/admin the administrator's token, and elsewhere nothing", () => {
    const accessOf = (path: string) => of("GET", path).routeOptions.access;
    expect(["/v1", "/v1/none", "/v1/admin", "/v1/admin/none", "/v1/administrators", "/none"].map(accessOf)).toEqual([
      "key",
      "key",
      "admin",
      "admin",
      "key",
      "public",
    ]);
    expect(platform.find("GET", `${PREFIX}/v1/none`).routeOptions.access).toBe("credentials");
  });

  test("another method at a path has none of its routes' privileges, and a stranger learns of it only where strangers are let in", () => {
    expect(of("PATCH", "/v1/messages").routeOptions).toMatchObject({ access: "key", countsAsSend: false });
    expect(of("DELETE", "/v1/payment-webhook").routeOptions.access).toBe("public");
    expect(of("PUT", "/v1/ai/summary").routeOptions.maxBodyBytes).toBe(MIB);
    expect(of("PATCH", "/v1/phones/x/reconnect").routeOptions.link).toBe("none");
  });

  test("the channel is the first parameter, decoded, or is named by the body", () => {
    expect(linkOf(of("POST", "/v1/phones/%61b/reconnect"))).toEqual({ channelId: "ab", isRequired: true });
    expect(linkOf(platform.find("POST", `${PREFIX}/v1/bulk/validate`))).toEqual({
      channelId: undefined,
      isRequired: false,
    });
  });

  test("a word goes before a parameter, and a path that fails behind the word is tried behind the parameter", () => {
    const link = routeOptionsOf<CommonRouteOptions>()({ link: "required" });
    const table = routeTable<CommonRouteOptions>(
      [
        { method: "GET", path: "/a/b" },
        { method: "GET", path: "/a/:id/c", hooks: { detail: link } },
      ],
      "",
      { unrouted: () => COMMON_ROUTE_OPTIONS, wrongMethod: () => COMMON_ROUTE_OPTIONS },
    );
    expect([
      table.find("GET", "/a/b").name,
      table.find("GET", "/a/b/c").routeOptions.link,
      table.find("GET", "/a//c").name,
    ]).toEqual(["GET /a/b", "required", undefined]);
  });
});

test("no file outside the routes has a pattern for paths of the APIs", async () => {
  const root = resolve(import.meta.dir, "../../../..");
  const files = ["src/apis/**/*.ts", "src/{forwarding,listener}.ts"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: root }),
  ]);
  expect(files.length).toBeGreaterThan(50);
  const texts = await Promise.all(
    files.map(async (path) => ({ path, text: await Bun.file(resolve(root, path)).text() })),
  );
  expect(
    texts.filter(({ text }) => /\/\^?\\\/v1|\.test\(path|\.exec\(path/.test(text)).map(({ path }) => path),
  ).toEqual([]);
});
