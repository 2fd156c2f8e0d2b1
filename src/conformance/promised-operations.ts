import type { Action, Operation } from "../contract/abilities/operations.ts";
import type { Capabilities, OperationName } from "../contract/capabilities.ts";
import type { ProviderMessageId } from "../contract/events.ts";

/** What `link.operate` does. To forward a message is a send. */
const ACTIONS: Record<Exclude<OperationName, "forward">, Action> = {
  react: { name: "react", emoji: "👍" },
  edit: { name: "edit", text: "melhor" },
  delete: { name: "delete" },
  read: { name: "read" },
  played: { name: "played" },
  typing: { name: "typing" },
  pin: { name: "pin", seconds: 86_400 },
  keep: { name: "keep", isKept: true },
  vote: { name: "vote", options: ["Sábado"] },
  respond: { name: "respond", response: "going", extraGuests: 0 },
  star: { name: "star", isStarred: true },
  label: { name: "label", labelId: "1", isLabelled: true },
  "delete-for-me": { name: "delete-for-me" },
};
const SIDES = ["inbound", "outbound"] as const;
type Operations = Capabilities["operations"];

/** The provider message ids of a received message and a sent one, if there are such messages. */
export type KnownKeys = Partial<Record<(typeof SIDES)[number], ProviderMessageId>>;

/** The number of declared operations; each side counts as one. */
export const promisesIn = (operations: Operations): number =>
  Object.values(ACTIONS).reduce(
    (count, { name }) => count + SIDES.filter((side) => operations[name]?.[side]).length,
    0,
  );

/** Every declared operation, on a message of each side that it is declared for. */
export const operationsOn = (operations: Operations, keys: KnownKeys, chat: string): Operation[] =>
  Object.values(ACTIONS).flatMap((action) =>
    SIDES.flatMap((side) => {
      const key = keys[side];
      return operations[action.name]?.[side] && key
        ? [{ ...action, key, chat, sender: side === "inbound" ? chat : null }]
        : [];
    }),
  );
