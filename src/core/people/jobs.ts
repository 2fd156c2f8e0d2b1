import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue } from "../../store/tables/queues.ts";
import { id } from "../job-parts.ts";

/** The background work of `people`. */
export const PEOPLE_JOBS = {
  "person.erase": job({
    payload: versioned(Type.Object({ erasureId: id() })),
    concurrencyLimit: 1,
    queue: () => commonQueue("people"),
    uniqueKey: ({ erasureId }) => `erase:${erasureId}`,
    run: late(async () => (await import("./erase.ts")).runErasure),
  }),
};
