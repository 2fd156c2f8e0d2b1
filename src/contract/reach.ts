import type { Following, Http, HttpNoAnswer } from "./ports/http.ts";
import type { ProxyRoute } from "./ports/proxy.ts";
import type { Probe } from "./probe.ts";

const NOWHERE: HttpNoAnswer = { ok: false, failure: "blocked", message: "", mayHaveArrived: false, durationMs: 0 };

/** Whether one of the declared hosts is this one: itself, below `*.host`, or any for `*`. */
const isWithin = (hosts: readonly string[], host: string): boolean =>
  hosts.some((one) => one === "*" || one === host || (one.startsWith("*.") && host.endsWith(one.slice(1))));

/**
 * The hosts that one adapter may ask: those that it declares, and those that its settings name. `onStray` hears of each
 * request to another host. `what`: the function of the contract.
 */
export type Reach = { hosts: readonly string[]; onStray(what: string, host: string): void };

const UNDECLARED = "the adapter does not declare the host ";
const refusalOf = (host: string): string => `${UNDECLARED}${host}`;

/** Whether a request was refused because its adapter does not declare the host. */
export const isUndeclared = ({ failure, message }: Pick<HttpNoAnswer, "failure" | "message">): boolean =>
  failure === "blocked" && message.startsWith(UNDECLARED);

/** One request of a client, which goes only to a host within reach. */
const limited =
  <Request extends { url: string }, Answer>(
    { hosts, onStray }: Reach,
    what: string,
    send: (request: Request) => Promise<Answer>,
  ) =>
  async (request: Request): Promise<Answer | HttpNoAnswer> => {
    const host = hostOf(request.url);
    if (host === undefined || isWithin(hosts, host)) return send(request); // the client refuses what is no URL
    onStray(what, host);
    return { ...NOWHERE, message: refusalOf(host) };
  };

/** The same for a request that may follow redirects: each leads only to a host within reach. */
const limitedFollowing =
  <Request extends { url: string } & Following, Answer>(
    reach: Reach,
    what: string,
    send: (request: Request) => Promise<Answer>,
  ) =>
  (request: Request): Promise<Answer | HttpNoAnswer> => {
    const refusal = (url: string): string | undefined => {
      const host = hostOf(url);
      if (host === undefined || isWithin(reach.hosts, host)) return request.refusalOf?.(url);
      reach.onStray(what, host);
      return refusalOf(host);
    };
    return limited(reach, what, send)(request.maxRedirects ? { ...request, refusalOf: refusal } : request);
  };

/** The same client, which asks only hosts within reach. */
export const limitedTo = (reach: Reach, http: Http): Http => ({
  guarded: limitedFollowing(reach, "host.http", http.guarded),
  trusted: limited(reach, "host.http", http.trusted),
  guardedStream: limitedFollowing(reach, "host.http", http.guardedStream),
  trustedStream: limited(reach, "host.http", http.trustedStream),
});

/** The same way through a proxy, which leads only to hosts within reach. */
export const limitedRoute =
  (reach: Reach, openProxy: (url: string) => ProxyRoute) =>
  (url: string): ProxyRoute => {
    const route = openProxy(url);
    const agents = new Map<object, object>();
    return {
      agentFor(target) {
        const agent = route.agentFor(target);
        const known = agents.get(agent) ?? limitedAgent(reach, agent);
        agents.set(agent, known);
        return known;
      },
      stream: limited(reach, "host.openProxy", route.stream),
      get fault() {
        return route.fault;
      },
    };
  };

type Dial = (options: { host?: unknown }, done?: (error: Error) => void) => unknown;

/** An agent connects through `createConnection` alone, wherever the library that has it wants to go. */
const limitedAgent = ({ hosts, onStray }: Reach, agent: object): object => {
  const dial: Dial = (options, done) => {
    const name = String(options.host).toLowerCase();
    const host = hostOf(`http://[${name}]`) ?? name; // of an IPv6 address, as a URL has it
    if (isWithin(hosts, host)) return (agent as { createConnection: Dial }).createConnection(options, done);
    onStray("host.openProxy", host);
    done?.(new Error(refusalOf(host)));
    return undefined;
  };
  return Object.create(agent, { createConnection: { value: dial } }) as object;
};

/** The same probe, whose own request goes only to these hosts. The doctor says where it wanted to go. */
export const limitedProbe = (hosts: readonly string[], probe: Probe): Probe => {
  const { ask } = probe;
  return ask ? { ...probe, ask: (http) => ask(limitedTo({ hosts, onStray() {} }, http)) } : probe;
};

/** Whether the host of a URL is one of the declared ones. */
export const isReached = (hosts: readonly string[], url: string): boolean => isWithin(hosts, hostOf(url) ?? "");

const hostOf = (url: unknown): string | undefined =>
  typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : undefined;
