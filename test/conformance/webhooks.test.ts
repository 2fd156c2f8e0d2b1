import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { resolve } from "node:path";
import { Type } from "@sinclair/typebox";
import { GIVEN, openBench, type Pupil, type SampleWebhook, traitsOf } from "../../src/conformance/bench.ts";
import { LAWS } from "../../src/conformance/laws.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import type { ChannelWebhook } from "../../src/contract/webhooks.ts";
import { NO_HTTP } from "../support/networks/guarded.ts";

const { default: courier } = await import(resolve(import.meta.dir, "../support/adapters/courier/plugin.js"));

const SECRET = "the-secret-of-the-courier";
const HANDSHAKE = { query: `token=${SECRET}&challenge=1`, wrongQuery: "token=guess&challenge=1" };
const RECEIVING = ["a receiver verifies", "a receiver answers", "law 7: the receiver", "law 9"];

/** The laws about webhooks that an adapter breaks, with the reason. */
const broken = async (
  way: string,
  webhook: SampleWebhook | readonly SampleWebhook[],
  changed: Partial<ChannelWebhook> = {},
): Promise<string[]> => {
  const made = courier.create({ Type }) as ChannelPlugin;
  if (!made.webhook) throw new Error("the courier has a webhook");
  const plugin = { ...made, webhook: { ...made.webhook, ...changed } };
  const faults: string[] = [];
  for (const { title, hold } of LAWS.filter((law) => RECEIVING.some((start) => law.title.startsWith(start)))) {
    const pupil: Pupil = {
      plugin,
      http: NO_HTTP,
      vault: { way, secret: SECRET },
      secrets: [SECRET],
      recipient: "5511999990001",
      makeUnknowable: () => "5511999990001",
      webhook,
      close: async () => {},
    };
    const bench = await openBench(pupil, import.meta.dir);
    await hold(bench, traitsOf(pupil)).catch((thrown: Error) => faults.push(`${title}: ${thrown.message}`));
    await bench.close();
  }
  return faults;
};

/** Two messages in one request: the courier's adapter reads one, so this one reads both. */
const parse: ChannelWebhook["parse"] = ({ rawBody, headers }) =>
  Buffer.from(rawBody)
    .toString()
    .split(headers.get("x-courier-event") ?? "\n")
    .map((key) => ({
      kind: "unknown" as const,
      at: 1,
      what: "parcel",
      key,
    })) as never;

const timed = (): SampleWebhook => {
  const rawBody = "in-1;in-2";
  const signature = createHmac("sha256", SECRET).update(`${GIVEN.now}.${rawBody}`).digest("hex");
  return {
    rawBody,
    headers: new Headers({ "x-courier-signature": `${GIVEN.now}.${signature}`, "x-courier-event": ";" }),
    keys: ["in-1", "in-2"],
    isSigned: true,
    expiresAfterMs: 600_000,
    handshake: HANDSHAKE,
  };
};

test("an adapter that signs the time of a request, and reads a header that it keeps, breaks no law", async () => {
  expect(await broken("timed", timed(), { parse })).toEqual([]);
});

/** A message as the courier sends it: a form whose signature covers the URL and the fields, in a request of its own. */
const form = (id: string): SampleWebhook => {
  const fields: [string, string][] = [
    ["from", "5511999990001"],
    ["id", id],
    ["text", "a parcel"],
  ];
  const signed = `${GIVEN.webhookUrl}?part=2${fields.flat().join("")}`;
  return {
    rawBody: new URLSearchParams(fields).toString(),
    query: "part=2",
    headers: new Headers({
      "content-type": "application/x-www-form-urlencoded",
      "x-courier-signature": createHmac("sha1", SECRET).update(signed).digest("base64"),
    }),
    keys: [id],
    isSigned: true,
  };
};

test("an adapter whose network sends one event per request, signed with the URL and the form, breaks no law", async () => {
  expect(await broken("form", [{ ...form("in-1"), handshake: HANDSHAKE }, form("in-2")])).toEqual([]);
});

test("a list of requests is tried whole: a law is shown that only the second one breaks, and the order counts", async () => {
  const first = { ...form("in-1"), handshake: HANDSHAKE };
  const unsigned = { ...form("in-2"), headers: new Headers({ "x-courier-signature": "none" }) };
  expect((await broken("form", [first, unsigned])).join("\n")).toContain("request 2 of the set-up is refused");
  expect(await broken("form", [first, { ...form("in-2"), keys: ["in-3"] }])).toEqual([
    expect.stringContaining("law 9"),
  ]);
  expect(await broken("form", [first])).toEqual([expect.stringContaining("fewer than two events")]);
});

test.each<[string, Partial<ChannelWebhook>, string]>([
  [
    "takes every request",
    { parse, isSigned: () => true, verify: () => true },
    "a request without headers and query is taken",
  ],
  ["does not look at the time", { parse, verify: ({ headers }) => headers.has("x-courier-event") }, "one byte more"],
  ["answers any handshake", { parse, handshake: () => ({ body: "1" }) }, "a receiver answers"],
  ["answers in another form", { parse, answer: () => ({ status: 302, body: "" }) }, "a receiver answers"],
  ["reads a header that it does not keep", { parse, keeps: [] }, "law 7: the receiver"],
])("an adapter that %s is shown the law that it breaks", async (_, changed, said) => {
  expect((await broken("timed", timed(), changed)).join("\n")).toContain(said);
});

test("an adapter that takes an old request again is shown so", async () => {
  const verify: ChannelWebhook["verify"] = ({ headers, rawBody }) => {
    const [time, signature] = (headers.get("x-courier-signature") ?? "").split(".");
    return signature === createHmac("sha256", SECRET).update(`${time}.`).update(rawBody).digest("hex");
  };
  expect(await broken("timed", timed(), { parse, verify })).toEqual([
    expect.stringContaining("the request is taken again after 600000 ms"),
  ]);
});
