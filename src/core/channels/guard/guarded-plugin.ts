import { eventIssues } from "../../../contract/event-shapes.ts";
import { issueLine } from "../../../contract/outcome-shapes.ts";
import type { ChannelPlugin, UpstreamReceiver } from "../../../contract/plugin.ts";
import { atOnce, faultNotes, type GuardPorts, type NoteFault } from "./faults.ts";
import { openGuarded } from "./guarded-link.ts";

const MAX_ADDRESS_CHARS = 256;
const MAX_EVENTS_PER_ENVELOPE = 10_000;

/**
 * The same adapter, held to the contract at run time: whatever it throws, leaves unanswered or answers wrongly becomes
 * a refusal or an unknown outcome of its own channels, is counted in `recado_adapter_faults_total`, and harms no other.
 * What no guard in the same process can hold is code that never gives the processor back.
 */
export const guardPlugin = (plugin: ChannelPlugin, ports: GuardPorts): ChannelPlugin => {
  const note = faultNotes(plugin.name, ports);
  const { receiver, isKey } = plugin;
  return {
    ...plugin,
    open: (host) => openGuarded((guarded) => plugin.open(guarded), host, note),
    address: guardAddress(plugin, note),
    ...(isKey ? { isKey: (key: string) => truth(() => isKey(key), "isKey", note) } : {}),
    ...(receiver ? { receiver: guardReceiver(receiver, note) } : {}),
  };
};

/** The value of a call; `instead` where it throws or `fits` says no. */
const valueOr = <Value>(call: () => unknown, what: string, note: NoteFault, { fits, instead }: { fits(value: unknown): boolean; instead: Value }): Value => {
  const ended = atOnce(call);
  if (ended.is === "value" && fits(ended.value)) return ended.value as Value; // `fits` has checked its shape
  if (ended.is === "fault") note("threw", what, ended.detail);
  else note("malformed", what, "the value is not that of the contract");
  return instead;
};

/** True only for a call that gives `true`. */
const truth = (call: () => unknown, what: string, note: NoteFault): boolean => valueOr(call, what, note, { fits: (value) => typeof value === "boolean", instead: false });

const guardAddress =
  (plugin: ChannelPlugin, note: NoteFault): ChannelPlugin["address"] =>
  (to) =>
    valueOr(() => plugin.address(to), "address", note, { fits: isAddress, instead: { ok: false, code: "RECIPIENT_INVALID" } });

const isAddress = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || !("ok" in value)) return false;
  if (value.ok === false) return "code" in value && (value.code === "RECIPIENT_INVALID" || value.code === "ADDRESS_INVALID");
  return value.ok === true && "to" in value && typeof value.to === "string" && value.to !== "" && value.to.length <= MAX_ADDRESS_CHARS;
};

/** A receiver that throws has verified nothing. Of an envelope that it cannot read nothing is taken in, and the envelope stays stored. */
const guardReceiver = (receiver: UpstreamReceiver, note: NoteFault): UpstreamReceiver => ({
  isConfigured: receiver.isConfigured === true,
  isFor: (rawBody) => truth(() => receiver.isFor(rawBody), "receiver.isFor", note),
  isSigned: (headers) => truth(() => receiver.isSigned(headers), "receiver.isSigned", note),
  verify: (rawBody, headers) => truth(() => receiver.verify(rawBody, headers), "receiver.verify", note),
  isVerifyToken: (token) => truth(() => receiver.isVerifyToken(token), "receiver.isVerifyToken", note),
  parse: (rawBody) =>
    goodOnes(
      valueOr<unknown[]>(() => receiver.parse(rawBody), "receiver.parse", note, { fits: Array.isArray, instead: [] }),
      note,
    ).filter((fact): fact is ReturnType<UpstreamReceiver["parse"]>[number] => isRouted(fact, note)),
});

const goodOnes = (facts: readonly unknown[], note: NoteFault): unknown[] => {
  if (facts.length > MAX_EVENTS_PER_ENVELOPE) note("flooded", "receiver.parse", `${facts.length} events of one envelope`);
  return facts.slice(0, MAX_EVENTS_PER_ENVELOPE);
};

const isRouted = (fact: unknown, note: NoteFault): boolean => {
  if (typeof fact !== "object" || fact === null || !("route" in fact) || !("event" in fact)) {
    note("malformed", "receiver.parse", "a fact has no route or no event");
    return false;
  }
  const { route, event } = fact;
  const isRoute =
    typeof route === "object" && route !== null && "by" in route && (route.by === "number" || route.by === "account") && "id" in route && typeof route.id === "string";
  const issues = eventIssues(event);
  if (isRoute && issues.length === 0) return true;
  note("malformed", "receiver.parse", isRoute ? issueLine(issues) : "a route is none");
  return false;
};
