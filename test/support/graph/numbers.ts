import { HOUR_MS, iso } from "../../../src/kernel/clock.ts";
import { businessAccountOf, type Call, type Effect, numberOf, ok, requireProduct, SUCCESS } from "./call.ts";
import { badParameter, GraphError } from "./errors.ts";
import type { Fields } from "./shape.ts";
import type { PhoneNumber, State } from "./state.ts";
import { type Node, pageOf, viewOf } from "./views.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** Every field of a phone number for queries. An answer leaves out a field without a value. */
const fieldsOfNumber = (state: State, number: PhoneNumber, webhooks: Webhooks): Fields => {
  const { seed, platformType, pin, nameRequest } = number;
  return {
    id: seed.phoneNumberId,
    verified_name: number.verifiedName,
    code_verification_status: number.isVerified ? "VERIFIED" : (seed.codeVerificationStatus ?? "NOT_VERIFIED"),
    display_phone_number: seed.displayPhoneNumber,
    quality_rating: seed.qualityRating ?? "GREEN",
    platform_type: platformType,
    throughput: { level: seed.throughputLevel ?? "STANDARD" },
    is_on_biz_app: seed.isOnBizApp ?? false,
    name_status: seed.nameStatus ?? "APPROVED",
    new_display_name: nameRequest?.name,
    new_name_status: nameRequest?.status,
    status: seed.status ?? (platformType === "CLOUD_API" ? "CONNECTED" : "DISCONNECTED"),
    account_mode: seed.accountMode ?? "LIVE",
    whatsapp_business_manager_messaging_limit: seed.messagingLimit ?? "TIER_1K",
    is_pin_enabled: pin !== undefined,
    is_official_business_account: false,
    last_onboarded_time: iso(number.onboardedAt).replace(/\.\d+Z$/, "+0000"),
    webhook_configuration: {
      application: webhooks.configuredUrl,
      whatsapp_business_account: overrideOf(state, number),
    },
    health_status: healthOf(number),
  };
};

const overrideOf = ({ accounts }: State, { seed }: PhoneNumber): string | undefined =>
  [...(accounts.get(seed.businessAccountId)?.subscriptions.values() ?? [])].find((one) => one.overrideUri !== undefined)
    ?.overrideUri;

const healthOf = ({ seed, platformType }: PhoneNumber): Fields => {
  const state = platformType === "CLOUD_API" ? "AVAILABLE" : "BLOCKED";
  return {
    can_send_message: state,
    entities: [{ entity_type: "PHONE_NUMBER", id: seed.phoneNumberId, can_send_message: state }],
  };
};

const nodeOf = (state: State, number: PhoneNumber, webhooks: Webhooks): Node => ({
  type: "WhatsAppBusinessPhoneNumber",
  fields: fieldsOfNumber(state, number, webhooks),
  shown: [
    "verified_name",
    "code_verification_status",
    "display_phone_number",
    "quality_rating",
    "platform_type",
    "throughput",
  ],
});

/** `GET /{number}?fields=` */
export const getNumber =
  (webhooks: Webhooks) =>
  (call: Call): Effect => {
    const view = viewOf(nodeOf(call.state, numberOf(call), webhooks), call.query);
    return { operation: "number.get", phoneNumberId: call.node, run: () => ok(view) };
  };

/** `GET /{account}/phone_numbers`, with `limit` and `after`. */
export const listNumbers =
  (webhooks: Webhooks) =>
  (call: Call): Effect => {
    const { numbers } = businessAccountOf(call);
    const page = pageOf(
      call,
      numbers.map((number) => nodeOf(call.state, number, webhooks)),
    );
    return { operation: "number.list", run: () => page };
  };

const PIN = /^\d{6}$/;

/** `POST /{number}`: a new display name, which goes to review, or a new PIN. */
export const updateNumber = (call: Call): Effect => {
  const number = numberOf(call);
  const { new_display_name: name, pin } = { ...Object.fromEntries(call.query), ...call.body };
  if (name === undefined && pin === undefined) throw badParameter("Nothing of the phone number was given to update.");
  if (name !== undefined && (typeof name !== "string" || name.trim() === ""))
    throw badParameter("Param new_display_name must be a non-empty string.");
  if (pin !== undefined && (typeof pin !== "string" || !PIN.test(pin)))
    throw badParameter("Param pin must be 6 characters long.");
  const run = () => {
    if (name !== undefined) number.nameRequest = { name, status: "PENDING_REVIEW" };
    if (pin !== undefined) number.pin = pin;
    return SUCCESS;
  };
  return { operation: "number.update", phoneNumberId: call.node, run };
};

const REGISTRATIONS_MAX = 10;
const REGISTRATION_SPAN_MS = 72 * HOUR_MS;

const countRegistration = (call: Call, number: PhoneNumber): void => {
  const now = call.state.clock.now();
  number.registrations = number.registrations.filter((at) => now - at < REGISTRATION_SPAN_MS);
  if (number.registrations.length >= REGISTRATIONS_MAX)
    throw new GraphError(133016, { details: "There were too many registration attempts for this phone number." });
  number.registrations.push(now);
};

/**
 * `POST /{number}/register`: refused to a number of the business app, and to an unverified number (133006); 133005 when
 * the number has another PIN already, 133016 after ten in 72 hours. A key uploaded before does not count any more.
 */
export const register = (call: Call): Effect => {
  const number = numberOf(call);
  const { pin } = call.body;
  requireProduct(call);
  if (typeof pin !== "string" || !PIN.test(pin)) throw badParameter("Param pin must be 6 characters long.");
  if (number.seed.isOnBizApp) throw badParameter("Register endpoint is not available for SMB businesses.");
  if (!number.isVerified)
    throw new GraphError(133006, { details: "Phone number needs to be verified before registering." });
  const run = () => {
    countRegistration(call, number);
    if (number.pin !== undefined && number.pin !== pin)
      throw new GraphError(133005, { details: "PIN provided is incorrect." });
    number.pin = pin;
    number.platformType = "CLOUD_API";
    number.isKeySigned = false;
    return SUCCESS;
  };
  return { operation: "number.register", phoneNumberId: call.node, run };
};

/** `POST /{number}/deregister`: refused to a number that is not registered and to one of the business app. */
export const deregister = (call: Call): Effect => {
  const number = numberOf(call);
  if (number.seed.isOnBizApp)
    throw badParameter("Deregister endpoint is not available for API solution for SMB businesses.");
  if (number.platformType !== "CLOUD_API")
    throw new GraphError(100, { subcode: 2207051, details: "Phone number is not registered." });
  const run = () => {
    countRegistration(call, number);
    number.platformType = "NOT_APPLICABLE";
    return SUCCESS;
  };
  return { operation: "number.deregister", phoneNumberId: call.node, run };
};
