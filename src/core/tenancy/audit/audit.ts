import { DAY_MS } from "../../../kernel/clock.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import {
  deleteEntriesUpTo,
  insertEntry,
  lastEntry,
  lastOldEntry,
  listEntriesAfter,
} from "../../../store/tables/tenancy/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { hashAfter } from "./audit-chain.ts";

/** TABLE: the recorded acts of those who administer the server, an account or an institution. */
export const ACTIONS = [
  "account.create",
  "account.change",
  "account.join",
  "account.make-institution",
  "account.make-join-code",
  "account.suspend",
  "account.reinstate",
  "admin-token.create",
  "alerts.test",
  "audit.prune",
  "backup.create",
  "backup.restore",
  "channel.change-credentials",
  "channel.change-proxy",
  "channel.change-settings",
  "channel.create",
  "channel.delete",
  "channel.disconnect",
  "channel.import-history",
  "channel.logout",
  "channel.move-in",
  "channel.move-out",
  "channel.rotate-token",
  "channel.undo-import",
  "clock.advance",
  "contact.opt-in",
  "contact.opt-out",
  "dead-letters.replay",
  "flow-key.create",
  "hours.change",
  "institution.add-account",
  "institution.change-plan",
  "institution.create",
  "invoice.create",
  "invoice.issue",
  "invoice.mark-paid",
  "invoice.void",
  "job.run",
  "key.create",
  "key.revoke",
  "llm.change",
  "master-key.rotate",
  "mcp.call",
  "member.add",
  "member.change-role",
  "member.invite",
  "member.remove",
  "member.withdraw",
  "pairing-link.create",
  "pairing-link.revoke",
  "person.erase",
  "person.erased",
  "person.export",
  "plan.change",
  "plan.create",
  "operator.change",
  "operator.change-password",
  "operator.create",
  "operator.delete",
  "operator.make-link",
  "operator.reset",
  "passkey.add",
  "passkey.remove",
  "recovery-codes.create",
  "recovery-codes.use",
  "session.begin",
  "session.end",
  "session.end-others",
  "tool.change",
  "tool.create",
  "tool.delete",
  "totp.start",
  "totp.stop",
  "user.change",
  "user.change-password",
  "user.create",
  "user.delete",
  "user.make-link",
  "user.reset-password",
  "user.verify-email",
  "webhook.change",
  "webhook.create",
  "webhook.delete",
] as const;
export type Action = (typeof ACTIONS)[number];

/** Acts that change how a person signs in. The person gets a mail: `recordSecurityAct`. */
export type SecurityAction = Extract<
  Action,
  | "operator.change-password"
  | "operator.reset"
  | `passkey.${string}`
  | `totp.${string}`
  | "user.change-password"
  | "user.reset-password"
>;
/** All other acts, which `recordAct` takes. */
export type PlainAction = Exclude<Action, SecurityAction>;

/**
 * The actor of an act: the holder of the admin token, a command of this machine, an operator in the console, a user, a
 * key, or the opener of the set-up link. `address`: the actor's address.
 */
export type Actor = {
  name: "admin" | "local" | "setup-link" | `operator:${string}` | `user:${string}` | `key:${string}`;
  address?: string | undefined;
};

/**
 * The requester of an act. Functions that do an act demand it, so that no act is recorded under another's name, or the
 * server's.
 */
export type Requester = { readonly actor: Actor };

/** The requester and their account: every API's principal is a caller. */
export type Caller = TenantScope & Requester;

/** The server itself, for acts without a requester: fixed times, jobs, reports of a network or of the processor. */
export const THE_SERVER = { actor: { name: "system" } } as const;

/** Commands of this machine, which work on the database itself. */
export const LOCAL = { actor: { name: "local" } } as const satisfies Requester;

/** A person who has just proved who they are, such as by a password or by the link of a mail. */
export const asPerson = (
  name: `operator:${string}` | `user:${string}`,
  { address }: { address: string },
): Requester => ({
  actor: { name, address },
});

/** The actor of an act, or the server. */
export type By = Requester | typeof THE_SERVER;

/** The same requester within an account: an administrator acts in every one. */
export const callerIn = (accountId: string, { actor }: Requester): Caller => ({
  tenantId: accountId as TenantId,
  actor,
});

/** `details` are for the reader of the audit log, and never contain a secret. */
export type Act<OfKind extends Action = PlainAction> = {
  action: OfKind;
  target?: string;
  tenantId?: TenantId | undefined;
  details?: Record<string, string | number | boolean | null | readonly string[]>;
};

type AuditEnv = Pick<TenancyEnv, "clock" | "log">;

/** An entry of a log is small: longer texts are cut, and so are longer lists and objects. */
const LONGEST_TEXT = 500;
const LONGEST_DETAILS = 4096;
const CUT = "…";

const cutText = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}${CUT}`;
type Detail = NonNullable<Act["details"]>[string];
const cutDetail = (value: Detail): Detail =>
  typeof value === "string" ? cutText(value) : Array.isArray(value) ? value.map(cutText) : value;

/** The details as they are stored: those that fit, in their order, and `cut` if some did not. */
const boundedDetails = (details: Record<string, Detail>): string => {
  const kept: Record<string, Detail> = {};
  for (const [name, value] of Object.entries(details)) {
    const next = { ...kept, [name]: cutDetail(value) };
    if (JSON.stringify(next).length > LONGEST_DETAILS) return JSON.stringify({ ...kept, cut: true });
    Object.assign(kept, next);
  }
  return JSON.stringify(kept);
};

const addressIn = (actor: By["actor"]): { address?: string } =>
  "address" in actor && actor.address !== undefined ? { address: actor.address } : {};

/**
 * Records an act in the write that does it: both are stored, or neither. After the commit the act is logged, so that
 * the audit log can be compared with a copy.
 */
export const recordAct = (env: AuditEnv, tx: Tx, by: By, act: Act): Promise<void> => recordSilently(env, tx, by, act);

/** Records any act without a mail. Only `recordSecurityAct` calls it, and sends the mail itself. */
export const recordSilently = async (
  { clock, log }: AuditEnv,
  tx: Tx,
  { actor }: By,
  { action, target, tenantId, details }: Act<Action>,
): Promise<void> => {
  const entry = {
    at: clock.now(),
    actor: actor.name,
    action,
    target: target === undefined ? null : cutText(target),
    tenantId: tenantId ?? null,
    details: boundedDetails({ ...addressIn(actor), ...details }),
  };
  const hash = hashAfter((await lastEntry(tx))?.hash, entry);
  await insertEntry(tx, { ...entry, hash });
  tx.afterCommit(() => log.info({ action, actor: actor.name, target, tenantId, hash }, "an administrative act"));
};

/** Less often than hourly, because each time adds an entry. */
const PRUNED_EVERY_MS = DAY_MS;
const AT_ONCE = 500;

/**
 * Deletes the entries before a time, some per write. The write adds an entry with the last deleted id and its hash: the
 * rest of the chain begins there.
 */
export const pruneAuditLog = async (env: AuditEnv & Pick<TenancyEnv, "db">, beforeMs: number): Promise<void> => {
  const [oldest] = await env.db.read((reader) => listEntriesAfter(reader, { afterId: 0, limit: 1 }));
  if (!oldest || oldest.at >= beforeMs - PRUNED_EVERY_MS) return;
  const pruneSome = async (tx: Tx): Promise<boolean> => {
    const last = await lastOldEntry(tx, beforeMs, AT_ONCE);
    if (!last) return false;
    await recordAct(env, tx, THE_SERVER, { action: "audit.prune", details: { through: last.id, hash: last.hash } });
    deleteEntriesUpTo(tx, last.id);
    return true;
  };
  while (await env.db.write(pruneSome));
};
