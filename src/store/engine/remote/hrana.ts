import type { Agent, IncomingMessage } from "node:http";
import { reasonOf } from "../../../kernel/errors.ts";
import type { Bound } from "../connection.ts";

// The protocol of libSQL servers over HTTP ("Hrana", version 3):
// https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md. A stream is one connection of the server,
// addressed by the baton of its last answer.

/** Whether the server runs a step of a batch. `step` counts from the beginning of the batch. */
export type Condition =
  | { type: "ok"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and"; conds: readonly Condition[] }
  | { type: "is_autocommit" };

export type Step = { sql: string; params: readonly Bound[]; condition?: Condition; wantsRows: boolean };

/** Rows are arrays in the order of `columns`. `skipped`: its condition was false. */
export type StepResult =
  | { is: "done"; columns: string[]; rows: unknown[][] }
  | { is: "failed"; error: Error }
  | { is: "skipped" };

export type Done = Extract<StepResult, { is: "done" }>;

/** Rows as objects. */
export const objectsOf = ({ columns, rows }: Done): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));

export type Stream = {
  /**
   * Runs the steps one after the other, in one request. `isLast` also closes the stream.
   *
   * @throws ServerLost without a clear answer: the steps may have been done, and the stream is gone.
   * @throws the server's error when it refuses the whole batch, for an invalid statement or too large an answer
   */
  batch(steps: readonly Step[], options?: { isLast?: boolean }): Promise<StepResult[]>;
  /**
   * Closes the server's connection and releases its locks. Never rejects: the server closes an unreachable stream by
   * itself after some seconds.
   */
  close(): Promise<void>;
};

export type Hrana = {
  /** Sends nothing before its first batch. */
  open(): Stream;
  /** Closes the idle connections. */
  close(): void;
};

/**
 * The server's own settings on which our promises rest, as a new connection finds them. `isDurable`: it writes to its
 * disk before it acknowledges. `hasReferences`: it refuses rows that refer to missing rows.
 */
export type ServerSettings = { isDurable: boolean; hasReferences: boolean };

export type ServerAddress = { url: string; token?: string | undefined };

/** The server was unreachable, did not answer in time, or no longer knows the stream. */
export class ServerLost extends Error {
  readonly hasTimedOut: boolean;
  /** False when no server accepted the request. */
  readonly mayBeDone: boolean;
  constructor(message: string, { cause, hasTimedOut = false }: { cause?: unknown; hasTimedOut?: boolean } = {}) {
    super(message, { cause });
    this.hasTimedOut = hasTimedOut;
    this.mayBeDone =
      !(cause instanceof Unauthorized) &&
      !NOBODY_THERE.includes(String((cause as { code?: unknown } | undefined)?.code));
  }
}

/** The server does not accept the token, and has done nothing. */
export class TokenRefused extends ServerLost {}
class Unauthorized extends Error {}

/** The meaning of a request's end without an answer. */
const lossOf = (cause: unknown, { token, hasTimedOut }: { token: string | undefined; hasTimedOut: boolean }) => {
  if (!(cause instanceof Unauthorized))
    return new ServerLost(`no answer of the database server: ${reasonOf(cause)}`, { cause, hasTimedOut });
  const refused = token === undefined ? "requests without a token" : "the token";
  return new TokenRefused(`the database server refuses ${refused}: ${cause.message}`, { cause });
};

const NOBODY_THERE = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"];

/** Longer than the server lets a transaction block others. */
const REQUEST_MS = 8000;
const MAX_SOCKETS = 64;

/** https://www.sqlite.org/pragma.html#pragma_synchronous: from FULL (2) on each commit is synced. */
const FULL = 2;
const SETTINGS = {
  type: "execute",
  stmt: {
    sql: `SELECT (SELECT synchronous FROM pragma_synchronous) >= ${FULL}, (SELECT foreign_keys FROM pragma_foreign_keys)`,
    args: [],
    want_rows: true,
  },
};

/** Undefined if a server does not report them. */
const settingsIn = (result: PipelineResult | undefined): ServerSettings | undefined => {
  if (result?.type !== "ok" || !("rows" in result.response.result)) return undefined;
  const [isDurable, hasReferences] = result.response.result.rows[0]?.map((value) => decoded(value)) ?? [];
  return { isDurable: isDurable === 1, hasReferences: hasReferences === 1 };
};

/** Loaded with the first server: a file needs none of it. */
const clientFor = (isTls: boolean) =>
  isTls ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");

type PostParts = { token: string | undefined; requestMs: number; isTls: boolean; agent: Agent };

/** Posts a pipeline, and rejects with ServerLost without a clear answer. */
const createPost = ({ token, requestMs, isTls, agent }: PostParts) => {
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return (to: string, body: string): Promise<Pipelined> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(requestMs);
      const fail = (cause: unknown) => reject(lossOf(cause, { token, hasTimedOut: signal.aborted }));
      const options = {
        method: "POST",
        agent,
        signal,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      };
      const request = clientFor(isTls).request(
        `${to}/v3/pipeline`,
        options,
        (response) => void readAnswer(response).then(resolve, fail),
      );
      request.on("error", fail);
      request.end(body);
    });
};

type HranaOptions = { requestMs?: number; onSettings?(settings: ServerSettings): void };

/**
 * `requestMs`: how long to wait for an answer. `onSettings` gets the server's settings with the first answer of each
 * stream, in the same request: a server may lose them at each of its starts.
 */
export const createHrana = (
  { url, token }: ServerAddress,
  { requestMs = REQUEST_MS, onSettings }: HranaOptions = {},
): Hrana => {
  const base = url.replace(/^libsql:/, "https:").replace(/\/$/, "");
  const isTls = base.startsWith("https:");
  const agent = new (clientFor(isTls).Agent)({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const post = createPost({ token, requestMs, isTls, agent });

  const open = (): Stream => {
    let baton: string | null = null;
    let to = base;
    let isOpen = true;
    let mayAsk = onSettings !== undefined;
    const pipeline = async (requests: readonly object[]): Promise<PipelineResult[]> => {
      const isClosing = requests.at(-1) === CLOSE;
      try {
        const answer = await post(to, JSON.stringify({ baton, requests }));
        baton = answer.baton;
        to = answer.base_url?.replace(/\/$/, "") ?? to;
        isOpen = !isClosing && baton !== null;
        return answer.results;
      } catch (error) {
        isOpen = false;
        throw error;
      }
    };
    return {
      async batch(steps, { isLast = false } = {}) {
        if (!isOpen) throw new ServerLost("the stream to the database server is closed");
        const isAsking = mayAsk;
        mayAsk = false;
        const [first, second] = await pipeline([
          { type: "batch", batch: { steps: steps.map(encodedStep) } },
          ...(isAsking ? [SETTINGS] : []),
          ...(isLast ? [CLOSE] : []),
        ]);
        const settings = isAsking ? settingsIn(second) : undefined;
        if (settings) onSettings?.(settings);
        if (first?.type !== "ok")
          throw errorOf(first?.error ?? { message: "the database server answered without a result" });
        if (!("step_results" in first.response.result))
          throw new Error("the database server answered without the results of the steps");
        return resultsOf(steps, first.response.result);
      },
      async close() {
        if (!isOpen || baton === null) return;
        isOpen = false;
        await pipeline([CLOSE]).catch(() => {});
      },
    };
  };
  return { open, close: () => agent.destroy() };
};

type Value =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string }
  | { type: "blob"; base64: string };
type Failure = { message: string; code?: string };
type Rows = { cols: { name: string | null }[]; rows: Value[][] };
type BatchResult = { step_results: (Rows | null)[]; step_errors: (Failure | null)[] };
type PipelineResult = { type: "ok"; response: { result: BatchResult | Rows } } | { type: "error"; error: Failure };
type Pipelined = { baton: string | null; base_url: string | null; results: PipelineResult[] };

const CLOSE = { type: "close" };

/**
 * Reads the answer of a pipeline.
 *
 * @throws Error for an invalid answer, with the server's text
 */
const readAnswer = async (response: IncomingMessage): Promise<Pipelined> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (response.statusCode === 401) throw new Unauthorized(text.slice(0, 200));
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Pipelined;
};

const encodedStep = ({ sql, params, condition, wantsRows }: Step): object => ({
  stmt: { sql, args: params.map(encoded), want_rows: wantsRows },
  ...(condition && { condition }),
});

const encoded = (value: Bound): Value => {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  return { type: "blob", base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
};

const decoded = (value: Value): unknown => {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return Number(value.value);
    case "blob":
      return Buffer.from(value.base64, "base64");
    default:
      return value.value;
  }
};

const errorOf = ({ message, code }: Failure): Error => Object.assign(new Error(message), { code });

const resultsOf = (steps: readonly Step[], { step_results: results, step_errors: errors }: BatchResult): StepResult[] =>
  steps.map((_, index): StepResult => {
    const [result, error] = [results[index], errors[index]];
    if (error) return { is: "failed", error: errorOf(error) };
    return result
      ? {
          is: "done",
          columns: result.cols.map(({ name }) => name ?? ""),
          rows: result.rows.map((row) => row.map(decoded)),
        }
      : { is: "skipped" };
  });
