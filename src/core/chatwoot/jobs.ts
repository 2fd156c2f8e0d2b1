import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { SubscriptionId } from "../../kernel/ids.ts";
import { Nullable } from "../../kernel/schema.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue, queueOf } from "../../store/tables/queues.ts";
import { id } from "../job-parts.ts";
import { replyKey } from "./replies.ts";

const SUBSCRIPTION = { subscriptionId: id<SubscriptionId>() };

/** The background work of `chatwoot`. */
export const CHATWOOT_JOBS = {
  "chatwoot.send": job({
    payload: versioned(
      Type.Object({
        ...SUBSCRIPTION,
        chatwootId: Type.Integer(),
        conversationId: Type.Integer(),
        to: Type.Object({
          contactId: Type.Integer(),
          sourceId: Type.String(),
          identifier: Type.String(),
          phone: Type.String(),
        }),
        text: Type.String(),
        files: Type.Array(Type.Object({ type: Type.String(), url: Type.String() })),
        repliedId: Nullable(Type.Integer()),
      }),
    ),
    concurrencyLimit: 4,
    queue: ({ subscriptionId }) => queueOf("chatwoot", subscriptionId),
    orderingKey: ({ conversationId }) => String(conversationId),
    uniqueKey: replyKey,
    run: late(async () => (await import("./send-reply.ts")).sendReply),
  }),
  "chatwoot.import": job({
    payload: versioned(Type.Object(SUBSCRIPTION)),
    concurrencyLimit: 2,
    queue: () => commonQueue("chatwoot-imports"),
    uniqueKey: ({ subscriptionId }) => `chatwoot-import:${subscriptionId}`,
    priority: "low",
    run: late(async () => (await import("./import.ts")).importHistory),
  }),
};
