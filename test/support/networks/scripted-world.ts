import { afterAll, beforeAll, beforeEach } from "bun:test";
import { type Customer, newCustomer } from "../customers/customer.ts";
import { until } from "../graph/fixture.ts";
import { startWorld, type World } from "../world.ts";
import { type Answer, graphError, type ScriptedGraph, scriptedGraph } from "./scripted-graph.ts";

export type ScriptedWorld = {
  w: World;
  /** A customer of the test's own; the requests to the upstream while the phone connected are removed. */
  c: Customer;
  upstream: ScriptedGraph;
  /**
   * Starts an act that asks the upstream, and returns when the upstream has the request and stays silent. The promise
   * is nested, so that nobody waits for it.
   */
  inSilence<Result>(start: () => Promise<Result>): Promise<{ answer: Promise<Result> }>;
};

/** A world whose upstream answers by a test's script and at the test's time: late, lost, or not at all. */
export const scriptedWorld = (): (() => ScriptedWorld) => {
  let scripted: ScriptedWorld | undefined;
  let running: { upstream: ScriptedGraph; w: World } | undefined;
  beforeAll(async () => {
    const upstream = await scriptedGraph();
    running = {
      upstream,
      w: await startWorld({ env: { RECADO_META_GRAPH_URL: upstream.url, RECADO_GATEWAY_RATE: "100000" } }),
    };
  });
  beforeEach(async () => {
    if (!running) return;
    const { upstream, w } = running;
    const c = await newCustomer(w);
    upstream.arrived.length = 0;
    const inSilence: ScriptedWorld["inSilence"] = async (start) => {
      const calls = upstream.arrived.length;
      upstream.script("silence");
      const answer = start();
      await until(() => upstream.arrived.length > calls);
      return { answer };
    };
    scripted = { w, c, upstream, inSilence };
  });
  afterAll(async () => {
    running?.upstream.release();
    await running?.w.stop();
    await running?.upstream.close();
  });
  return () => {
    if (!scripted) throw new Error("the world is made before the tests");
    return scripted;
  };
};

/** The answers that leave the outcome of a changing request unknown. */
export const LOST: [what: string, answer: Answer][] = [
  ["a connection that is cut", "cut"],
  ["a page of some proxy with 502", { status: 502, body: "<html>" }],
  ["a page of some proxy with 504", { status: 504, body: "<html>" }],
  ["a success that is no JSON", { status: 200, body: "<html>" }],
  ["a success that says nothing", { status: 200, body: {} }],
  ["the network's own trouble", { status: 500, body: graphError(131000, "Something went wrong") }],
  ["a service that is away", { status: 503, body: graphError(2, "Service temporarily unavailable") }],
  ["a rate limit", { status: 400, body: graphError(80007, "Rate limit issues") }],
];
