import { openWire, type Spread, spreadOf, type Wire } from "./wire.ts";

const CONNECTIONS = 64;
const TICK_MS = 1;

/** Requests that go out at their times, even if earlier ones have no answer yet. */
export type Stream = { port: number; requests: readonly Uint8Array[]; perSecond: number };

/** `took`: the time to each answer, from the due time of its request. `last`: the last answer. */
export type Taken<Result> = { result: Result; took: Spread; count: number; last: string };

/** Sends the requests in turn at a steady rate until `work` has ended. Each must be answered with 202. */
export const requestsDuring = async <Result>(
  { port, requests, perSecond }: Stream,
  work: () => Promise<Result>,
): Promise<Taken<Result>> => {
  const wires = await Promise.all(Array.from({ length: CONNECTIONS }, () => openWire(port)));
  const idle = [...wires];
  const waiting: ((wire: Wire) => void)[] = [];
  const samples: number[] = [];
  const under = new Set<Promise<void>>();
  const faults: unknown[] = [];
  let last = "";
  const ask = async (request: Uint8Array, dueAt: number): Promise<void> => {
    const wire = idle.shift() ?? (await new Promise<Wire>((free) => void waiting.push(free)));
    try {
      const { status, body } = await wire.send(request);
      if (status !== 202) throw new Error(`a message was answered with ${status}`);
      samples.push(performance.now() - dueAt);
      last = body();
    } catch (error) {
      faults.push(error);
    }
    const next = waiting.shift();
    if (next) next(wire);
    else idle.push(wire);
  };
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1; // the first at once
    for (; sent < due; sent++) {
      const request = requests[sent % requests.length];
      if (!request) throw new Error("no requests were given");
      const asked = ask(request, startedAt + (sent / perSecond) * 1000).finally(() => under.delete(asked));
      under.add(asked);
    }
  }, TICK_MS);
  try {
    const result = await work();
    clearInterval(timer);
    await Promise.all(under);
    if (faults.length > 0) throw faults[0];
    return { result, took: spreadOf(samples), count: samples.length, last };
  } finally {
    clearInterval(timer);
    for (const wire of wires) wire.close();
  }
};
