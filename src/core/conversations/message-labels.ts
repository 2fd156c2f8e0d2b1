import type { MessageId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import { listLabels, MOST_LABELS } from "../../store/tables/conversations/chat-states.ts";
import {
  addMessageLabel,
  deleteMessageLabel,
  listLabelIdsOn,
} from "../../store/tables/conversations/message-labels.ts";
import type { InboundContext } from "../channels/identity.ts";
import type { Contact } from "../domain-event.ts";
import { type PublishEnv, publish } from "../events/publish.ts";
import { shownLabel } from "./chat-states.ts";

type Labelled = {
  messageId: MessageId;
  chat: Contact;
  labelId: string;
  isLabelled: boolean;
  at: number;
  isHistory?: boolean;
};

/**
 * Stores that a message has a label or has it no longer, and publishes it. A repeat changes nothing. More than a hundred
 * labels of a message are not kept.
 */
export const recordMessageLabel = async (
  env: PublishEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { messageId, chat, labelId, isLabelled, at, isHistory = false }: Labelled,
): Promise<void> => {
  const given = await listLabelIdsOn(tx, messageId, MOST_LABELS);
  if (given.includes(labelId) === isLabelled) return;
  if (isLabelled && given.length >= MOST_LABELS) return;
  if (isLabelled) await addMessageLabel(tx, { channelId: channel.id, messageId, labelId });
  else deleteMessageLabel(tx, { messageId, labelId });
  if (isHistory) return;
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    {
      type: "message.labelled",
      messageId,
      chat,
      label: shownLabel(await listLabels(tx, channel.id), labelId),
      isLabelled,
      at,
    },
  );
};
