import { GraphError } from "../errors.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import type { Recipient, State } from "../state.ts";

const parametersOf = (interactive: Fields): Fields => fieldsOf(fieldsOf(interactive["action"])["parameters"]);
const referenceOf = (interactive: Fields): string => textOf(parametersOf(interactive)["reference_id"]);
const statusOf = (interactive: Fields): string => textOf(fieldsOf(parametersOf(interactive)["order"])["status"]);

const FINAL = ["completed", "canceled"];

/**
 * Throws 2047 for the state of an order that was not sent to this person, 2046 for a state after the order has ended.
 */
export const checkOrderStatus = (state: State, { userId }: Recipient, interactive: Fields): void => {
  if (interactive["type"] !== "order_status") return;
  const reference = referenceOf(interactive);
  const earlier = [...state.sent.values()]
    .filter(({ recipient, type }) => recipient.userId === userId && type === "interactive")
    .map(({ body }) => fieldsOf(body["interactive"]))
    .filter((one) => referenceOf(one) === reference);
  if (!earlier.some(({ type }) => type === "order_details"))
    throw new GraphError(2047, { details: `The reference_id ${reference} is unknown.` });
  if (earlier.some((one) => one["type"] === "order_status" && FINAL.includes(statusOf(one))))
    throw new GraphError(2046, { details: "The order has ended." });
};
