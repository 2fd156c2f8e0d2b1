import type { Answer } from "./world.ts";

const keysOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? Object.keys(value).sort().join() : typeof value;

/**
 * A gateway answer in short: `404 PHONE_NOT_FOUND`, or only its status if it is no refusal. Throws for a refusal that
 * is not in the gateway's one shape.
 */
export const gatewaySays = ({ status, body, text }: Answer): string => {
  if (status < 400) return String(status);
  const isInShape =
    keysOf(body) === "error" &&
    keysOf(body.error) === "code,details,message" &&
    typeof body.error.message === "string" &&
    typeof body.error.details === "object";
  if (!isInShape) throw new Error(`${status} is not in the shape of gateway errors: ${text}`);
  return `${status} ${body.error.code}`;
};

/** The names of the fields in a gateway VALIDATION_ERROR. */
export const fieldsOf = (answer: Answer): string[] => {
  if (gatewaySays(answer) !== "400 VALIDATION_ERROR")
    throw new Error(`no VALIDATION_ERROR: ${answer.status} ${answer.text}`);
  return Object.keys(answer.body.error.details.fieldErrors as object).sort();
};
