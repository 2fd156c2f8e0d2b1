import { type TSchema, Type } from "@sinclair/typebox";
import { eventIssues } from "../../../../contract/event-shapes.ts";
import type { ChannelEvent } from "../../../../contract/events.ts";
import { issueLine } from "../../../../contract/outcome-shapes.ts";
import type { ChannelPlugin, ChannelWebhook, UpstreamReceiver } from "../../../../contract/plugin.ts";
import { issuesOf } from "../../../../kernel/schema.ts";
import { isRecord } from "../../../../kernel/texts/json.ts";
import { atOnce, faultNotes, type GuardPorts, type NoteFault, noteUnusable } from "./faults.ts";
import { guardApi } from "./guarded-apis.ts";
import { openGuarded } from "./guarded-link.ts";

const MAX_ADDRESS_CHARS = 256;
const MAX_EVENTS_PER_ENVELOPE = 10_000;

/**
 * The same adapter, guarded at run time. Its exceptions, missing answers and wrong answers become refusals or unknown
 * outcomes of its own channels. Every fault counts in `recado_adapter_faults_total` and harms no other adapter. Code
 * that never yields the processor cannot be guarded in the same process; code that yields late is named.
 */
export const guardPlugin = (plugin: ChannelPlugin, ports: GuardPorts): ChannelPlugin => {
  const note = faultNotes(plugin.name, ports);
  const { receiver, webhook, isKey, routeOf, phoneFields, oauth, signup, moving } = plugin;
  const api = <Api extends object>(made: Api, name: string): Api => guardApi(made, name, ports.clock, note);
  return {
    ...plugin,
    open: (host) => openGuarded((guarded) => plugin.open(guarded), host, note),
    address: guardAddress(plugin, note),
    ...(isKey ? { isKey: (key: string) => truth(() => isKey(key), "isKey", note) } : {}),
    ...(receiver ? { receiver: guardReceiver(receiver, note) } : {}),
    ...(webhook ? { webhook: guardWebhook(webhook, note) } : {}),
    ...(routeOf
      ? { routeOf: (given) => valueOr(() => routeOf(given), "routeOf", note, { fits: isRecordOfTexts, instead: {} }) }
      : {}),
    ...(phoneFields
      ? {
          phoneFields: {
            ...phoneFields,
            of: (channel) =>
              valueOr(() => phoneFields.of(channel), "phoneFields.of", note, {
                fits: (value) => isRecord(value) && areFieldsOf(phoneFields.schema, value),
                instead: {},
              }),
          },
        }
      : {}),
    ...(moving ? { moving: api(moving, "moving") } : {}),
    ...(oauth ? { oauth: (given) => api(oauth(given), "oauth") } : {}),
    ...(signup ? { signup: (http) => api(signup(http), "signup") } : {}),
  };
};

/** The value of a call, or `instead` if it throws or `fits` returns false. */
const valueOr = <Value>(
  call: () => unknown,
  what: string,
  note: NoteFault,
  { fits, instead }: { fits(value: unknown): boolean; instead: Value },
): Value => {
  const ended = atOnce(note.measuring(what, call));
  if (ended.is === "value" && fits(ended.value)) return ended.value as Value; // `fits` has checked its shape
  noteUnusable(note, what, ended, "the value is not that of the contract");
  return instead;
};

/** True only for a call that returns `true`. */
const truth = (call: () => unknown, what: string, note: NoteFault): boolean =>
  valueOr(call, what, note, { fits: (value) => typeof value === "boolean", instead: false });

const guardAddress =
  (plugin: ChannelPlugin, note: NoteFault): ChannelPlugin["address"] =>
  (to) =>
    valueOr(() => plugin.address(to), "address", note, {
      fits: isAddress,
      instead: { ok: false, code: "RECIPIENT_INVALID" },
    });

const isAddress = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || !("ok" in value)) return false;
  if (value.ok === false)
    return "code" in value && (value.code === "RECIPIENT_INVALID" || value.code === "ADDRESS_INVALID");
  return (
    value.ok === true &&
    "to" in value &&
    typeof value.to === "string" &&
    value.to !== "" &&
    value.to.length <= MAX_ADDRESS_CHARS
  );
};

const isRecordOfTexts = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((one) => one === undefined || typeof one === "string");

/** Only declared fields: any other field would replace a field of the phone, or break the list of all phones. */
const areFieldsOf = (schema: Readonly<Record<string, TSchema>>, fields: Record<string, unknown>): boolean =>
  issuesOf(Type.Object({ ...schema }, { additionalProperties: false }), fields).length === 0;

const isAnswer = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && !(value instanceof Promise) && isJson(value));

const isJson = (value: unknown): boolean => {
  const made = atOnce(() => JSON.stringify(value));
  return made.is === "value" && typeof made.value === "string";
};

/** Guards the webhook of one channel. */
const guardWebhook = (webhook: ChannelWebhook, note: NoteFault): ChannelWebhook => ({
  isSigned: (headers) => truth(() => webhook.isSigned(headers), "webhook.isSigned", note),
  verify: (rawBody, headers, secrets) => truth(() => webhook.verify(rawBody, headers, secrets), "webhook.verify", note),
  parse: (rawBody) =>
    listOf(() => webhook.parse(rawBody), "webhook.parse", note).filter((event): event is ChannelEvent =>
      isEvent(event, "webhook.parse", note),
    ),
  ...(webhook.answer
    ? {
        answer: (rawBody) =>
          valueOr(() => webhook.answer?.(rawBody), "webhook.answer", note, { fits: isAnswer, instead: undefined }),
      }
    : {}),
});

/** A receiver that throws has verified nothing. An envelope that it cannot read is ignored and stays stored. */
const guardReceiver = (receiver: UpstreamReceiver, note: NoteFault): UpstreamReceiver => ({
  isConfigured: receiver.isConfigured === true,
  isFor: (rawBody) => truth(() => receiver.isFor(rawBody), "receiver.isFor", note),
  isSigned: (headers) => truth(() => receiver.isSigned(headers), "receiver.isSigned", note),
  verify: (rawBody, headers) => truth(() => receiver.verify(rawBody, headers), "receiver.verify", note),
  isVerifyToken: (token) => truth(() => receiver.isVerifyToken(token), "receiver.isVerifyToken", note),
  parse: (rawBody) =>
    listOf(() => receiver.parse(rawBody), "receiver.parse", note).filter(
      (routed): routed is ReturnType<UpstreamReceiver["parse"]>[number] => isRouted(routed, note),
    ),
});

const listOf = (parse: () => unknown, what: string, note: NoteFault): unknown[] => {
  const events = valueOr<unknown[]>(parse, what, note, { fits: Array.isArray, instead: [] });
  if (events.length > MAX_EVENTS_PER_ENVELOPE) note("flooded", what, `${events.length} events of one envelope`);
  return events.slice(0, MAX_EVENTS_PER_ENVELOPE);
};

const isEvent = (event: unknown, what: string, note: NoteFault): boolean => {
  const issues = eventIssues(event);
  if (issues.length > 0) note("malformed", what, issueLine(issues));
  return issues.length === 0;
};

const isRouted = (routed: unknown, note: NoteFault): boolean => {
  const { route, event } = isRecord(routed) ? routed : {};
  const isRoute =
    isRecord(route) && (route["by"] === "number" || route["by"] === "account") && typeof route["id"] === "string";
  if (!isRoute) note("malformed", "receiver.parse", "an event has no route");
  return isRoute && isEvent(event, "receiver.parse", note);
};
