import { isKnown, type Receipt } from "../../../contract/events.ts";
import { AppError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { listReceipts, putReceipt, type ReceiptKind } from "../../../store/tables/messaging/message-acts.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import { findMessage } from "../../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { readContactOn } from "../../channels/identity.ts";
import { getHistoryMessage, type HistoryMessage } from "../../conversations/history.ts";
import { type Contact, contactOf, contactOfKey, isMany } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";
import { readRecipient } from "./status.ts";

/** The times of one person's receipts for a message; null without. */
export type PersonReceipts = {
  person: Contact;
  deliveredAt: number | null;
  readAt: number | null;
  playedAt: number | null;
};

/** More receipts than a group of 1,024 members sends for one message. */
const MOST_RECEIPTS = 4_096;

/** A group, or the people who see a status: each of them has receipts. */
const isToGroup = ({ recipient }: Pick<MessageRow, "recipient">): boolean => isMany(contactOfKey(recipient));

/**
 * Keeps a receipt of a member of a group, of a person who saw a status, or of one who played a message. All other receipts are times of the
 * message itself.
 */
export const keepReceipt = async (
  env: MessagingEnv,
  tx: Tx,
  message: MessageRow,
  { status, at, to = {}, by = to, isPlayed = false }: Receipt,
): Promise<void> => {
  if (status !== "delivered" && status !== "read") return;
  if (!isKnown(by) || !(isPlayed || isToGroup(message))) return;
  const { id: messageId, tenantId, recipient: chat } = message;
  const author = contactOf(by).canonicalKey;
  const kinds: readonly ReceiptKind[] = isToGroup(message) ? (isPlayed ? [status, "played"] : [status]) : ["played"];
  for (const kind of kinds) await putReceipt(tx, { id: newId(env), tenantId, messageId, kind, author, chat, at });
};

/**
 * The receipts of a sent message by person, in the order of their first receipts. A message to a person has the
 * receipts of that person.
 * @throws AppError MESSAGE_NOT_FOUND, also for a received message
 */
export const readReceipts = async (
  env: MessagingEnv,
  { tenantId }: TenantScope,
  id: string,
): Promise<{ message: HistoryMessage; receipts: PersonReceipts[] }> => {
  const viewer = { tenantId, environment: "live" } as const;
  const message = await getHistoryMessage(env, viewer, id);
  return env.db.read(async (reader) => {
    const row = await findMessage(reader, viewer, message.id);
    if (!row) throw new AppError("MESSAGE_NOT_FOUND", { message: "No message with this id was sent from here." });
    const receipts = await receiptsOf(reader, row);
    return { message, receipts: isToGroup(row) ? receipts : await ofRecipient(reader, row, receipts) };
  });
};

const receiptsOf = async (r: Reader, { id, tenantId, channelId }: MessageRow): Promise<PersonReceipts[]> => {
  const people = new Map<string, PersonReceipts>();
  for (const { kind, author, at } of await listReceipts(r, { tenantId }, id, MOST_RECEIPTS)) {
    const person = await readContactOn(r, channelId, author);
    const known = people.get(person.canonicalKey) ?? { person, deliveredAt: null, readAt: null, playedAt: null };
    const field = `${kind}At` as const;
    people.set(person.canonicalKey, { ...known, [field]: known[field] ?? at });
  }
  return [...people.values()].map((one) => ({ ...one, deliveredAt: one.deliveredAt ?? one.readAt }));
};

/** Of a message to a person only the playing is a receipt of its own. */
const ofRecipient = async (
  r: Reader,
  message: MessageRow,
  [played]: readonly PersonReceipts[],
): Promise<PersonReceipts[]> => {
  const { deliveredAt, readAt } = message;
  if (deliveredAt === null) return [];
  return [{ person: await readRecipient(r, message), deliveredAt, readAt, playedAt: played?.playedAt ?? null }];
};
