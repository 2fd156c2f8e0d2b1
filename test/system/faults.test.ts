import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { hasEndedWithin } from "../../src/kernel/async.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { startGraph } from "../support/graph/index.ts";
import { brokenPromises, readDatabase } from "../support/processes/aftermath.ts";
import { createBurst, retryWebhooks } from "../support/processes/burst.ts";
import { processes, type Server, type Settings } from "../support/processes/process.ts";
import { connectedPhones, settingsUnderFaults, settleWork } from "../support/processes/under-faults.ts";
import { wrongClock } from "../support/processes/wrong-clock.ts";
import { nextSeed } from "../support/seeds.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { realTime, untilTrue } from "../support/waiting.ts";

setDefaultTimeout(180_000);
const { dataDir, folder, serve } = processes();
const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(cleanUps.map((cleanUp) => cleanUp())));

/** How many sends are accepted before a fault, and after it. */
const SENDS = 150;
/** A server that must end because of a fault does so within this time. */
const NOTICED_MS = 200;

type Faulty = {
  server: Server;
  database: string;
  accepted(): number;
  refused(): number;
};
type Fault = (faulty: Faulty) => Promise<void>;

/** Puts a server under load, has `fault` happen, and gives the promises that were broken in the end. */
const brokenBy = async (fault: Fault, more: Settings = {}) => {
  const [graph, receiver] = [startGraph(), startReceiver()];
  cleanUps.push(() => Promise.all([receiver.stop(), graph.stop()]));
  const settings = { ...(await settingsUnderFaults(graph, dataDir())), RECADO_LOG_LEVEL: "silent", ...more };
  const database = join(settings.RECADO_DATA_DIR, "recado.db");
  let server = await serve(settings);
  let accepted = 0;
  const burst = createBurst(
    graph,
    await connectedPhones(graph, receiver, server),
    seededRandom(nextSeed()),
    () => void accepted++,
  );
  retryWebhooks(graph, server);
  const over = Promise.withResolvers<void>();
  const { url } = server;
  const running = burst.runUntil(over.promise, () => url);
  const moreSends = (from: number) => untilTrue(() => accepted >= from + SENDS);
  await moreSends(0);
  await fault({ server, database, accepted: () => accepted, refused: () => refusals(burst) });
  const hasEnded = await hasEndedWithin(systemClock(), NOTICED_MS, server.ended);
  if (hasEnded) server = await serve({ ...settings, LD_PRELOAD: "" });
  await moreSends(accepted);
  over.resolve();
  await running;
  await burst.repeatKeyed(server.url);
  await burst.look(server.url);
  await settleWork(graph, server, settings.RECADO_DATA_DIR);
  server.signal("SIGTERM");
  const { code } = await server.ended;
  const broken = brokenPromises(readDatabase(database), withoutRefusals(burst), graph, receiver.arrived);
  return {
    hasEnded,
    code,
    refused: refusals(burst),
    broken: Object.entries(broken).filter(([, cases]) => cases.length > 0),
  };
};
type Burst = ReturnType<typeof createBurst>;

/** A client takes a 500 as it takes a 503: for a send that it may ask for again. */
const isRefusal = (surprise: string): boolean => surprise.startsWith("500 ");
const refusals = ({ refused, surprises }: Burst): number => refused.length + surprises.filter(isRefusal).length;
const withoutRefusals = (burst: Burst): Burst => ({
  ...burst,
  surprises: burst.surprises.filter((one) => !isRefusal(one)),
});

const KEPT = { code: 0, broken: [] };
/** What decision 0024 does not promise after a clock was set back, and after our own database refused a job: order. */
const butOrder = ({ broken, ...found }: Awaited<ReturnType<typeof brokenBy>>) => ({
  ...found,
  broken: broken.filter(([promise]) => promise !== "inversions"),
});

/** What has a server take commands that make calls of the C library fail: https://blitiri.com.ar/p/libfiu */
const failing = () => {
  const control = join(folder(), "control");
  const preload = ["run", "posix"].map((what) => `/usr/lib/fiu/fiu_${what}_preload.so`).join(" ");
  const command = async ({ server }: Faulty, text: string): Promise<void> => {
    const { exitCode, stdout, stderr } = await Bun.$`fiu-ctrl -f ${control} -c ${text} ${server.pid}`.nothrow().quiet();
    if (exitCode !== 0) throw new Error(`fiu-ctrl ${text}: ${stdout.toString()}${stderr.toString()}`);
  };
  return { settings: { LD_PRELOAD: preload, FIU_CTRL_FIFO: control, FIU_ENABLE: "" }, command };
};

const [EIO, ENOSPC] = [5, 28];

describe("nothing that was answered is lost, nothing is sent twice, and no status goes back", () => {
  test("when the disk does not sync: the server ends rather than answer, and another one goes on", async () => {
    const { settings, command } = failing();
    const { hasEnded, ...found } = await brokenBy(async (faulty) => {
      await command(faulty, `enable name=posix/io/sync/fdatasync,failinfo=${EIO}`);
      expect((await faulty.server.ended).code).not.toBe(0);
    }, settings);
    expect(hasEnded).toBe(true);
    expect(found).toMatchObject(KEPT);
  });

  test("when the disk is full for a while: requests are refused until there is room", async () => {
    const { settings, command } = failing();
    const found = await brokenBy(async (faulty) => {
      await command(faulty, `enable name=posix/io/rw/pwrite*,failinfo=${ENOSPC}`);
      await untilTrue(() => faulty.refused() >= 20);
      await command(faulty, "disable name=posix/io/rw/pwrite*");
    }, settings);
    expect(found).toMatchObject({ ...KEPT, hasEnded: false });
    expect(found.refused).toBeGreaterThanOrEqual(20);
  });

  test("when reads and writes of the disk fail now and then", async () => {
    const { settings, command } = failing();
    const found = await brokenBy(async (faulty) => {
      for (const name of ["pread", "pwrite"])
        await command(faulty, `enable_random name=posix/io/rw/${name}*,probability=0.02,failinfo=${EIO}`);
      const from = faulty.accepted();
      let isOver = false;
      void faulty.server.ended.then(() => (isOver = true));
      await untilTrue(() => isOver || faulty.accepted() >= from + SENDS);
      if (!isOver) for (const name of ["pread", "pwrite"]) await command(faulty, `disable name=posix/io/rw/${name}*`);
    }, settings);
    expect(butOrder(found)).toMatchObject(KEPT);
  });

  test("when no file may grow any longer, as under a quota", async () => {
    const found = await brokenBy(async ({ server, database, refused }) => {
      const limit = (bytes: number | "unlimited") => Bun.$`prlimit --pid ${server.pid} --fsize=${bytes}:`.quiet();
      await limit(Math.min(statSync(database).size, statSync(`${database}-wal`).size));
      await untilTrue(() => refused() >= 20);
      await limit("unlimited");
    });
    expect(found).toMatchObject({ ...KEPT, hasEnded: false });
  });

  test("when the process stands still for five seconds", async () => {
    const found = await brokenBy(async ({ server }) => {
      server.signal("SIGSTOP");
      await realTime(5000);
      server.signal("SIGCONT");
    });
    expect(found).toMatchObject({ ...KEPT, hasEnded: false });
  });

  test("when the clock jumps an hour ahead and back", async () => {
    const clock = wrongClock(join(folder(), "offset"));
    clock.set("+0");
    const found = await brokenBy(async ({ accepted }) => {
      for (const offset of ["+3600", "+0"]) {
        const from = accepted();
        clock.set(offset);
        await untilTrue(() => accepted() >= from + SENDS);
      }
    }, clock.settings);
    expect(butOrder(found)).toMatchObject({ ...KEPT, hasEnded: false });
  });
});
