import { isSameSecret } from "../../kernel/crypto.ts";
import { AppError, reasonOf } from "../../kernel/errors.ts";
import { isUuid, type SubscriptionId } from "../../kernel/ids.ts";
import { type Json, listOf, recordOf } from "../../kernel/texts/json.ts";
import type { Reader } from "../../store/engine/db.ts";
import { isDeletedInChatwoot, listOfChatwootMessage } from "../../store/tables/channels/chatwoot.ts";
import { loadSubscription } from "../../store/tables/events/subscriptions.ts";
import { secretRow } from "../events/outgoing.ts";
import { findRefusal } from "../tenancy/accounts/accounts.ts";
import { deleteReply } from "./deleted-replies.ts";
import type { ChatwootEnv } from "./env.ts";
import { answersImport, type Connection, connectionIn, type Import, importIn } from "./inbox.ts";

/** A file of an agent's message. `type`: Chatwoot's word for its kind. */
export type ReplyFile = { type: string; url: string };

/** A message that an agent, or an automation of Chatwoot, wrote to a person. `to`: what is known of the person there. */
export type ChatwootReply = {
  subscriptionId: SubscriptionId;
  chatwootId: number;
  conversationId: number;
  to: { contactId: number; sourceId: string; identifier: string; phone: string };
  text: string;
  files: ReplyFile[];
  repliedId: number | null;
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const idIn = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);

/** More files than Chatwoot takes for one message. */
const MOST_FILES = 20;

/** Chatwoot writes the type as a word into webhooks; older ones wrote its number. */
const TEMPLATE: readonly unknown[] = ["template", 3];
const WRITTEN: readonly unknown[] = ["outgoing", 1, ...TEMPLATE];

/** Whether a person wrote a message. Greetings, texts of out-of-office and of rules, and those of bots have no user. */
const isOfAgent = (payload: Json): boolean =>
  !TEMPLATE.includes(payload["message_type"]) && recordOf(payload["sender"])["type"] === "user";

/** A message that Chatwoot says was deleted for everyone, or that a person is to get; undefined for all else. */
const readPayload = (
  payload: Json,
  subscriptionId: SubscriptionId,
): { reply: ChatwootReply } | { deletedId: number } | undefined => {
  const id = idIn(payload["id"]);
  const attributes = recordOf(payload["content_attributes"]);
  if (id === 0 || !WRITTEN.includes(payload["message_type"]) || payload["private"] === true) return undefined;
  if (payload["event"] === "message_updated") return attributes["deleted"] === true ? { deletedId: id } : undefined;
  // what has a source id was made by Recado
  if (payload["event"] !== "message_created" || text(payload["source_id"]) !== "") return undefined;
  const conversation = recordOf(payload["conversation"]);
  const sender = recordOf(recordOf(conversation["meta"])["sender"]);
  const files = listOf(payload["attachments"])
    .map(recordOf)
    .map((one) => ({ type: text(one["file_type"]), url: text(one["data_url"]) }))
    .filter(({ url }) => url !== "")
    .slice(0, MOST_FILES);
  const words = text(payload["content"]);
  const conversationId = idIn(conversation["id"]);
  if (conversationId === 0 || (words.trim() === "" && files.length === 0)) return undefined;
  return {
    reply: {
      subscriptionId,
      chatwootId: id,
      conversationId,
      to: {
        contactId: idIn(sender["id"]),
        sourceId: text(recordOf(conversation["contact_inbox"])["source_id"]),
        identifier: text(sender["identifier"]),
        phone: text(sender["phone_number"]),
      },
      text: words,
      files,
      repliedId: idIn(attributes["in_reply_to"]) || null,
    },
  };
};

/** The key of a reply's job, and of its idempotency. */
export const replyKey = ({
  subscriptionId,
  chatwootId,
}: Pick<ChatwootReply, "subscriptionId" | "chatwootId">): string => `chatwoot:${subscriptionId}:${chatwootId}`;

const forged = (): AppError => new AppError("SIGNATURE_REFUSED", { message: "The address of the webhook is wrong." });

/** The living connection of an address with its secret, and its import. @throws AppError SIGNATURE_REFUSED */
const requireConnection = async (
  env: ChatwootEnv,
  r: Reader,
  { id, secret }: { id: string; secret: string },
): Promise<{ connection: Connection; import: Import }> => {
  const row = isUuid(id) ? await loadSubscription(r, id as SubscriptionId) : undefined;
  const connection = row && connectionIn(row);
  // an unknown connection takes the same comparison, with a secret that nobody has
  const expected = row && connection ? env.secrets.open(secretRow(row.id), row.secret) : "";
  if (!isSameSecret(expected, secret) || !row || !connection || expected === "") throw forged();
  return { connection, import: importIn(row) };
};

/**
 * Takes a webhook of a Chatwoot. An agent's message is on disk, with the job that sends it, when this resolves. A
 * repeated webhook changes nothing. What is not for a person is answered and forgotten, and so is what Chatwoot wrote by
 * itself during an import. What agents have seen is marked as read, and that they type is shown.
 * @throws AppError SIGNATURE_REFUSED, also for an account that is no longer active
 */
export const acceptFromChatwoot = async (
  env: ChatwootEnv,
  address: { id: string; secret: string },
  payload: unknown,
): Promise<void> => {
  const { connection, import: imported } = await env.db.read(async (reader) => {
    const found = await requireConnection(env, reader, address);
    // the sends of a suspended account wait until it has paid
    if ((await findRefusal(reader, found.connection.tenantId)) === "ACCOUNT_INACTIVE") throw forged();
    return found;
  });
  const { showSign, signIn } = await import("./agent-signs.ts"); // a start without a Chatwoot does not load it
  const nowMs = env.clock.now();
  const asked = readPayload(recordOf(payload), connection.subscriptionId);
  if (!asked) {
    const sign = signIn(recordOf(payload), nowMs);
    if (sign) await showSign(env, connection, sign);
    return;
  }
  if ("deletedId" in asked) return deleteReply(env, connection, asked.deletedId);
  // a greeting for what a person wrote long ago
  const isAgents = isOfAgent(recordOf(payload));
  if (!isAgents && answersImport(imported, nowMs)) return;
  const { reply } = asked;
  // first: with the answer, nothing is unread any more; whatever fails there, the answer goes out
  if (isAgents)
    await showSign(env, connection, { conversationId: reply.conversationId, seenUntil: nowMs, typing: null }).catch(
      (error: unknown) =>
        env.log.warn(
          { channelId: connection.channelId, error: reasonOf(error) },
          "what an agent has seen was not marked as read",
        ),
    );
  await env.db.write(async (tx) => {
    if ((await listOfChatwootMessage(tx, reply)).length > 0 || (await isDeletedInChatwoot(tx, reply))) return;
    env.jobs.enqueue(tx, "chatwoot.send", reply);
  });
};
