import type { OutboundHttp } from "../../../src/adapters/http/http.ts";
import type { HttpRequest, HttpResult } from "../../../src/contract/ports/http.ts";
import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";

/** What a remote server answers to a request that reached it. Undefined: nothing, however long one waits. */
export type Reply = { status: number; body: string; headers?: Record<string, string>; tookMs: number } | undefined;
export type Remote = (request: HttpRequest & { text: string }) => Reply;

/** How the way to remote servers is now. Each is a probability per request. */
export type Way = {
  /** No connection comes about. */
  isCut: number;
  /** The request is lost. */
  losesRequest: number;
  /** The answer is lost. */
  losesAnswer: number;
  /** The longest time each way, in ms. */
  slowestMs: number;
};

export const CLEAR_WAY: Way = { isCut: 0, losesRequest: 0, losesAnswer: 0, slowestMs: 20 };

/** Everything between the server and others. */
export type Network = {
  way: Way;
  /** The client of one process. `isLast`: whether the process dies at this operation. */
  clientOf(isLast: (what: string) => boolean): OutboundHttp;
  /** The process that waited for answers is dead. */
  forget(): void;
  /** Requests without an answer yet. */
  readonly inFlight: number;
};

const TIMEOUT_MS = 15_000;
const silent = (failure: "timeout" | "connect", mayHaveArrived: boolean, durationMs: number): HttpResult => ({
  ok: false,
  failure,
  message: failure,
  mayHaveArrived,
  durationMs,
});

/** `remoteOf`: who answers at a URL. */
export const createNetwork = (
  machine: Machine,
  chance: Chance,
  remoteOf: (url: URL) => Remote | undefined,
): Network => {
  let generation = 0;
  let inFlight = 0;
  const network: Network = {
    way: CLEAR_WAY,
    clientOf: (isLast) => clientOver((request) => send(request, isLast)),
    forget() {
      generation++;
      inFlight = 0;
    },
    get inFlight() {
      return inFlight;
    },
  };
  const travel = () => 1 + chance.below(network.way.slowestMs);

  const send = (request: HttpRequest, isLast: (what: string) => boolean): Promise<HttpResult> =>
    new Promise((resolve) => {
      const mine = generation;
      const url = new URL(request.url);
      const name = `${request.method} ${url.host}${url.pathname}`;
      if (isLast(`call ${name}`)) return;
      const begunAt = machine.now;
      let isOver = false;
      inFlight++;
      const end = (result: HttpResult) => {
        if (isOver || mine !== generation) return;
        isOver = true;
        inFlight--;
        if (!isLast(`answer ${name}`)) resolve(result);
      };
      const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
      const { isCut, losesRequest, losesAnswer } = network.way;
      if (chance.isHit(isCut)) return machine.after(travel(), "no way", () => end(silent("connect", false, 1)));
      machine.after(timeoutMs, `timeout ${name}`, () => end(silent("timeout", true, timeoutMs)));
      const remote = remoteOf(url);
      if (!remote || chance.isHit(losesRequest)) return;
      machine.after(travel(), `→ ${name}`, () => {
        const reply = remote({ ...request, text: typeof request.body === "string" ? request.body : "" });
        if (!reply || chance.isHit(losesAnswer)) return;
        machine.after(reply.tookMs + travel(), `← ${name} ${reply.status}`, () =>
          end({
            ok: true,
            status: reply.status,
            headers: { "content-type": "application/json", ...reply.headers },
            body: new TextEncoder().encode(reply.body),
            isCut: false,
            durationMs: machine.now - begunAt,
          }),
        );
      });
    });
  return network;
};

const unused = (): never => {
  throw new Error("the simulation has no streams");
};

const clientOver = (send: (request: HttpRequest) => Promise<HttpResult>): OutboundHttp => ({
  guarded: send,
  trusted: send,
  guardedStream: unused,
  trustedStream: unused,
  isUrlAllowed: () => true,
  isPrivateUrl: () => false,
  refusalOf: async () => undefined,
  checkedAddresses: async () => ["93.184.216.34"],
  close: () => {},
});
