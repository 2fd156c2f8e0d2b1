import { adapters } from "./adapters.ts";
import { type Check, type Report, runCheck } from "./check.ts";
import { console } from "./console.ts";
import { auditLog } from "./database/audit-log.ts";
import { backups } from "./database/backups.ts";
import { database, integrity, schema, wal } from "./database/database.ts";
import { growth } from "./database/growth.ts";
import { masterKey } from "./database/secrets.ts";
import { durability, nodeClock, nodes } from "./database/shared-database.ts";
import type { Installation } from "./installation.ts";
import { disk, diskSpeed } from "./machine/disk.ts";
import { dataDirectory, fileModes } from "./machine/files.ts";
import { httpRequests, memory, openFiles } from "./machine/limits.ts";
import { mediaStorage } from "./machine/media.ts";
import { clientVersions } from "./network/client-versions.ts";
import { clock, timeZone } from "./network/clock.ts";
import { ownLanguageModels, webhookHosts, webhooks } from "./network/customers.ts";
import { publicReach } from "./network/public-reach.ts";
import { publicUrl } from "./network/public-url.ts";
import { unknownTypes } from "./network/unknown-types.ts";
import { updates } from "./network/updates.ts";
import { mail, upstreamChecks } from "./network/upstreams.ts";
import { server } from "./server.ts";
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
  unknownTypes,
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
