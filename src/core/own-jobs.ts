import { Type } from "@sinclair/typebox";
import { late } from "../kernel/async.ts";
import type { ChannelId, TenantId } from "../kernel/ids.ts";
import { versioned } from "../kernel/versioned.ts";
import { job } from "../runtime/jobs.ts";
import { commonQueue } from "../store/tables/queues.ts";
import { makeBackup } from "./backups.ts";
import { processUpstream } from "./inbound.ts";
import { CHANNEL, HOUSEKEEPING, id, NOTHING } from "./job-parts.ts";

/** The background work of the files beside this one, which concern every slice. */
export const OWN_JOBS = {
  "upstream.process": job({
    payload: versioned(Type.Object({ envelopeId: Type.Integer() })),
    concurrencyLimit: 64,
    queue: () => commonQueue("upstream"),
    uniqueKey: ({ envelopeId }) => `upstream:${envelopeId}`,
    run: processUpstream,
  }),
  "account.join-rest": job({
    ...HOUSEKEEPING,
    payload: versioned(
      Type.Object({
        accountId: id<TenantId>(),
        channelIds: Type.Array(id<ChannelId>()),
        isLast: Type.Boolean(),
        table: Type.Integer(),
        after: Type.Integer(),
      }),
    ),
    run: late(async () => (await import("./joining.ts")).joinRest),
  }),
  "channel.forget": job({
    ...HOUSEKEEPING,
    payload: CHANNEL,
    priority: "low",
    run: late(async () => (await import("./removal.ts")).forgetChannel),
  }),
  "store.prune": job({
    ...HOUSEKEEPING,
    payload: NOTHING,
    priority: "low",
    uniqueKey: () => "prune",
    run: late(async () => (await import("./prune.ts")).prune),
  }),
  "backup.make": job({
    payload: NOTHING,
    concurrencyLimit: 1,
    queue: () => commonQueue("backup"),
    uniqueKey: () => "backup",
    run: makeBackup,
  }),
  "updates.look": job({
    ...HOUSEKEEPING,
    payload: NOTHING,
    uniqueKey: () => "updates",
    run: late(async () => (await import("./updates.ts")).readUpdate),
  }),
};
