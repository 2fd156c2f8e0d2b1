import type { PollCounted } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";
import { readTarget } from "./targets.ts";

/** Publishes the votes of a poll so far, once for each report. A poll that was not sent from here is ignored. */
export const receivePollResults = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { key, nativeId, at, totals, isClosed }: PollCounted,
): Promise<void> => {
  const { channel, environment } = context;
  const target = await readTarget(tx, context, key);
  if (!target || !(await isFirst(env, tx, context, { providerMessageId: `results/${nativeId}` }))) return;
  const { messageId, chat } = target;
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    { type: "message.poll_results", messageId, at, totals, isClosed, chat },
  );
};
