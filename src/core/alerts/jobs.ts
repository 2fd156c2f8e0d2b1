import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import { OneOf } from "../../kernel/schema.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue, queueOf } from "../../store/tables/queues.ts";
import { id, NOTHING } from "../job-parts.ts";

/** The background work of `alerts`. */
export const ALERT_JOBS = {
  "alerts.look": job({
    payload: NOTHING,
    concurrencyLimit: 1,
    queue: () => commonQueue("alerts"),
    uniqueKey: () => "alerts.look",
    run: late(async () => (await import("./looking.ts")).lookForTroubles),
  }),
  "alert.send": job({
    payload: versioned(Type.Object({ noticeId: id(), way: OneOf(["url", "telegram"]) })),
    concurrencyLimit: 4,
    queue: ({ way }) => queueOf("alert", way),
    uniqueKey: ({ noticeId, way }) => `alert:${way}:${noticeId}`,
    run: late(async () => (await import("./sending.ts")).sendNotice),
  }),
};
