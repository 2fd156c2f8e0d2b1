import type { Answer, World } from "../world.ts";
import { type Customer, receivedBy, TO } from "./customer.ts";

export const OPERATIONS = ["react", "edit", "delete", "read", "typing"] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** The default fields of an operation beside its phone. */
const INPUT: Partial<Record<OperationName, object>> = { react: { emoji: "👍" }, edit: { text: "melhor" } };

/** Requests an operation on a message. `input` adds fields to its defaults, or removes some. */
export const operate = (
  w: World,
  { key, phone }: Pick<Customer, "key" | "phone">,
  [name, messageId]: readonly [OperationName, string],
  input: object = {},
): Promise<Answer> => {
  const body = { phoneId: phone.id, ...INPUT[name], ...input };
  if (name !== "delete") return w.gateway(`/v1/messages/${messageId}/${name}`, { key, body });
  const query = Object.entries(body).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return w.gateway(`/v1/messages/${messageId}?${new URLSearchParams(query).toString()}`, { key, method: "DELETE" });
};

/** Lets a person write to the customer. Gives Recado's id and the network's id of the message. */
export const received = async (w: World, c: Customer, from = TO): Promise<{ messageId: string; wamid: string }> => {
  const { wamid } = await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text: "oi" });
  await w.settle();
  return { messageId: receivedBy(c.hook, "message:received").at(-1).messageId, wamid };
};
