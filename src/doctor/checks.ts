import { adapters } from "./adapters.ts";
import { auditLog } from "./audit-log.ts";
import { backups } from "./backups.ts";
import { type Check, type Report, runCheck } from "./check.ts";
import { clientVersions } from "./client-versions.ts";
import { clock, timeZone } from "./clock.ts";
import { console } from "./console.ts";
import { ownLanguageModels, webhookHosts, webhooks } from "./customers.ts";
import { database, integrity, schema, wal } from "./database.ts";
import { disk, diskSpeed } from "./disk.ts";
import { dataDirectory, fileModes } from "./files.ts";
import { growth } from "./growth.ts";
import type { Installation } from "./installation.ts";
import { httpRequests, memory, openFiles } from "./limits.ts";
import { mediaStorage } from "./media.ts";
import { publicReach } from "./public-reach.ts";
import { publicUrl } from "./public-url.ts";
import { masterKey } from "./secrets.ts";
import { server } from "./server.ts";
import { durability, nodeClock, nodes } from "./shared-database.ts";
import { updates } from "./updates.ts";
import { mail, upstreamChecks } from "./upstreams.ts";
import { channels, deadLetters, discardedJobs, jobs, setUp, testClock } from "./work.ts";

/** TABLE: the checks, in the order of the report. The checks of upstreams in use follow. */
const CHECKS: readonly Check[] = [
  dataDirectory,
  fileModes,
  disk(),
  diskSpeed(),
  growth,
  database(),
  schema,
  integrity,
  wal(),
  durability,
  nodes,
  nodeClock,
  masterKey,
  mediaStorage,
  backups,
  server,
  openFiles(),
  memory(),
  httpRequests,
  publicUrl,
  publicReach,
  console,
  setUp,
  testClock,
  adapters,
  channels,
  clientVersions,
  jobs,
  discardedJobs,
  deadLetters,
  webhooks,
  webhookHosts,
  ownLanguageModels,
  auditLog,
  timeZone,
  clock,
  mail,
  updates,
];

/** All checks of an installation. */
export const checksFor = async (installation: Installation): Promise<readonly Check[]> => [
  ...CHECKS,
  ...(await upstreamChecks(installation)),
];

/** Runs all checks at the same time; long ones, which would block this process, with `apart`. */
export const runAll = (
  checks: readonly Check[],
  installation: Installation,
  apart: (check: Check) => Promise<Report>,
): Promise<Report[]> =>
  Promise.all(checks.map((check) => (check.isLong ? apart(check) : runCheck(check, installation))));
