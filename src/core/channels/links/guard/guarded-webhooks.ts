import { eventIssues } from "../../../../contract/event-shapes.ts";
import type { ChannelEvent } from "../../../../contract/events.ts";
import { issueLine } from "../../../../contract/outcome-shapes.ts";
import { answerIssues, handshakeIssues } from "../../../../contract/webhook-shapes.ts";
import type { ChannelWebhook, ForNumber, UpstreamReceiver } from "../../../../contract/webhooks.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../kernel/clock.ts";
import { isRecord } from "../../../../kernel/texts/json.ts";
import { adapterSilent } from "../../refusals.ts";
import type { NoteFault } from "./faults.ts";
import type { Calls } from "./judged-calls.ts";

const MAX_EVENTS_PER_ENVELOPE = 10_000;

/** TABLE: how long a call about a webhook may take. Networks wait for about ten seconds, and `parse` runs later. */
const LIMITS = {
  isSigned: 5 * SECOND_MS,
  verify: 5 * SECOND_MS,
  handshake: 5 * SECOND_MS,
  isFor: 5 * SECOND_MS,
  answer: 5 * SECOND_MS,
  parse: MINUTE_MS,
} as const;

const isAnswer = (value: unknown): boolean => answerIssues(value).length === 0;
const isHandshake = (value: unknown): boolean => handshakeIssues(value).length === 0;
const isBoolean = (value: unknown): boolean => typeof value === "boolean";

type Name = keyof typeof LIMITS;

/**
 * The functions that the two kinds of receivers share. A network is refused for now by a call that hangs, because it
 * takes another refusal as final. A call that throws has verified nothing.
 */
const guarding = (part: "webhook" | "receiver", calls: Calls) => {
  const hung = (): never => {
    throw adapterSilent();
  };
  return {
    truth: (name: Name, call: () => unknown) =>
      calls.soon<boolean>(call, `${part}.${name}`, { limitMs: LIMITS[name], fits: isBoolean, instead: false, hung }),
    /** The envelope is stored before its answer is made, so the usual answer stands in for a missing one. */
    optional: <Value>(name: Name, call: () => unknown, fits: (value: unknown) => boolean) =>
      calls.soon<Value | undefined>(call, `${part}.${name}`, {
        limitMs: LIMITS[name],
        fits,
        instead: undefined,
        ...(name === "handshake" ? { hung } : {}),
      }),
    /** The events of an envelope. A call that hangs is repeated with its job. */
    async events<Item>(call: () => unknown, isItem: (item: unknown, what: string, note: NoteFault) => boolean) {
      const what = `${part}.parse`;
      const events = await calls.soon<unknown[]>(call, what, {
        limitMs: LIMITS.parse,
        fits: Array.isArray,
        instead: [],
        hung() {
          throw new Error(`the adapter has not read an envelope within ${LIMITS.parse / SECOND_MS} s`);
        },
      });
      if (events.length > MAX_EVENTS_PER_ENVELOPE)
        calls.note("flooded", what, `${events.length} events of one envelope`);
      return events.slice(0, MAX_EVENTS_PER_ENVELOPE).filter((item): item is Item => isItem(item, what, calls.note));
    },
  };
};

/** Guards the webhook of one channel. */
export const guardWebhook = (webhook: ChannelWebhook, calls: Calls): ChannelWebhook => {
  const { truth, optional, events } = guarding("webhook", calls);
  const { keeps, takesGet, servesAccount, answer, handshake } = webhook;
  return {
    ...(keeps ? { keeps } : {}),
    ...(takesGet ? { takesGet } : {}),
    ...(servesAccount ? { servesAccount } : {}),
    isSigned: (head) => truth("isSigned", () => webhook.isSigned(head)),
    verify: (request, secrets) => truth("verify", () => webhook.verify(request, secrets)),
    parse: (request) =>
      events<ChannelEvent | ForNumber>(() => webhook.parse(request), servesAccount ? isForOne : isEvent),
    ...(answer ? { answer: (request) => optional("answer", () => answer(request), isAnswer) } : {}),
    ...(handshake
      ? { handshake: (head, secrets) => optional("handshake", () => handshake(head, secrets), isAnswer) }
      : {}),
  };
};

type Routed = Awaited<ReturnType<UpstreamReceiver["parse"]>>[number];

/** Guards the receiver of all channels. An envelope that it cannot read is ignored and stays stored. */
export const guardReceiver = (receiver: UpstreamReceiver, calls: Calls): UpstreamReceiver => {
  const { truth, optional, events } = guarding("receiver", calls);
  const { keeps, takesJsonAlone, answer, handshake } = receiver;
  return {
    isConfigured: receiver.isConfigured === true,
    ...(takesJsonAlone ? { takesJsonAlone } : {}),
    ...(keeps ? { keeps } : {}),
    isFor: (request) => truth("isFor", () => receiver.isFor(request)),
    isSigned: (head) => truth("isSigned", () => receiver.isSigned(head)),
    verify: (request) => truth("verify", () => receiver.verify(request)),
    parse: (request) => events<Routed>(() => receiver.parse(request), isRouted),
    ...(answer ? { answer: (request) => optional("answer", () => answer(request), isAnswer) } : {}),
    ...(handshake ? { handshake: (head) => optional("handshake", () => handshake(head), isHandshake) } : {}),
  };
};

const isEvent = (event: unknown, what: string, note: NoteFault): boolean => {
  const issues = eventIssues(event);
  if (issues.length > 0) note("malformed", what, issueLine(issues));
  return issues.length === 0;
};

/** An event, perhaps with the number that it is for. */
const isForOne = (item: unknown, what: string, note: NoteFault): boolean => {
  if (!isRecord(item) || !("event" in item)) return isEvent(item, what, note);
  const { numberId, event } = item;
  if (typeof numberId !== "string") note("malformed", what, "the number of an event is no text");
  return typeof numberId === "string" && isEvent(event, what, note);
};

const isRouted = (routed: unknown, what: string, note: NoteFault): boolean => {
  const { route, event } = isRecord(routed) ? routed : {};
  const isRoute =
    isRecord(route) && (route["by"] === "number" || route["by"] === "account") && typeof route["id"] === "string";
  if (!isRoute) note("malformed", what, "an event has no route");
  return isRoute && isEvent(event, what, note);
};
