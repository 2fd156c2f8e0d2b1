import type { Random } from "../../../../src/kernel/random.ts";
import { newTraceId } from "../ids.ts";
import type { ClientResult } from "../messages/orders.ts";
import type { JournalEntry } from "./journal.ts";

/** The content of an answer. */
export type Answer = { status: number; body: string | Uint8Array; headers: Record<string, string> };

/**
 * The response of an outcome, noted in the request's entry: an answer, or one of the ways to leave a client without.
 */
export const respond = (result: ClientResult<Answer>, entry: JournalEntry): Response | Promise<Response> => {
  if (result.kind !== "answer") entry.broken = result.kind;
  if (result.kind === "answer" || result.kind === "page") entry.status = result.status;
  switch (result.kind) {
    case "answer":
      return new Response(result.body, { status: result.status, headers: result.headers });
    case "half":
    case "stall":
      return cutAnswer(result, result.kind === "stall");
    case "page":
      return new Response("<html><body><h1>Sorry, something went wrong.</h1></body></html>", {
        status: result.status,
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    case "reset":
      return cutAnswer({ status: 200, body: "", headers: {} }, false);
    case "hang":
      return new Promise(() => undefined);
  }
};

/** The headers of every answer of the API. `product`: the product of the limits. */
export const apiHeaders = (
  random: Random,
  { version, node }: { version: string; node: string },
  product: "whatsapp" | "instagram",
): Record<string, string> => {
  const trace = newTraceId(random);
  const usage = { call_count: 1, total_cputime: 1, total_time: 1 };
  return {
    "content-type": "application/json; charset=UTF-8",
    "facebook-api-version": version,
    "x-fb-request-id": trace,
    "x-fb-trace-id": trace,
    "x-fb-rev": "1030000000",
    "x-app-usage": JSON.stringify(usage),
    "x-business-use-case-usage": JSON.stringify({
      [node]: [{ type: product, ...usage, estimated_time_to_regain_access: 0 }],
    }),
  };
};

/**
 * An answer that stops after half of the body, or before the first byte when there is no body. The connection is reset
 * or stays open in silence.
 */
const cutAnswer = ({ status, body, headers }: Answer, isSilent: boolean): Response => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const half = bytes.subarray(0, bytes.length / 2);
  let isSent = half.length === 0;
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (!isSent) {
      isSent = true;
      return stream.enqueue(half);
    }
    if (isSilent) return new Promise<void>(() => undefined);
    // one turn of the event loop, so that the first half is on the wire before the reset
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        stream.error();
        resolve();
      });
    });
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status, headers });
};
