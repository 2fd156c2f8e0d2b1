import { HOUR_MS } from "../../../src/kernel/clock.ts";
import { businessAccountOf, type Call, type Effect, numberOf, ok, required, SUCCESS } from "./call.ts";
import { badParameter, GraphError } from "./errors.ts";
import type { Fields } from "./shape.ts";
import type { PhoneNumber } from "./state.ts";
import { type Node, pageOf, viewOf } from "./views.ts";

/** Every field of a phone number that can be asked for. */
const fieldsOfNumber = ({ seed, platformType, pin }: PhoneNumber): Fields => ({
  verified_name: seed.verifiedName ?? "Test Business",
  code_verification_status: seed.codeVerificationStatus ?? "VERIFIED",
  display_phone_number: seed.displayPhoneNumber,
  quality_rating: seed.qualityRating ?? "GREEN",
  platform_type: platformType,
  throughput: { level: seed.throughputLevel ?? "STANDARD" },
  is_on_biz_app: seed.isOnBizApp ?? false,
  name_status: seed.nameStatus ?? "APPROVED",
  status: seed.status ?? (platformType === "CLOUD_API" ? "CONNECTED" : "DISCONNECTED"),
  account_mode: seed.accountMode ?? "LIVE",
  whatsapp_business_manager_messaging_limit: seed.messagingLimit ?? "TIER_1K",
  is_pin_enabled: pin !== undefined,
});

const nodeOf = (number: PhoneNumber): Node => ({
  type: "WhatsAppBusinessPhoneNumber",
  id: number.seed.phoneNumberId,
  fields: fieldsOfNumber(number),
  shown: ["verified_name", "code_verification_status", "display_phone_number", "quality_rating", "platform_type", "throughput"],
});

/** `GET /{number}?fields=` */
export const getNumber = (call: Call): Effect => {
  const view = viewOf(nodeOf(numberOf(call)), call.query);
  return { operation: "number.get", phoneNumberId: call.node, run: () => ok(view) };
};

/** `GET /{account}/phone_numbers`, with `limit` and `after`. */
export const listNumbers = (call: Call): Effect => {
  const { numbers } = businessAccountOf(call);
  const page = pageOf(call, numbers.map(nodeOf));
  return { operation: "number.list", run: () => page };
};

const REGISTRATIONS_MAX = 10;
const REGISTRATION_SPAN_MS = 72 * HOUR_MS;

const countRegistration = (call: Call, number: PhoneNumber): void => {
  const now = call.state.clock.now();
  number.registrations = number.registrations.filter((at) => now - at < REGISTRATION_SPAN_MS);
  if (number.registrations.length >= REGISTRATIONS_MAX) throw new GraphError(133016, { details: "There were too many registration attempts for this phone number." });
  number.registrations.push(now);
};

/** `POST /{number}/register`: 133005 when the number has another PIN already, 133016 after ten in 72 hours. */
export const register = (call: Call): Effect => {
  const number = numberOf(call);
  const { messaging_product: product, pin } = call.body;
  if (product !== "whatsapp") throw required("messaging_product");
  if (typeof pin !== "string" || !/^\d{6}$/.test(pin)) throw badParameter("Param pin must be 6 characters long.");
  const run = () => {
    countRegistration(call, number);
    if (number.pin !== undefined && number.pin !== pin) throw new GraphError(133005, { details: "PIN provided is incorrect." });
    number.pin = pin;
    number.platformType = "CLOUD_API";
    return SUCCESS;
  };
  return { operation: "number.register", phoneNumberId: call.node, run };
};

/** `POST /{number}/deregister`: refused to a number that is not registered and to one of the business app. */
export const deregister = (call: Call): Effect => {
  const number = numberOf(call);
  if (number.seed.isOnBizApp) throw badParameter("Deregister endpoint is not available for API solution for SMB businesses.");
  if (number.platformType !== "CLOUD_API") throw new GraphError(100, { subcode: 2207051, details: "Phone number is not registered." });
  const run = () => {
    countRegistration(call, number);
    number.platformType = "NOT_APPLICABLE";
    return SUCCESS;
  };
  return { operation: "number.deregister", phoneNumberId: call.node, run };
};
