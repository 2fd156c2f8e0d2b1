import { databaseFile } from "../../setup.ts";
import type { Reader } from "../../store/engine/db.ts";
import {
  databaseNow,
  type LiveNode,
  listLiveNodes,
  MAX_CLOCK_DIFFERENCE_MS,
  readSynchronous,
} from "../../store/engine/inspection.ts";
import { type Check, type Finding, fault, ok, skipped, warning, worstOf } from "../check.ts";
import type { Installation } from "../installation.ts";
import { onDatabase } from "./database.ts";

const FULL = 2;
const STRONG = [
  "set it to strong on the server, at each of its starts, because it forgets: curl -X POST <its admin address>/v1/namespaces/default/config",
  "-H 'content-type: application/json'",
  '-d \'{"block_reads":false,"block_writes":false,"durability_mode":"strong","txn_timeout_s":5}\'',
].join(" ");

const onServer = async (installation: Installation, run: (reader: Reader) => Promise<Finding>): Promise<Finding> =>
  databaseFile(installation.config) === undefined
    ? onDatabase(installation, run)
    : skipped("the database is a file on this machine");

/** Acknowledged writes of the database server survive a loss of power. */
export const durability: Check = {
  name: "durability",
  run: (installation) =>
    onServer(installation, async (reader) =>
      (await readSynchronous(reader)) >= FULL
        ? ok("strong: acknowledged means on disk")
        : fault("relaxed: a loss of power at the database's machine loses the last writes", STRONG),
    ),
};

const twice = (urls: readonly string[]): string[] => [...new Set(urls.filter((url, at) => urls.indexOf(url) !== at))];

const judgedNodes = ({ config }: Installation, nodes: readonly LiveNode[]): Finding => {
  const found = ok(`${nodes.length} live`);
  if (nodes.length < 2) return found;
  const urls = nodes.flatMap(({ url }) => url ?? []);
  const shared = twice(urls);
  return worstOf([
    found,
    ...(config.media.kind === "disk"
      ? [
          fault(
            `${nodes.length} nodes live, and media is on the disk of each`,
            "set RECADO_MEDIA to a bucket that all nodes share",
          ),
        ]
      : []),
    ...(shared.length > 0
      ? [fault(`several nodes have the address ${shared.join(", ")}`, "give each its own RECADO_NODE_URL")]
      : []),
    ...(urls.length < nodes.length
      ? [
          warning(
            `${nodes.length - urls.length} nodes cannot be reached by the others`,
            "set RECADO_NODE_URL to where others reach the node",
          ),
        ]
      : []),
  ]);
};

/** Nodes that share a database also share media, and reach each other. */
export const nodes: Check = {
  name: "nodes",
  run: (installation) =>
    onServer(installation, async (reader) => judgedNodes(installation, await listLiveNodes(reader))),
};

/** The clock of this node agrees with the database's: nodes decide by their clocks which work is due. */
export const nodeClock: Check = {
  name: "node-clock",
  run: (installation) =>
    onServer(installation, async (reader) => {
      const before = installation.clock.now();
      const theirs = await databaseNow(reader);
      const ahead = (before + installation.clock.now()) / 2 - theirs;
      const seconds = Math.abs(Math.round(ahead / 100) / 10);
      const found = `${seconds} s ${ahead < 0 ? "behind" : "ahead of"} the database's machine`;
      return Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS
        ? fault(found, "synchronise the clocks of both machines by NTP (timedatectl set-ntp true)")
        : ok(found);
    }),
};
