import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  platformWebhooks,
  type VerifyOptions,
  WebhookVerificationError,
  webhooks,
} from "../../clients/typescript/src/index.ts";
import { sampleBodies } from "../../scripts/docs/events.ts";
import { documentedViews } from "../../src/apis/gateway/events/event-views.ts";
import { gatewayAudience } from "../../src/apis/gateway/events/render.ts";
import { platformAudience } from "../../src/apis/platform/events/render.ts";
import { useCustomer } from "../support/use-world.ts";
import { WEBHOOK_SECRET } from "../support/world.ts";

const { w, c } = useCustomer();

const FORMER_SECRET = "the secret before, of 16 characters and more";
const NOW_MS = 1_700_000_000_000;
const audiences = {
  gateway: gatewayAudience(() => documentedViews("https://recado.example.com")),
  platform: platformAudience(() => "https://recado.example.com"),
};
const body = JSON.stringify({ id: "1", type: "message:received", data: { content: { text: "Olá 👋" } } });

/** The headers with which Recado sends a body. */
const headersOf = (
  secret = WEBHOOK_SECRET,
  {
    api = "gateway",
    previousSecret,
    raw = body,
  }: { api?: keyof typeof audiences; previousSecret?: string; raw?: string } = {},
): Record<string, string> =>
  audiences[api].headers({
    eventId: "1",
    eventType: "message:received",
    body: raw,
    attempt: 1,
    atMs: NOW_MS,
    secret,
    previousSecret,
  });
const verify = (raw: string | Uint8Array, headers: Record<string, string>, options: VerifyOptions = {}) =>
  webhooks.verify(raw, headers, WEBHOOK_SECRET, { nowMs: NOW_MS, ...options });
/** What is said of a delivery that is refused. */
const refusal = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return (error as Error).message;
};
const without = (headers: Record<string, string>, name: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => !name.test(one)));

test("a delivery of the server is verified, and gives its event", async () => {
  await c.sent();
  const [{ raw, headers } = { raw: "", headers: {} }] = await c.hook.received(1);
  const event = await webhooks.verify(raw, headers, WEBHOOK_SECRET, { nowMs: w.clock.now() });
  expect(event).toEqual(JSON.parse(raw));
  expect(event.type).toBe("message:status");
});

test("so is one of the platform", async () => {
  const headers = headersOf(WEBHOOK_SECRET, { api: "platform" });
  expect(await platformWebhooks.verify(body, headers, WEBHOOK_SECRET, { nowMs: NOW_MS })).toEqual(JSON.parse(body));
});

test.each(sampleBodies("gateway").filter(({ type }) => type === "template:status" || type.startsWith("call:")))(
  "G-654 the client takes $type with fields that it does not know",
  async ({ body: sample }) => {
    const grown = { ...sample, later: { is: "new" }, data: { ...(sample["data"] as object), later: ["new"] } };
    const raw = JSON.stringify(grown);
    expect(await verify(raw, headersOf(WEBHOOK_SECRET, { raw }))).toEqual(grown as never);
  },
);

test("an event that is too large for a webhook is known by isCut", () => {
  const isCutBy = (api: keyof typeof audiences, text: string) => {
    const raw = JSON.stringify({ id: "1", type: "message:received", messageId: "2", data: { messageId: "2", text } });
    return webhooks.isCut(JSON.parse(audiences[api].cut(raw)) as object);
  };
  expect([isCutBy("gateway", "a"), isCutBy("platform", "a")]).toEqual([true, true]);
  expect(webhooks.isCut(JSON.parse(body) as object)).toBe(false);
});

describe("what is taken", () => {
  test.each([
    ["text", body],
    ["bytes", new TextEncoder().encode(body)],
    ["a buffer", new TextEncoder().encode(body).buffer],
    ["a Buffer of Node.js", Buffer.from(body)],
  ])("the body as %s", async (_, raw) => {
    expect(await webhooks.verify(raw, headersOf(), WEBHOOK_SECRET, { nowMs: NOW_MS })).toEqual(JSON.parse(body));
  });

  test.each([
    ["of the fetch API", new Headers(headersOf())],
    ["of Node.js", Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toLowerCase(), value]))],
    ["with several values", Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name, [value]]))],
  ])("the headers %s", async (_, headers) => {
    expect(await webhooks.verify(body, headers, WEBHOOK_SECRET, { nowMs: NOW_MS })).toEqual(JSON.parse(body));
  });

  test("a secret of the form whsec_, by its base64 and as text", async () => {
    const secret = `whsec_${Buffer.from("a secret of 24 bytes at all").toString("base64")}`;
    const headers = headersOf(secret);
    const [decoded, plain] = headers["webhook-signature"]?.split(" ") ?? [];
    for (const signature of [decoded, plain])
      expect(
        await webhooks.verify(body, { ...headers, "webhook-signature": signature }, secret, { nowMs: NOW_MS }),
      ).toEqual(JSON.parse(body));
  });

  test.each([
    [
      "the server's new secret, while the reader has the former",
      FORMER_SECRET,
      headersOf(WEBHOOK_SECRET, { previousSecret: FORMER_SECRET }),
    ],
    [
      "the reader's two secrets, while the server has the former",
      [WEBHOOK_SECRET, FORMER_SECRET],
      headersOf(FORMER_SECRET),
    ],
    ["the reader's two secrets, while the server has the new one", [FORMER_SECRET, WEBHOOK_SECRET], headersOf()],
  ])("%s", async (_, secret, headers) => {
    expect(await webhooks.verify(body, headers, secret, { nowMs: NOW_MS })).toEqual(JSON.parse(body));
  });

  test.each([299_000, -299_000])("a delivery %p ms from now", async (ms) => {
    expect(await verify(body, headersOf(), { nowMs: NOW_MS + ms })).toEqual(JSON.parse(body));
  });
});

describe("what is refused", () => {
  test.each([
    ["a body that was changed", body.replace("Olá", "Ola"), headersOf()],
    ["a body with a space more", `${body} `, headersOf()],
    ["another secret", body, headersOf(FORMER_SECRET)],
    ["another id", body, { ...headersOf(), "webhook-id": "2" }],
    ["another time", body, { ...headersOf(), "webhook-timestamp": String(NOW_MS / 1000 + 1) }],
    ["a signature of nothing", body, { ...headersOf(), "webhook-signature": "v1," }],
    ["a signature that is not base64", body, { ...headersOf(), "webhook-signature": "v1,é" }],
    [
      "a signature of another version",
      body,
      { ...headersOf(), "webhook-signature": headersOf()["webhook-signature"]?.replace("v1", "v2") ?? "" },
    ],
  ])("%s", async (_, raw, headers) => {
    expect(await refusal(verify(raw, headers))).toContain("No signature");
  });

  test.each([301_000, -301_000])("a delivery %p ms from now", async (ms) => {
    expect(await refusal(verify(body, headersOf(), { nowMs: NOW_MS + ms }))).toContain("301 s away");
    expect(await verify(body, headersOf(), { nowMs: NOW_MS + ms, toleranceMs: null })).toEqual(JSON.parse(body));
  });

  test("a time that is none", async () => {
    const headers = { ...headersOf(), "webhook-timestamp": "NaN" };
    expect(await refusal(verify(body, headers))).toContain("no time");
  });

  test("headers without a signature", async () => {
    expect(await refusal(verify(body, {}))).toContain("missing");
    expect(await refusal(verify(body, {}, { toleranceMs: null }))).toContain("No signature");
  });

  test("a signature without a time, where the age counts: somebody could send it again for ever", async () => {
    const headers = without(headersOf(), /^webhook-/);
    expect(await refusal(verify(body, headers))).toContain("missing");
  });

  test("a body that is signed and is not JSON", async () => {
    expect(await refusal(verify("ok", headersOf(WEBHOOK_SECRET, { raw: "ok" })))).toContain("not JSON");
  });

  test.each([[""], [[]], [[WEBHOOK_SECRET, ""]]])("no secret: %p", async (secret) => {
    expect(webhooks.verify(body, headersOf(), secret)).rejects.toThrow(TypeError);
  });
});

describe("X-Gateway-Signature and X-Webhook-Signature alone", () => {
  test.each(["gateway", "platform"] as const)("verify a delivery of the %s whose age does not count", async (api) => {
    const headers = without(headersOf(WEBHOOK_SECRET, { api }), /^webhook-/);
    expect(await verify(body, headers, { toleranceMs: null })).toEqual(JSON.parse(body));
    const former = without(
      headersOf("a newer secret than is known", { api, previousSecret: WEBHOOK_SECRET }),
      /^webhook-/,
    );
    expect(await verify(body, former, { toleranceMs: null })).toEqual(JSON.parse(body));
  });

  test.each([
    "sha256=",
    "sha256=é",
    "sha256=00",
    `sha256=${createHmac("sha256", "another").update(body).digest("hex")}`,
  ])("%p is refused", async (signature) => {
    expect(await refusal(verify(body, { "x-gateway-signature": signature }, { toleranceMs: null }))).toContain(
      "No signature",
    );
  });
});
