import { once } from "node:events";
import { connect } from "node:net";
import { giveMemoryBack } from "../../src/adapters/machine/memory.ts";
import { shrinkCaches } from "../../src/store/engine/shrink.ts";
import { sampleOf } from "../../test/support/apis/bad-bodies.ts";
import { goodBody, routesWithBodies, schemaOfBody, sendRaw } from "../../test/support/apis/body-routes.ts";
import { HOSTILE_ROOTS, hostileBodiesOf, LONGEST_BODIES } from "../../test/support/apis/hostile-bodies.ts";
import { nameOf } from "../../test/support/apis/open-api.ts";
import { newTenant, type Tenant } from "../../test/support/tenants/tenant.ts";
import { startWorld, type World } from "../../test/support/world.ts";
import { mb, ms, type Section } from "./report.ts";
import { bareServerMs, bestOf, longestTurnMs, threadMs } from "./thread.ts";

const MOST_MS = 200;
const MOST_MB = 50;
const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;
const FILE = Buffer.alloc(95 * MIB, 7);
const CLIENTS = 20;
const SHOWN = 5;

/** `tries`: the best of so many counts. Every `everyNth` body is sent to each route. */
type Pace = { tries: number; everyNth: number };
type Cost = { what: string; cpuMs: number };

/**
 * The cost of one request for others. Measures the processor time of the loop for the worst bodies, the memory that
 * they leave, and the longest turn during reads of large files. Server and clients share this process.
 */
export const hostileSection = async (pace: Pace): Promise<Section> => {
  const limit = "1000000";
  const w = await startWorld({
    env: { RECADO_GATEWAY_RATE: limit, RECADO_GATEWAY_SEND_RATE: limit, RECADO_ADDRESS_RATE: limit },
  });
  try {
    const tenant = await newTenant(w, "tenant");
    const reading = await readingMs(w, tenant);
    await w.graph.stop(); // the receiver's work on such bodies would count in this very process
    const before = await memoryMb(w);
    const costs = await costsOfBodies(w, tenant, pace);
    const keptMb = (await memoryMb(w)) - before;
    const yardstickMs = await bareServerMs(pace.tries, LONGEST_BODIES["blanks"]?.() ?? "");
    return sectionOf({ costs, keptMb, yardstickMs, reading });
  } finally {
    const stopped = w.stop();
    await w.advance(MINUTE_MS);
    await stopped;
  }
};

/** The memory of the process after it has returned all free memory, as a server at rest does. */
const memoryMb = async (w: World): Promise<number> => {
  await shrinkCaches(w.app.env.db);
  await giveMemoryBack();
  return process.memoryUsage.rss() / MIB;
};

const costsOfBodies = async (w: World, tenant: Tenant, { tries, everyNth }: Pace): Promise<Cost[]> => {
  const costs: Cost[] = [];
  const add = async (what: string, send: () => Promise<unknown>) => {
    const cpuMs = await bestOf(tries, async () => {
      await w.advance(MINUTE_MS);
      await w.settle(); // work of an earlier body must not count for this one
      const usedMs = threadMs();
      await send();
      return usedMs();
    });
    costs.push({ what, cpuMs });
  };
  for (const [at, route] of (await routesWithBodies(w)).entries()) {
    const bodies = [
      ...hostileBodiesOf(schemaOfBody(route), goodBody(route, tenant), (of) => sampleOf(of, tenant.ids.phoneId)),
      ...HOSTILE_ROOTS,
    ].filter((_, n) => (n + at) % everyNth === 0);
    for (const { why, raw: made } of bodies) {
      const raw = made();
      await add(`${nameOf(route)}, ${why}`, () => sendRaw(w, tenant, route, { raw }));
    }
  }
  for (const [why, made] of Object.entries(LONGEST_BODIES)) {
    const raw = made();
    await add(`the longest body, ${why}`, () => w.gateway("/v1/ai/summary", { key: tenant.gatewayKey, raw }));
  }
  return costs;
};

/** The longest turn while some clients read a stored file of 95 MB at once, and while others read nothing of it. */
type Reading = { read: number; idle: number; bare: number };

const readingMs = async (w: World, { gatewayKey }: Tenant): Promise<Reading> => {
  const headers = { "x-api-key": gatewayKey };
  const made = await fetch(`${w.app.url}/gateway/v1/media/files`, { method: "POST", headers, body: FILE });
  const { mediaHandle } = (await made.json()) as { mediaHandle: string };
  const url = new URL(`${w.app.url}/gateway/v1/media/files/${mediaHandle}/content`);
  using bare = Bun.serve({ port: 0, fetch: () => new Response(FILE) });
  const all = (make: () => Promise<unknown>) => longestTurnMs(() => Promise.all(Array.from({ length: CLIENTS }, make)));
  return {
    read: await all(() => taken(url, headers)),
    idle: await all(() => leftUnread(url, headers)),
    bare: await all(() => taken(bare.url, {})),
  };
};

const taken = async (url: URL, headers: Record<string, string>): Promise<void> => {
  const { body } = await fetch(url, { headers });
  for await (const _ of body ?? []);
};

/** Sends a request, takes the first bytes and nothing more. */
const leftUnread = async ({ hostname, port, pathname }: URL, headers: Record<string, string>): Promise<void> => {
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${pathname} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  await once(socket, "data");
  socket.pause();
  await Bun.sleep(1000);
  socket.destroy();
};

const sectionOf = ({
  costs,
  keptMb,
  yardstickMs,
  reading,
}: {
  costs: readonly Cost[];
  keptMb: number;
  yardstickMs: number;
  reading: Reading;
}): Section => ({
  title: "What one request can cost others",
  figures: [
    ...[
      { what: `${CLIENTS} clients read a stored file of 95 MB`, value: reading.read },
      { what: `${CLIENTS} clients ask for it and read nothing`, value: reading.idle },
    ].map(({ what, value }) => ({
      what: `longest turn of the loop while ${what}`,
      value: ms(value),
      yardstick: `${ms(reading.bare)} (a bare server, the same from memory)`,
      ratio: value / reading.bare,
      aim: { text: `< ${MOST_MS} ms`, isMet: value < MOST_MS },
    })),
    ...costs
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, SHOWN)
      .map(({ what, cpuMs }) => ({
        what: `processor time of ${what}`,
        value: ms(cpuMs),
        yardstick: `${ms(yardstickMs)} (a bare server looks at each byte of 20 MB)`,
        ratio: cpuMs / yardstickMs,
        aim: { text: `< ${MOST_MS} ms`, isMet: cpuMs < MOST_MS },
      })),
    {
      what: "memory that is kept after them all",
      value: mb(keptMb),
      aim: { text: `< ${MOST_MB} MB`, isMet: keptMb < MOST_MB },
    },
  ],
  notes: [
    `the ${SHOWN} dearest of ${costs.length} hostile bodies; server and clients share the loop, so a turn has the work of both`,
  ],
});
