import type { FailureCode } from "../../../src/contract/outcome.ts";
import type { ErrorTable } from "../failures.ts";

/**
 * TABLE: numbers with a meaning of their own: https://www.twilio.com/docs/api/errors. Twilio divides numbers now and
 * then. A number that is missing here costs only the name of the failure.
 */
const CODES: ReadonlyMap<number, FailureCode> = new Map([
  [21610, "RECIPIENT_OPTED_OUT"],
  [21211, "RECIPIENT_NOT_ON_NETWORK"], // no telephone number
  [21214, "RECIPIENT_NOT_ON_NETWORK"],
  [21217, "RECIPIENT_NOT_ON_NETWORK"],
  [21614, "RECIPIENT_NOT_ON_NETWORK"], // no mobile number
  [30005, "RECIPIENT_NOT_ON_NETWORK"], // unknown destination
  [30006, "RECIPIENT_NOT_ON_NETWORK"], // a landline
  [30003, "RECIPIENT_UNREACHABLE"],
  [30004, "RECIPIENT_UNREACHABLE"], // blocked
  [20005, "UPSTREAM_ACCOUNT_RESTRICTED"],
  [30002, "UPSTREAM_ACCOUNT_RESTRICTED"], // suspended
  [30032, "UPSTREAM_ACCOUNT_RESTRICTED"], // a toll-free number that is not verified
  [30034, "UPSTREAM_ACCOUNT_RESTRICTED"], // a number that is not registered
]);

export const TWILIO_ERRORS: ErrorTable = {
  codes: CODES,
  limits: new Set([14107, 20429, 21611]),
  tokens: new Set([20003]),
};

/** The address for states is none that the provider can call. */
export const CALLBACK_REFUSED = 21609;

/** The meaning of the number in a status callback. */
export const failureOfCode = (code: number): FailureCode | undefined => CODES.get(code);
