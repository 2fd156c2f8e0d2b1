import { type Chance, chanceOf } from "./chance.ts";
import { type Customers, createCustomers } from "./customers.ts";
import type { DiskFaults, Image } from "./disk.ts";
import { createGraph, type Graph } from "./graph.ts";
import { catchAll, createMachine, type Machine, use } from "./machine.ts";
import { createNetwork, type Network } from "./network.ts";
import { createServer, Dead, GRAPH_URL, type Server } from "./server.ts";

/** Everything there is in one run: the machine, the server on it, and all others. */
export type World = {
  seed: number;
  machine: Machine;
  server: Server;
  network: Network;
  graph: Graph;
  customers: Customers;
  faults: DiskFaults;
  /** What no server may do, as it was seen. */
  wrong: string[];
  chance(stream: string): Chance;
};

const GRAPH_HOST = new URL(GRAPH_URL).host;
const START_MS = Date.parse("2026-11-20T12:00:00Z");
const SYNC_MS = 4;

export const createWorld = (seed: number, { folder, image }: { folder: string; image: Image }): World => {
  const machine = createMachine(START_MS);
  use(machine);
  const root = chanceOf(seed);
  const wrong: string[] = [];
  catchAll((error) => {
    if (!(error instanceof Dead)) wrong.push(`nothing caught ${error instanceof Error ? error.stack : String(error)}`);
  });
  const customers = createCustomers(machine, root.stream("customers"));
  const graph = createGraph({ machine, chance: root.stream("graph"), server: () => server });
  const network = createNetwork(machine, root.stream("network"), ({ host }) =>
    host === GRAPH_HOST ? graph.remote : customers.remote,
  );
  const disk = root.stream("disk");
  const faults: DiskFaults = {
    isFull: false,
    failing: 0,
    failsSync: false,
    failed: 0,
    refused: 0,
    onFailedSync: () => {},
    syncMs: () => disk.float() * SYNC_MS,
  };
  const server = createServer({
    machine,
    chance: root.stream("server"),
    network,
    faults,
    folder,
    image,
    seed,
    onWrong: (what) => wrong.push(what),
  });
  return { seed, machine, server, network, graph, customers, faults, wrong, chance: root.stream };
};

/** Lets things happen until the promise is settled. Throws when nothing is left to happen. */
export const until = async <Result>({ machine }: Pick<World, "machine">, promise: Promise<Result>): Promise<Result> => {
  let isOver = false;
  const over = () => void (isOver = true);
  promise.then(over, over);
  await machine.quiet();
  await machine.stepsUntil(() => isOver);
  if (!isOver) throw new Error("nothing happens any more");
  return promise;
};
