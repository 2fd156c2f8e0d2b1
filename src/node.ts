import type { Env } from "./core/env.ts";
import type { Log } from "./kernel/log.ts";
import type { Config } from "./kernel/settings/config.ts";
import { type LivingNode, sharingNode, soleNode } from "./runtime/node.ts";
import type { Runner } from "./runtime/runner.ts";
import type { Db } from "./store/engine/db.ts";

const LOOKS_PER_SWEEP = 30;

/** `onLost`: called when other nodes have taken over this one's jobs and channels. `checkClock`: called every 2 s. */
type NodeParts = {
  config: Pick<Config, "media">;
  db: Db;
  log: Log;
  onLost(): void;
  processId: string;
  checkClock(): Promise<void>;
  env(): Env;
  runner(): Runner;
};

/**
 * This process among those that serve its database. Every 30th look (a minute) also closes the links of channels that
 * another node owns or that were deleted.
 */
export const nodeOf = ({ config, db, log, processId, onLost, checkClock, env, runner }: NodeParts): LivingNode => {
  if (!db.isShared) return soleNode(processId);
  let looks = 0;
  let isReported = false;
  const warnAboutMedia = () => {
    if (isReported || node.count === 1 || config.media.kind !== "disk") return;
    isReported = true;
    log.warn(
      { nodes: node.count },
      "RECADO_MEDIA is on the disk of each node: only the node that received a file has it; use S3",
    );
  };
  const node = sharingNode({
    db,
    log,
    processId,
    events: {
      onFenced: () => env().supervisor.stop(),
      onBack: () => env().supervisor.resume(),
      onLost,
      onRescued: () => runner().rescued(),
      async onLook() {
        await checkClock();
        warnAboutMedia();
        await env().supervisor.start();
        if (++looks % LOOKS_PER_SWEEP === 0) await env().supervisor.closeLost();
      },
    },
  });
  return node;
};
