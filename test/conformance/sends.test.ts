import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { Type } from "@sinclair/typebox";
import { openBench, type Pupil, type SampleWebhook, traitsOf } from "../../src/conformance/bench.ts";
import { SEND_LAWS } from "../../src/conformance/send-laws.ts";
import type { ConsentChanged } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, ChannelPlugin, SendOrder } from "../../src/contract/plugin.ts";
import { NO_HTTP } from "../support/networks/guarded.ts";

const { default: courier } = await import(resolve(import.meta.dir, "../support/adapters/courier/plugin.js"));

const ANA = "5511999990001";
const STOPPED = "5511999990002";
const OPTED_OUT: SendOutcome = { ok: false, kind: "refused", code: "RECIPIENT_OPTED_OUT", reason: "STOP" };
type Send = (order: SendOrder, host: ChannelHost) => SendOutcome;

const taken: Send = ({ to, messageId }) => (to === `pn:${STOPPED}` ? OPTED_OUT : { ok: true, key: messageId as never });
const consent = (fields: Partial<ConsentChanged> = {}): ConsentChanged => ({
  kind: "consent",
  at: 1,
  nativeId: "stop-1",
  from: { pn: STOPPED },
  state: "opted_out",
  word: "STOP",
  ...fields,
});
const request: SampleWebhook = { rawBody: "STOP", headers: new Headers(), keys: [] };

type Ways = { send?: Send; parse?: () => unknown; options?: Record<string, string> };

/** The laws that an adapter breaks, with the reason. It has an option, gets files by links, and knows opt-outs. */
const broken = async ({
  send = taken,
  parse = () => [consent()],
  options = { sender: "Padaria" },
}: Ways = {}): Promise<string[]> => {
  const made = courier.create({ Type }) as ChannelPlugin;
  const plugin: ChannelPlugin = {
    ...made,
    options: Type.Object({ sender: Type.Optional(Type.String({ maxLength: 11 })) }),
    capabilities: { ...made.capabilities, send: { text: {}, image: {} }, fetchesLinks: true },
    webhook: { ...made.webhook, parse } as never,
    open: (host) => ({ ...made.open(host), send: async (order) => send(order, host) }),
  };
  const faults: string[] = [];
  for (const { title, isFor, hold } of SEND_LAWS) {
    const pupil: Pupil = {
      plugin,
      http: NO_HTTP,
      vault: { way: "query", secret: "x" },
      secrets: [],
      recipient: ANA,
      makeUnknowable: () => ANA,
      options,
      refuseOptedOut: () => STOPPED,
      optOut: request,
      close: async () => {},
    };
    const traits = traitsOf(pupil);
    expect(isFor?.(traits)).toBe(true);
    const bench = await openBench(pupil, import.meta.dir);
    await hold(bench, traits).catch((thrown: Error) => faults.push(`${title}: ${thrown.message}`));
    await bench.close();
  }
  return faults;
};

test("an adapter that takes its options and links, and knows opt-outs, breaks no law", async () => {
  expect(await broken()).toEqual([]);
});

test("a provider without the options of its adapter refuses them as unsupported, and breaks no law", async () => {
  const send: Send = (order, host) =>
    order.options ? { ...OPTED_OUT, code: "UPSTREAM_UNSUPPORTED", reason: "no options" } : taken(order, host);
  expect(await broken({ send })).toEqual([]);
});

test("an adapter without options, links and opt-outs is not asked for them", () => {
  const plugin = courier.create({ Type }) as ChannelPlugin;
  const traits = traitsOf({ plugin } as Pupil);
  expect(SEND_LAWS.filter(({ isFor }) => isFor?.(traits))).toEqual([]);
});

const refused = (order: SendOrder, reason: string): SendOutcome => ({
  ...OPTED_OUT,
  code: "UPSTREAM_BAD_REQUEST",
  reason: `${reason}: ${JSON.stringify(order.content)}`,
});
let read = 0;

test.each<[string, Ways, string]>([
  [
    "refuses an option that it declares",
    { send: (order, host) => (order.options ? refused(order, "an option") : taken(order, host)) },
    "a send with its options",
  ],
  ["has a set-up with another option", { options: { priority: "high" } }, "the options of the set-up"],
  ["has a set-up with a wrong value", { options: { sender: "more than eleven" } }, "law 12: the declared options"],
  [
    "refuses a link with a signature",
    { send: (order, host) => (order.type === "image" ? refused(order, "a file") : taken(order, host)) },
    "image by a link",
  ],
  [
    "logs the link of a file",
    {
      send(order, host) {
        if (order.type === "image") host.log.info({ what: order.content.mediaUrl }, "sent");
        return taken(order, host);
      },
    },
    "is in a report, an event, an outcome or the log",
  ],
  [
    "tries a person who opted out again",
    { send: (order, host) => ({ ...taken(order, host), kind: "retry" }) as SendOutcome },
    "law 4: a send to a person who opted out",
  ],
  [
    "sends to a person who opted out",
    { send: (order, host) => taken({ ...order, to: `pn:${ANA}` }, host) },
    "law 4: a send to a person who opted out",
  ],
  ["reads no opt-out", { parse: () => [] }, "no event consent"],
  ["reads an opt-out as an opt-in", { parse: () => [consent({ state: "opted_in" })] }, "no event consent"],
  ["names nobody", { parse: () => [consent({ from: {} })] }, "law 8: an opt-out"],
  ["gives two opt-outs one id", { parse: () => [consent(), consent({ from: { pn: ANA } })] }, "two events have one"],
  ["gives an opt-out another id each time", { parse: () => [consent({ nativeId: `${++read}` })] }, "read again"],
])("an adapter that %s is shown the law that it breaks", async (_, ways, said) => {
  expect((await broken(ways)).join("\n")).toContain(said);
});
