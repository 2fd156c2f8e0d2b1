import {
  issueLine,
  operationOutcomeIssues,
  sendOutcomeIssues,
  upstreamResultIssues,
} from "../../../../contract/outcome-shapes.ts";
import type { ChannelHost, ChannelLink } from "../../../../contract/plugin.ts";
import { type UpstreamResult, unavailable } from "../../../../contract/upstream.ts";
import { type Clock, HOUR_MS, SECOND_MS } from "../../../../kernel/clock.ts";
import { atOnce, type Ended, type NoteFault, noteUnusable, soon, soundOf, within } from "./faults.ts";
import { guardApis } from "./guarded-apis.ts";
import { ADAPTER_FAULT, guardConnect } from "./guarded-connect.ts";
import { guardHost } from "./guarded-host.ts";
import { bounded, isInstant } from "./numbers.ts";

/**
 * TABLE: the time limit of each call of a link, in milliseconds of the clock. The laws require `close` and `forget` to
 * be faster.
 */
const LIMITS = {
  send: 120 * SECOND_MS,
  operate: 60 * SECOND_MS,
  refresh: 60 * SECOND_MS,
  close: 6 * SECOND_MS,
  forget: 12 * SECOND_MS,
  paceMs: 10 * SECOND_MS,
} as const;

type FailedOutcome = {
  ok: false;
  kind: "unknown" | "retry";
  code: "ADAPTER_FAULT" | "CHANNEL_UNAVAILABLE";
  reason: string;
};
const unknown = (reason: string): FailedOutcome => ({ ok: false, kind: "unknown", code: ADAPTER_FAULT, reason });
const closed: FailedOutcome = { ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "the link is closed" };

/**
 * Opens a link that keeps the contract whatever the adapter does. No call throws, hangs or gives a value of another
 * shape. A send that throws, hangs or gives a malformed answer is `unknown`, because bytes may have left, with the code
 * ADAPTER_FAULT. After `close`
 * every call is ignored.
 */
export const openGuarded = (
  open: (host: ChannelHost) => ChannelLink,
  host: ChannelHost,
  note: NoteFault,
): ChannelLink => {
  const guarded = guardHost(host, note);
  const opened = atOnce(note.measuring("open", () => open(guarded.host)));
  const link = opened.is === "value" && isLink(opened.value) ? opened.value : undefined;
  if (!link) {
    noteUnusable(note, "open", opened, "gave no link with connect, close, forget and send");
    return deadLink(host);
  }
  let isClosed = false;
  const calls = callsOf(link, host.clock, note);
  const connecting = guardConnect(link, host, guarded, note);
  return {
    ...guardLastReceivedAt(link, note),
    connect: connecting.connect,
    async close() {
      if (isClosed) return;
      isClosed = true;
      connecting.close();
      const ended = await within(
        host.clock,
        LIMITS.close,
        note.measuring("close", () => link.close()),
      );
      guarded.close();
      if (ended.is === "fault") note(ended.fault, "close", ended.detail);
    },
    async forget(disconnectOptions) {
      const forget = note.measuring("forget", () => link.forget(disconnectOptions));
      const ended = await within(host.clock, LIMITS.forget, forget);
      if (ended.is === "fault") note(ended.fault, "forget", ended.detail);
    },
    send: async (order) => (isClosed ? closed : calls.send(() => link.send(order))),
    ...(link.operate
      ? { operate: async (operation) => (isClosed ? closed : calls.operate(() => link.operate?.(operation))) }
      : {}),
    ...(link.refresh ? { refresh: () => calls.refresh(() => link.refresh?.()) } : {}),
    ...(link.providerMessageIdFor ? { providerMessageIdFor: guardKeyFor(link, note) } : {}),
    ...(link.paceMs ? { paceMs: guardPace(link, host.clock, note) } : {}),
    ...guardApis(link, host.clock, note),
  };
};

const isLink = (value: unknown): value is ChannelLink =>
  typeof value === "object" &&
  value !== null &&
  ["connect", "close", "forget", "send"].every(
    (name) => typeof (value as Record<string, unknown>)[name] === "function",
  );

/** The link of a channel whose adapter could not open a link: it reports FAILED, and sends nothing. */
const deadLink = (host: ChannelHost): ChannelLink => ({
  connect: () => host.report({ state: "FAILED", reason: ADAPTER_FAULT }),
  close: async () => {},
  forget: async () => {},
  send: async () => ({ ...closed, reason: "the adapter could not open the channel" }),
});

const guardLastReceivedAt = (link: ChannelLink, note: NoteFault): Pick<ChannelLink, "lastReceivedAt"> => {
  if (!atOnceHas(link, "lastReceivedAt")) return {};
  return {
    get lastReceivedAt() {
      const read = atOnce(note.measuring("lastReceivedAt", () => link.lastReceivedAt));
      return read.is === "value" && isInstant(read.value) ? read.value : undefined;
    },
  };
};

const atOnceHas = (link: ChannelLink, name: string): boolean => {
  const has = atOnce(() => name in link);
  return has.is === "value" && has.value === true;
};

/** The calls that resolve to an outcome, each with its time limit and its shape. */
const callsOf = (link: ChannelLink, clock: Clock, note: NoteFault) => {
  const outcomeOf = async <Outcome>(
    name: "send" | "operate",
    call: () => unknown,
    issuesOf: typeof sendOutcomeIssues,
  ): Promise<Outcome | FailedOutcome> => {
    const ended = await within(
      clock,
      LIMITS[name],
      note.measuring(name, () => call.call(link)),
    );
    if (ended.is === "fault") {
      note(ended.fault, name, ended.detail);
      return unknown(`the adapter ${ended.fault === "hung" ? "did not answer" : "failed"}`);
    }
    const outcome = soundOf(ended.value, name, note);
    const issues = issuesOf(outcome);
    if (issues.length === 0) return outcome as Outcome; // its shape has been checked
    note("malformed", name, issueLine(issues));
    return unknown("the adapter's answer was no outcome");
  };
  return {
    send: (call: () => unknown) => outcomeOf<Awaited<ReturnType<ChannelLink["send"]>>>("send", call, sendOutcomeIssues),
    operate: (call: () => unknown) => outcomeOf<{ ok: true }>("operate", call, operationOutcomeIssues),
    async refresh(call: () => unknown): Promise<UpstreamResult<true>> {
      const ended = await within(clock, LIMITS.refresh, note.measuring("refresh", call));
      const result = ended.is === "value" ? soundOf(ended.value, "refresh", note) : undefined;
      const issues = ended.is === "value" ? upstreamResultIssues(result) : [];
      // its shape has been checked
      if (ended.is === "value" && issues.length === 0) return result as UpstreamResult<true>;
      noteUnusable(note, "refresh", ended, issueLine(issues));
      return unavailable("the adapter gave no answer");
    },
  };
};

const MAX_KEY_CHARS = 512;

/** @throws Error when the adapter gives no id: the send is retried later, because nothing may leave without its id */
const guardKeyFor =
  (link: ChannelLink, note: NoteFault): NonNullable<ChannelLink["providerMessageIdFor"]> =>
  (messageId) => {
    const made = atOnce(note.measuring("providerMessageIdFor", () => link.providerMessageIdFor?.(messageId)));
    const key = made.is === "value" ? made.value : undefined;
    if (typeof key === "string" && key !== "" && key.length <= MAX_KEY_CHARS)
      return key as ReturnType<NonNullable<ChannelLink["providerMessageIdFor"]>>;
    noteUnusable(note, "providerMessageIdFor", made, `gave no text of 1 to ${MAX_KEY_CHARS} characters`);
    throw new Error("the adapter gave no key for the message");
  };

const guardPace =
  (link: ChannelLink, clock: Clock, note: NoteFault): NonNullable<ChannelLink["paceMs"]> =>
  (to) => {
    const judge = (paced: Ended<unknown>): number => {
      const pace = paced.is === "value" ? bounded(paced.value, { least: -1, most: HOUR_MS }) : undefined;
      if (pace !== undefined && pace >= 0) return pace;
      noteUnusable(note, "paceMs", paced, "gave no number of milliseconds");
      return SECOND_MS;
    };
    const call = note.measuring("paceMs", () => link.paceMs?.(to));
    const paced = soon(clock, LIMITS.paceMs, call);
    return paced instanceof Promise ? paced.then(judge) : judge(paced);
  };
