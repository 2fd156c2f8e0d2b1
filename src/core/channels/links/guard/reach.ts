import type { Http, HttpNoAnswer } from "../../../../contract/ports/http.ts";
import type { NoteFault } from "./faults.ts";

const NOWHERE: HttpNoAnswer = { ok: false, failure: "blocked", message: "", mayHaveArrived: false, durationMs: 0 };

/** Whether one of the declared hosts is this one: itself, below `*.host`, or any for `*`. */
const isWithin = (hosts: readonly string[], host: string): boolean =>
  hosts.some((one) => one === "*" || one === host || (one.startsWith("*.") && host.endsWith(one.slice(1))));

/** The same client, which asks only hosts that the adapter declares or its settings name. */
export const limitedTo = (hosts: readonly string[], http: Http, note: NoteFault): Http => {
  const limited =
    <Request extends { url: string }, Answer>(send: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer | HttpNoAnswer> => {
      const host = hostOf(request.url);
      if (host === undefined || isWithin(hosts, host)) return send(request); // the client refuses what is no URL
      note("strayed", "host.http", `${host} is not in hosts`);
      return { ...NOWHERE, message: `the adapter does not declare the host ${host}` };
    };
  return {
    guarded: limited(http.guarded),
    trusted: limited(http.trusted),
    guardedStream: limited(http.guardedStream),
    trustedStream: limited(http.trustedStream),
  };
};

const hostOf = (url: unknown): string | undefined =>
  typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : undefined;
