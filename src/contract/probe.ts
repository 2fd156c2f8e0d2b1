import type { Http, HttpAnswer, HttpResult } from "./ports/http.ts";

/** The result of a probe. A `fault` does not work, or soon will not. `remedy` says what to do, in one sentence. */
export type ProbeFinding = { outcome: "ok" | "warning" | "fault"; found: string; remedy?: string };

/** An address of a network that `recado doctor` checks. */
export type Probe = {
  /** The name of the check, in lower case: `recado doctor --only <name>`. Unique among probes. */
  name: string;
  /** The base URL, without secrets, because it is shown. */
  url: string;
  /**
   * True if the operator configured something that needs it. It is then checked even without a channel of this kind.
   */
  isAlwaysAsked?: boolean;
  /** False if channels alone do not need it. Default true. */
  isAskedForChannels?: boolean;
  /** The request, which changes nothing at the network. Ends within 4 s and never throws. Default: GET of `url`. */
  ask?(http: Http): Promise<HttpResult>;
  /**
   * What an answer means; undefined if any answer is good. The doctor itself judges a missing answer and HTTP 5xx.
   */
  judge?(answer: HttpAnswer): ProbeFinding | undefined;
};
