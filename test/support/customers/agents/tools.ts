import { type Answer, WEBHOOK_SECRET, type World } from "../../world.ts";
import type { Customer } from "../customer.ts";

export const ORDER_TOOL = {
  name: "order_status",
  description: "Says where an order of this customer is.",
  parameters: {
    type: "object",
    properties: { order: { type: "string", maxLength: 40, description: "The number of the order" } },
    required: ["order"],
  },
  secret: WEBHOOK_SECRET,
};

/** Declares an HTTP tool of a customer's agent, ORDER_TOOL unless fields say otherwise. */
export const giveTool = (
  w: World,
  { key, phone }: Pick<Customer, "key" | "phone">,
  more: Record<string, unknown>,
): Promise<Answer> => w.gateway(`/v1/phones/${phone.id}/ai-agent/tools`, { key, body: { ...ORDER_TOOL, ...more } });
