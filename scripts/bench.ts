// Measures Recado on this machine and writes scripts/bench.md.
//   bun scripts/bench.ts [--quick] [--small] [--write] [section…] sections: start, sends, inbound, claims, scheduled, platform, bulk,
//   console, hostile, vectors, backup, sessions, steady, ten, nodes, year; with any argument nothing is written, but with
//   --write: the sections that were measured take their places in scripts/bench.md
//   --small: the servers have one core and 512 MB; without a section sends, inbound, scheduled and sessions are measured
import { join } from "node:path";
import { backupSection } from "./bench/backup.ts";
import { bulkSection } from "./bench/bulk.ts";
import { claimsSection } from "./bench/claims.ts";
import { consoleSection } from "./bench/console.ts";
import { deliveriesSection } from "./bench/deliveries.ts";
import { diskLimits, diskSection } from "./bench/disk.ts";
import { hostileSection } from "./bench/hostile.ts";
import { inboundSection, startInbound } from "./bench/inbound.ts";
import { institutionSection } from "./bench/institution.ts";
import { nodesSection } from "./bench/nodes.ts";
import { listsSection } from "./bench/platform.ts";
import { cleanUp } from "./bench/process.ts";
import { confine } from "./bench/recado.ts";
import { blockText, loadNow, reportText, type Section, sectionText } from "./bench/report.ts";
import { scheduledSection } from "./bench/scheduled.ts";
import { echoLoad, sendsSection } from "./bench/sends.ts";
import { sessionsSections } from "./bench/sessions.ts";
import { smallMachine } from "./bench/small.ts";
import { startSection } from "./bench/start.ts";
import { steadySection } from "./bench/steady.ts";
import { tenSection } from "./bench/ten.ts";
import { vectorsSection } from "./bench/vectors.ts";
import { yearSection } from "./bench/year.ts";
import { LOAD } from "./seed/load.ts";

const args = process.argv.slice(2);
const isQuick = args.includes("--quick");
const isSmall = args.includes("--small");
const named = args.filter((arg) => !arg.startsWith("--"));
const wanted = isSmall && named.length === 0 ? ["sends", "inbound", "scheduled", "sessions"] : named;

const pace = isQuick
  ? {
      sends: { warmUpMs: 1000, runMs: 3000 },
      inbound: { samples: 50, rateMs: 5000, searchMs: 3000 },
      deliveries: 5000,
      starts: 3,
      idleMs: 2000,
      claimMs: 500,
      scheduled: 10_000,
      bulk: { recipients: 12, drained: 100 },
      platform: {
        samples: 50,
        size: {
          contacts: 5000,
          perContact: 10,
          long: 2000,
          batches: 30,
          recipients: 1000,
          errors: 300,
          attempts: 5000,
        },
      },
      vectors: { chunks: 2000, questions: 50 },
      backup: { mb: 200, quietMs: 3000 },
      console: { phones: 50, conversations: 500, messagesEach: 20, deadLetters: 1000 },
      hostile: { tries: 1, everyNth: 64 },
      steady: { windowMs: 5000 },
      ten: { phones: 50, streams: 500, batches: 5, sessions: 20, runMs: 3000 },
      year: { messages: 20_000, samples: 20 },
      sessions: { settleMs: 2000, idle: { pauseMs: 1000, runMs: 3000 }, messages: 300, samples: 50, storms: 3 },
    }
  : {
      sends: { warmUpMs: 2000, runMs: 6000 },
      inbound: { samples: 200, rateMs: 20_000, searchMs: 6000 },
      deliveries: 20_000,
      starts: 9,
      idleMs: 5000,
      claimMs: 2000,
      scheduled: 100_000,
      bulk: { recipients: 60, drained: 1000 },
      platform: {
        samples: 300,
        size: {
          contacts: 100_000,
          perContact: 10,
          long: 10_000,
          batches: 300,
          recipients: 1000,
          errors: 300,
          attempts: 100_000,
        },
      },
      vectors: { chunks: 10_000, questions: 200 },
      backup: { mb: 10_240, quietMs: 10_000 },
      console: LOAD,
      hostile: { tries: 3, everyNth: 8 },
      steady: { windowMs: 600_000 },
      ten: { phones: 1000, streams: 10_000, batches: 100, sessions: 1000, runMs: 10_000 },
      year: { messages: 5_000_000, samples: 100 },
      sessions: { settleMs: 3000, idle: { pauseMs: 15_000, runMs: 30_000 }, messages: 1000, samples: 200, storms: 20 },
    };

const inboundSections = async (): Promise<Section[]> => {
  const echo = await echoLoad(pace.sends);
  const inbound = await startInbound();
  const toCustomer = await inboundSection(pace.inbound, inbound, echo.perSecond);
  await inbound.recado.child.stop();
  return [toCustomer, await deliveriesSection(inbound, pace.deliveries)];
};

const sendsSections = async (): Promise<Section[]> => {
  const limits = diskLimits();
  return [diskSection(limits), await sendsSection(pace.sends, limits)];
};

/** TABLE: the measurements, in the order of the report. */
const SECTIONS: Record<string, () => Promise<Section[]>> = {
  start: async () => [await startSection(pace.starts, pace.idleMs)],
  sends: sendsSections,
  inbound: inboundSections,
  claims: async () => [await claimsSection(pace.claimMs)],
  scheduled: async () => [await scheduledSection(pace.scheduled)],
  platform: async () => [await listsSection(pace.platform), await institutionSection(pace.sends)],
  bulk: async () => [await bulkSection(pace.bulk)],
  console: async () => [await consoleSection(pace.console)],
  hostile: async () => [await hostileSection(pace.hostile)],
  vectors: async () => [await vectorsSection(pace.vectors)],
  backup: async () => [await backupSection(pace.backup)],
  sessions: () => sessionsSections(pace.sessions),
  steady: async () => [await steadySection(pace.steady)],
  ten: async () => [await tenSection(pace.ten)],
  nodes: async () => [await nodesSection(pace.sends)],
  year: async () => [await yearSection({ ...pace.year, sends: pace.sends, floodMs: pace.inbound.searchMs })],
};

const unknown = args.filter((arg) => !["--quick", "--small", "--write"].includes(arg) && !Object.hasOwn(SECTIONS, arg));
if (unknown.length > 0) {
  console.error(
    `unknown argument ${unknown.join(" ")}; usage: bench.ts [--quick] [--small] [--write] [${Object.keys(SECTIONS).join("] [")}]`,
  );
  process.exit(2);
}

const small = isSmall ? smallMachine() : undefined;
if (small) confine(small.confined);
const startedAt = performance.now();
const blocks = new Map<string, string>();
try {
  for (const [name, run] of Object.entries(SECTIONS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const [loadBefore, begunAt] = [loadNow(), performance.now()];
    const sections = await run();
    for (const section of sections) console.log(sectionText(section));
    blocks.set(name, blockText(sections, { tookMs: performance.now() - begunAt, loadBefore }));
    await cleanUp();
  }
  if (small) console.log(sectionText(small.section()));
} finally {
  await cleanUp();
  small?.end();
}
console.log(`took ${Math.round((performance.now() - startedAt) / 1000)} s`);
const file = join(import.meta.dir, "bench.md");
if (args.length === 0 || args.includes("--write"))
  await Bun.write(file, reportText(await Bun.file(file).text(), blocks, Object.keys(SECTIONS)));
