import { deliveryFaults } from "../apis/event-bodies.ts";

/** A received delivery. */
export type Arrived = { path: string; headers: Record<string, string>; raw: string; body: any };
type Reply = (arrived: Arrived, index: number) => Response | Promise<Response>;

/**
 * A customer's webhook endpoint on 127.0.0.1: keeps deliveries, and gives the answer that the test sets (200 at first).
 * A delivery that differs from the description fails the running test.
 */
export type Receiver = {
  url: string;
  arrived: Arrived[];
  /** Sets its answer from now on. */
  reply(reply: Reply): void;
  /** Resolves when `count` deliveries have arrived. */
  received(count: number): Promise<Arrived[]>;
  stop(): Promise<void>;
};

/** Rejects without a handler, because the receiver must answer the delivery in any case. */
const requireDescribed = ({ headers, body }: Arrived): void => {
  const faults = body === undefined ? [] : deliveryFaults(headers, body);
  if (faults.length > 0)
    void Promise.reject(new Error(`not as described: ${faults.join("; ")}\n${JSON.stringify(body)}`));
};

export const startReceiver = (): Receiver => {
  const arrived: Arrived[] = [];
  let reply: Reply = () => new Response("ok");
  let waiting: { count: number; resolve(): void }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const raw = await request.text();
      const one: Arrived = {
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        raw,
        body: raw.startsWith("{") ? JSON.parse(raw) : undefined,
      };
      arrived.push(one);
      requireDescribed(one);
      const ready = waiting.filter(({ count }) => arrived.length >= count);
      waiting = waiting.filter(({ count }) => arrived.length < count);
      for (const { resolve } of ready) resolve();
      return reply(one, arrived.length - 1);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    arrived,
    reply: (next) => void (reply = next),
    async received(count) {
      if (arrived.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return arrived;
    },
    stop: () => server.stop(true),
  };
};
