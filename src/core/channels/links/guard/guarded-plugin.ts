import { type TSchema, Type } from "@sinclair/typebox";
import type { ChannelHost, ChannelPlugin } from "../../../../contract/plugin.ts";
import type { Http } from "../../../../contract/ports/http.ts";
import { limitedRoute, limitedTo, type Reach } from "../../../../contract/reach.ts";
import { SECOND_MS } from "../../../../kernel/clock.ts";
import { issuesOf } from "../../../../kernel/schema.ts";
import { isRecord } from "../../../../kernel/texts/json.ts";
import { adapterSilent } from "../../refusals.ts";
import { faultNotes, type GuardPorts } from "./faults.ts";
import { guardApi } from "./guarded-apis.ts";
import { openGuarded } from "./guarded-link.ts";
import { guardReceiver, guardWebhook } from "./guarded-webhooks.ts";
import { type Calls, callsWith } from "./judged-calls.ts";

const MAX_ADDRESS_CHARS = 256;
const ADDRESS_MS = 10 * SECOND_MS;

/**
 * The same adapter, guarded at run time. Its exceptions, missing answers and wrong answers become refusals or unknown
 * outcomes of its own channels. Every fault counts in `recado_adapter_faults_total` and harms no other adapter. Code
 * that never yields the processor cannot be guarded in the same process; code that yields late is named. `hosts`: those
 * that it may ask; by default all.
 */
export const guardPlugin = (
  plugin: ChannelPlugin,
  { hosts = ["*"], ...ports }: GuardPorts & { hosts?: readonly string[] },
): ChannelPlugin => {
  const note = faultNotes(plugin.name, ports);
  const reach: Reach = { hosts, onStray: (what, host) => note("strayed", what, `${host} is not in hosts`) };
  const limited = (http: Http): Http => limitedTo(reach, http);
  const { receiver, webhook, isKey, routeOf, phoneFields, oauth, signup, moving } = plugin;
  const calls = callsWith(ports.clock, note);
  const api = <Api extends object>(made: Api, name: string): Api => guardApi(made, name, ports.clock, note);
  return {
    ...plugin,
    open: (host) => openGuarded((guarded) => plugin.open(guarded), within(reach, host), note),
    address: guardAddress(plugin, calls),
    ...(isKey ? { isKey: (key: string) => calls.truth(() => isKey(key), "isKey") } : {}),
    ...(receiver ? { receiver: guardReceiver(receiver, calls) } : {}),
    ...(webhook ? { webhook: guardWebhook(webhook, calls) } : {}),
    ...(routeOf
      ? { routeOf: (given) => calls.atOnce(() => routeOf(given), "routeOf", { fits: isRecordOfTexts, instead: {} }) }
      : {}),
    ...(phoneFields
      ? {
          phoneFields: {
            ...phoneFields,
            of: (channel) =>
              calls.atOnce(() => phoneFields.of(channel), "phoneFields.of", {
                fits: (value) => isRecord(value) && areFieldsOf(phoneFields.schema, value),
                instead: {},
              }),
          },
        }
      : {}),
    ...(moving ? { moving: api(moving, "moving") } : {}),
    ...(oauth ? { oauth: (given) => api(oauth({ ...given, http: limited(given.http) }), "oauth") } : {}),
    ...(signup ? { signup: (http) => api(signup(limited(http)), "signup") } : {}),
  };
};

/** The same host, by which a link asks only the hosts within its reach. */
const within = (reach: Reach, host: ChannelHost): ChannelHost => ({
  ...host,
  http: limitedTo(reach, host.http),
  ...(host.openProxy ? { openProxy: limitedRoute(reach, host.openProxy) } : {}),
});

const guardAddress =
  (plugin: ChannelPlugin, calls: Calls): ChannelPlugin["address"] =>
  (to) =>
    calls.soon(() => plugin.address(to), "address", {
      limitMs: ADDRESS_MS,
      fits: isAddress,
      instead: { ok: false, code: "RECIPIENT_INVALID" },
      hung() {
        throw adapterSilent(); // the recipient may be good
      },
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
