import type { ClientRequest, IncomingMessage } from "node:http";
import type { HttpBody, HttpFailure, HttpNoAnswer, HttpOpenAnswer, HttpStreamBody } from "../../contract/ports/http.ts";
import { createWatchdog, type Watchdog } from "../../kernel/async.ts";
import { ofLength } from "../files/measured.ts";
import { createFramingLimit } from "./answer-reader.ts";

/** How long the parts of one request may take, in ms. `idleMs`: without any byte. */
export type TimeLimits = { connectMs: number; totalMs: number; idleMs: number };

/** The head of an answer with a stream of its body, or why there is no answer. */
export type Transferred = HttpOpenAnswer | Omit<HttpNoAnswer, "durationMs">;

type Outgoing = {
  request: ClientRequest;
  body: HttpBody | undefined;
  isTls: boolean;
  signal: AbortSignal | undefined;
  /** The agent hands over sockets that are connected. */
  isTunnelled?: boolean;
};

const TOO_MANY_PIECES = "the answer came in too many pieces";
export const TOO_LATE = "no complete answer in time";
export const CALLED_OFF = "the request was called off";

/** The message of a thrown value; for several errors, all messages. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
};

/** The kind of an error that was thrown while a body was read. */
export const failureOf = (error: unknown): HttpFailure =>
  error instanceof Error && error.cause === "timeout" ? "timeout" : "aborted";

export const isStreamBody = (body: HttpBody | undefined): body is HttpStreamBody =>
  typeof body === "object" && "stream" in body;

const overdue = (message: string): Error => new Error(message, { cause: "timeout" });

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

/** Resolves when more can be written, or the request is closed. */
const drained = (request: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      request.off("drain", done).off("close", done);
      resolve();
    };
    request.on("drain", done).on("close", done);
  });

/**
 * Sends a stream with back-pressure. The idle time runs only while the other side does not accept bytes. Throws when
 * the stream has another length than announced.
 */
const pump = async (request: ClientRequest, { stream, sizeBytes }: HttpStreamBody, idle: Watchdog): Promise<void> => {
  idle.stop();
  for await (const chunk of ofLength(stream, sizeBytes)) {
    if (request.destroyed) return;
    idle.restart();
    if (!request.write(chunk)) await drained(request);
    idle.stop();
  }
  idle.restart();
  request.end();
};

/**
 * The body of an answer. The idle time runs only while we wait for the other side. Throws for a body in so many pieces
 * that they cost more than the body: every piece is passed on separately.
 */
async function* bodyOf(incoming: IncomingMessage, request: ClientRequest, idleMs: number): AsyncGenerator<Uint8Array> {
  const idle = createWatchdog(idleMs, () => incoming.destroy(overdue(`nothing came for ${idleMs} ms`)));
  const pieces = createFramingLimit(Number.POSITIVE_INFINITY);
  try {
    idle.restart();
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      idle.stop();
      pieces.add(chunk.length);
      if (pieces.isExceeded()) throw new Error(TOO_MANY_PIECES, { cause: "pieces" });
      yield chunk;
      idle.restart();
    }
  } catch (error) {
    incoming.destroy();
    throw failureOf(error) === "timeout" || (error instanceof Error && error.cause === "pieces")
      ? error
      : new Error("the connection ended before the answer did", { cause: "aborted" });
  } finally {
    idle.stop();
    // after an early answer the rest of the request is unsent: the connection cannot be reused
    if (!request.writableFinished) request.destroy();
  }
}

/**
 * Sends a request; resolves with the head of its answer. Before stage `sent` no byte of the request has left this
 * machine. Never rejects.
 */
export const transfer = (
  { request, body, isTls, signal, isTunnelled = false }: Outgoing,
  limits: TimeLimits,
): Promise<Transferred> =>
  new Promise((resolve) => {
    let stage: "connect" | "tls" | "sent" = "connect";
    let answer: IncomingMessage | undefined;
    const stopTimers = () => {
      clearTimeout(total);
      clearTimeout(connecting);
      idle.stop();
      signal?.removeEventListener("abort", callOff);
    };
    const fail = (failure: HttpFailure, message: string) => {
      if (answer) return;
      stopTimers();
      resolve({ ok: false, failure, message, mayHaveArrived: stage === "sent" });
      request.destroy();
    };
    const broken = (error: unknown) => fail(stage === "sent" ? "aborted" : stage, messageOf(error));
    const callOff = () => (answer ? answer.destroy(new Error(CALLED_OFF)) : fail("aborted", CALLED_OFF));
    const connected = () => {
      stage = "sent";
      clearTimeout(connecting);
    };

    const total = setTimeout(
      () => (answer ? answer.destroy(overdue(TOO_LATE)) : fail("timeout", TOO_LATE)),
      limits.totalMs,
    );
    const connecting = setTimeout(() => broken("no connection in time"), limits.connectMs);
    const idle = createWatchdog(limits.idleMs, () => fail("timeout", `nothing moved for ${limits.idleMs} ms`));
    request.on("socket", (socket) => {
      if (request.reusedSocket || isTunnelled) return connected();
      socket.once("connect", isTls ? () => void (stage = "tls") : connected);
      if (isTls) socket.once("secureConnect", connected);
    });
    request.on("error", broken);
    request.on("close", () => broken("the connection ended before the answer did"));
    request.on("response", (incoming) => {
      answer = incoming;
      idle.stop();
      incoming.on("close", stopTimers);
      incoming.on("error", () => undefined); // the reader of the body gets the error; there may be none yet
      resolve({
        ok: true,
        status: incoming.statusCode ?? 0,
        headers: headersOf(incoming),
        body: bodyOf(incoming, request, limits.idleMs),
      });
    });
    idle.restart();
    if (signal?.aborted) return callOff();
    signal?.addEventListener("abort", callOff);
    if (isStreamBody(body))
      pump(request, body, idle).catch((error: unknown) =>
        answer ? request.destroy() : fail("aborted", messageOf(error)),
      );
    else request.end(body);
  });
