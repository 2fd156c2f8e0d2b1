import type { Reader } from "../../store/engine/db.ts";
import { namesOfBatches } from "../../store/tables/messaging/batches.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { namesOfIds } from "../../store/tables/tenancy/audit.ts";

/**
 * TABLE: who writes messages for an account. `phone`: the owner in the network's own app, or another app of the number.
 * `other`: the server, for example, or a command of the machine.
 */
export const SENDERS = ["key", "user", "operator", "schedule", "batch", "agent", "other", "phone", "chatwoot"] as const;
export type SenderKind = (typeof SENDERS)[number];

/** The sender of a message. `name` is null if it is unknown, or no longer known. */
export type SentBy = { kind: SenderKind; id: string; name: string | null };

/** The name under which rows keep a sender, such as `user:<id>`, in its parts; `other` keeps its whole name. */
export const senderIn = (acceptedBy: string): SentBy => {
  const [first = "", id = ""] = acceptedBy.split(":", 2);
  const kind = SENDERS.find((one) => one === first);
  return kind === undefined || kind === "other"
    ? { kind: "other", id: "", name: acceptedBy }
    : { kind, id, name: null };
};

/**
 * The senders behind these names, by name. The names come from rows that the caller may see. Operators are named as in
 * the audit log. Bound: the names of the caller.
 */
export const sendersOf = async (
  r: Reader,
  scope: TenantScope,
  names: Iterable<string>,
): Promise<Map<string, SentBy>> => {
  const found = new Map([...names].map((name) => [name, senderIn(name)]));
  const idsOf = (isWanted: (kind: SenderKind) => boolean): string[] =>
    [...found.values()].flatMap(({ kind, id }) => (id !== "" && isWanted(kind) ? [id] : []));
  const batches = idsOf((kind) => kind === "batch");
  const others = idsOf((kind) => kind !== "batch" && kind !== "schedule");
  const known = new Map([
    ...(others.length === 0 ? [] : await namesOfIds(r, others)),
    ...(batches.length === 0 ? [] : await namesOfBatches(r, scope, batches)),
  ]);
  return new Map(
    [...found].map(([name, sender]) => [name, { ...sender, name: sender.name ?? known.get(sender.id) ?? null }]),
  );
};

/** Whether a sender is of a kind, or is the one that `wanted` names, such as `agent` or `user:<id>`. */
export const isSentBy = (acceptedBy: string | null, wanted: string): boolean =>
  acceptedBy !== null && (acceptedBy === wanted || senderIn(acceptedBy).kind === wanted);
