import type { Capabilities, OperationName } from "../contract/capabilities.ts";
import type { ProviderMessageId } from "../contract/events.ts";
import type { Action, Operation } from "../contract/operations.ts";

const ACTIONS: Record<OperationName, Action> = {
  react: { name: "react", emoji: "👍" },
  edit: { name: "edit", text: "melhor" },
  delete: { name: "delete" },
  read: { name: "read" },
  typing: { name: "typing" },
};
const SIDES = ["inbound", "outbound"] as const;
type Operations = Capabilities["operations"];

/** The native keys of a message that came and of one that was sent, as far as there are such. */
export type KnownKeys = Partial<Record<(typeof SIDES)[number], ProviderMessageId>>;

/** How many operations are promised, one of a kind on each side counted as one. */
export const promisesIn = (operations: Operations): number =>
  Object.values(operations).reduce((count, sides) => count + Object.values(sides).filter(Boolean).length, 0);

/** Every operation that is promised, each on a message of a side that it is promised for. */
export const operationsOn = (operations: Operations, keys: KnownKeys, chat: string): Operation[] =>
  Object.values(ACTIONS).flatMap((action) =>
    SIDES.flatMap((side) => {
      const key = keys[side];
      return operations[action.name]?.[side] && key
        ? [{ ...action, key, chat, sender: side === "inbound" ? chat : null }]
        : [];
    }),
  );
