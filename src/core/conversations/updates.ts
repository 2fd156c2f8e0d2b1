import type { Reader, Tx } from "../../store/engine/db.ts";
import type { ConversationRow } from "../../store/tables/conversations/conversations.ts";
import { namesOfIds } from "../../store/tables/tenancy/audit.ts";
import { namesOfUsers } from "../../store/tables/tenancy/users.ts";
import { readContactOn } from "../channels/identity.ts";
import type { ChatWork, DoneBy } from "../events/definitions/inbox.ts";
import { channelOrRest, type PublishEnv, publish } from "../events/publish.ts";
import type { Requester } from "../tenancy/audit/audit.ts";

/**
 * Work on a conversation. `chat`: the key of its person; null after the contact's deletion. `by`: null if a rule or the
 * time did it.
 */
export type Update = { chat: string | null; changed: readonly ChatWork[]; by: Requester | null };

/** Publishes what was changed of a live conversation, which is given as it is now. */
export const publishUpdate = async (
  env: PublishEnv,
  tx: Tx,
  conversation: ConversationRow,
  { chat, changed, by }: Update,
): Promise<void> => {
  const { id: conversationId, tenantId, channelId, environment, status, assignedUserId, unreadCount } = conversation;
  if (environment !== "live" || changed.length === 0) return; // nobody gets events of test chats
  const at = env.clock.now();
  const channel = await channelOrRest(tx, channelId);
  await publish(
    env,
    tx,
    { tenantId, channel, environment },
    {
      type: "conversation.updated",
      conversationId,
      chat: chat === null ? null : await readContactOn(tx, channelId, chat),
      at,
      changed,
      status,
      assignee: await assigneeOf(tx, assignedUserId),
      unreadCount,
      snoozedUntil: snoozedUntil(conversation, at),
      by: by && (await doneBy(tx, by)),
    },
  );
};

/** When a snoozed conversation comes back; null if it is not snoozed, or was. */
export const snoozedUntil = ({ snoozedUntil: at }: Pick<ConversationRow, "snoozedUntil">, nowMs: number) =>
  at !== null && at > nowMs ? at : null;

const assigneeOf = async (r: Reader, userId: string | null) =>
  userId === null ? null : { userId, name: (await namesOfUsers(r, [userId])).get(userId) ?? "" };

/** Who asks for an act, by name. */
export const doneBy = async (r: Reader, { actor }: Requester): Promise<DoneBy> => {
  const [kind = "", id = ""] = actor.name.split(":", 2);
  if (kind !== "user" && kind !== "operator" && kind !== "key") return { kind: "other", id: "", name: actor.name };
  return { kind, id, name: (await namesOfIds(r, [id])).get(id) ?? null };
};
