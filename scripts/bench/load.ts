// The load generator, a process of its own: reads one order from stdin, prints one line of JSON with the result, and
// ends.
import { openWire, postsOf, type Spread, spreadOf } from "./wire.ts";

/** `<n>` in the body becomes one of `variants` numbers. Requests before `warmUpMs` are not counted. */
export type LoadOrder = {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  variants: number;
  connections: number;
  warmUpMs: number;
  runMs: number;
};

/** `cores`: how many cores the generator itself kept busy. `last`: the last answer of each connection. */
export type LoadResult = Spread & {
  count: number;
  perSecond: number;
  statuses: Record<string, number>;
  cores: number;
  last: string[];
};

const run = async ({
  port,
  path,
  headers,
  body,
  variants,
  connections,
  warmUpMs,
  runMs,
}: LoadOrder): Promise<LoadResult> => {
  const requests = postsOf({ path, headers, body }, variants);
  const samples: number[] = [];
  const statuses: Record<string, number> = {};
  const countFrom = performance.now() + warmUpMs;
  const endAt = countFrom + runMs;
  let next = 0;
  const drive = async (): Promise<string> => {
    const wire = await openWire(port);
    let last = "";
    for (;;) {
      const startedAt = performance.now();
      const request = requests[next++ % requests.length];
      if (!request || startedAt >= endAt) break;
      const answer = await wire.send(request);
      if (startedAt < countFrom) continue;
      samples.push(performance.now() - startedAt);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      last = answer.body();
    }
    wire.close();
    return last;
  };
  const before = process.cpuUsage();
  const last = await Promise.all(Array.from({ length: connections }, drive));
  const { user, system } = process.cpuUsage(before);
  const countedMs = performance.now() - countFrom;
  return {
    ...spreadOf(samples),
    count: samples.length,
    perSecond: samples.length / (countedMs / 1000),
    statuses,
    cores: (user + system) / 1000 / (countedMs + warmUpMs),
    last,
  };
};

if (import.meta.main) {
  const order = JSON.parse(await Bun.stdin.text()) as LoadOrder;
  process.stdout.write(`${JSON.stringify(await run(order))}\n`);
}
