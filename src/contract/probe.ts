import type { Http, HttpAnswer, HttpResult } from "./http.ts";

/** What a probe found. A `fault` does not work, or soon will not; `remedy` is what to do about it, in one sentence. */
export type ProbeFinding = { outcome: "ok" | "warning" | "fault"; found: string; remedy?: string };

/** An address of a network that `recado doctor` asks. */
export type Probe = {
  /** The name of the check, in lower case: `recado doctor --only <name>`. No two probes have the same. */
  name: string;
  /** The base URL, without secrets: it is shown. */
  url: string;
  /**
   * True where the operator has set something up that needs it: it is asked even while there is no channel of this
   * kind.
   */
  isAlwaysAsked?: boolean;
  /** False where channels alone do not need it. Default true. */
  isAskedForChannels?: boolean;
  /** The question, which changes nothing at the network. Ends within 4 s and never throws. Default: GET of `url`. */
  ask?(http: Http): Promise<HttpResult>;
  /** What an answer means; undefined where any answer is good. No answer, and HTTP 5xx, are judged by the doctor. */
  judge?(answer: HttpAnswer): ProbeFinding | undefined;
};
