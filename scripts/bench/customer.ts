// The network's webhooks and the customer's endpoint in one process, so that one clock sees a message at both ends.
// Prints its endpoint, which answers after `?waitMs=`; `POST /run` takes one order and answers with its results.
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import { openWire, postBytes, type Spread, spreadOf, type Wire } from "./wire.ts";

/** The number that gets the messages, and the server's webhook for them. */
export type Upstream = {
  port: number;
  appSecret: string;
  phoneNumberId: string;
  businessAccountId: string;
  number: string;
};

/**
 * `single`: one at a time, each awaited. `rate`: so many per second, whether or not they are answered. `flood`: as fast
 * as the server answers, over so many connections. `expect`: reports nothing and awaits so many deliveries of run 0.
 */
export type Order = { drainMs: number } & (
  | { kind: "single"; upstream: Upstream; count: number }
  | { kind: "rate"; upstream: Upstream; perSecond: number; runMs: number }
  | { kind: "flood"; upstream: Upstream; connections: number; runMs: number }
  | { kind: "expect"; count: number }
);

/**
 * `lag`: from the moment when the report of a message was due until the customer had it. `backlog`: messages that had
 * not arrived when the last was reported.
 */
export type InboundRun = {
  received: number;
  arrived: number;
  repeats: number;
  lag: Spread;
  ack: Spread;
  backlog: number;
  reportedMs: number;
  arrivedMs: number;
  cores: number;
};

const CONTACTS = 1000;
const WIRES = 256;

/** The text that identifies a message at the other end. */
export const textOf = (run: number, n: number): string => `message ${run}/${n} of the benchmark`;
const TEXT = /message (\d+)\/(\d+) of the benchmark/;

const envelopeOf = ({ phoneNumberId, businessAccountId, number }: Upstream, run: number, n: number): string => {
  const waId = `55119900${String(n % CONTACTS).padStart(5, "0")}`;
  const message = {
    from: waId,
    id: `wamid.bench${run}x${n}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: "text",
    text: { body: textOf(run, n) },
  };
  const metadata = { display_phone_number: number, phone_number_id: phoneNumberId };
  const value = {
    messaging_product: "whatsapp",
    metadata,
    contacts: [{ profile: { name: "A Customer" }, wa_id: waId }],
    messages: [message],
  };
  return JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: businessAccountId, changes: [{ value, field: "messages" }] }],
  });
};

const createRun = (id: number) => {
  const dueAt: number[] = [];
  const lags: number[] = [];
  const acks: number[] = [];
  const seen = new Set<number>();
  const run = { id, repeats: 0, received: 0, firstAt: Number.NaN, lastAt: Number.NaN, arrived: () => {} };
  return {
    get arrived() {
      return seen.size;
    },
    arrive(n: number) {
      const now = performance.now();
      if (seen.has(n)) return void run.repeats++;
      seen.add(n);
      run.firstAt = seen.size === 1 ? now : run.firstAt;
      run.lastAt = now;
      lags.push(now - (dueAt[n] ?? Number.NaN));
      run.arrived();
    },
    /** Resolves when `count` messages have arrived, or when the time is over. */
    until: (count: number, limitMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        run.arrived = () => {
          if (seen.size < count) return;
          clearTimeout(timer);
          resolve();
        };
        run.arrived();
      }),
    /** Reports one message and waits for the server's 200. */
    async notify(wire: Wire, upstream: Upstream, due: number): Promise<void> {
      const n = run.received++;
      dueAt[n] = due;
      const body = envelopeOf(upstream, id, n);
      const sentAt = performance.now();
      const { status, body: text } = await wire.send(
        postBytes(
          "/gateway/v1/upstream-webhook",
          { "x-hub-signature-256": `sha256=${hmacSha256(upstream.appSecret, body, "hex")}` },
          body,
        ),
      );
      if (status !== 200) throw new Error(`a webhook was answered with ${status}: ${text()}`);
      acks.push(performance.now() - sentAt);
    },
    result: (backlog: number, reportedMs: number, cores: number): InboundRun => ({
      received: run.received,
      arrived: seen.size,
      repeats: run.repeats,
      lag: spreadOf(lags),
      ack: spreadOf(acks),
      backlog,
      reportedMs,
      arrivedMs: run.lastAt - run.firstAt,
      cores,
    }),
  };
};
type Run = ReturnType<typeof createRun>;

const openWires = (port: number, count: number): Promise<Wire[]> =>
  Promise.all(Array.from({ length: count }, () => openWire(port)));

const single = async (run: Run, { upstream, count }: Extract<Order, { kind: "single" }>): Promise<void> => {
  const wire = await openWire(upstream.port);
  for (let n = 0; n < count; n++) {
    await run.notify(wire, upstream, performance.now());
    await run.until(n + 1, 5000);
  }
  wire.close();
};

const flood = async (run: Run, { upstream, connections, runMs }: Extract<Order, { kind: "flood" }>): Promise<void> => {
  const wires = await openWires(upstream.port, connections);
  const endAt = performance.now() + runMs;
  const drive = async (wire: Wire) => {
    while (performance.now() < endAt) await run.notify(wire, upstream, performance.now());
    wire.close();
  };
  await Promise.all(wires.map(drive));
};

/** An open model: a due message is reported as soon as a connection is free. Its lag counts from its due time. */
const rate = async (run: Run, { upstream, perSecond, runMs }: Extract<Order, { kind: "rate" }>): Promise<void> => {
  const free = await openWires(upstream.port, WIRES); // used in turn, because a server closes idle connections
  const all = [...free];
  const startedAt = performance.now();
  const total = Math.floor((perSecond * runMs) / 1000);
  const reports: Promise<void>[] = [];
  let next = 0;
  const notify = async (wire: Wire, n: number) => {
    await run.notify(wire, upstream, startedAt + (n * 1000) / perSecond);
    free.push(wire);
  };
  while (next < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1); // the first at once
    for (let wire = next < due ? free.shift() : undefined; wire; wire = next < due ? free.shift() : undefined)
      reports.push(notify(wire, next++));
    await Bun.sleep(1);
  }
  await Promise.all(reports);
  for (const wire of all) wire.close();
};

const perform = async (run: Run, order: Order): Promise<void> => {
  switch (order.kind) {
    case "single":
      return single(run, order);
    case "flood":
      return flood(run, order);
    case "rate":
      return rate(run, order);
    case "expect":
      return run.until(order.count, order.drainMs);
  }
};

let runs = 0;
let current = createRun(runs);

const runOrder = async (order: Order): Promise<InboundRun> => {
  const run = order.kind === "expect" ? createRun(0) : createRun(++runs);
  current = run;
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await perform(run, order);
  const reportedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  const received = order.kind === "expect" ? order.count : run.result(0, 0, 0).received;
  const backlog = received - run.arrived;
  await run.until(received, order.drainMs);
  return run.result(backlog, reportedMs, (user + system) / 1000 / reportedMs);
};

if (import.meta.main) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text();
      if (request.url.endsWith("/run")) return Response.json(await runOrder(JSON.parse(body) as Order));
      const waitMs = Number(new URL(request.url).searchParams.get("waitMs"));
      if (waitMs > 0) await Bun.sleep(waitMs);
      const [, , n] = TEXT.exec(body) ?? [];
      if (n !== undefined) current.arrive(Number(n));
      return new Response("ok");
    },
  });
  process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
}
