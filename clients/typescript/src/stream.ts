import { RecadoConnectionError, RecadoError } from "./errors.ts";
import type { WebhookEvent } from "./generated/gateway.ts";
import { backoffMs, deadline, type Transport, wait } from "./http.ts";
import { framesOf } from "./sse.ts";

/** Events between these times are no longer in the stream: the client was away for longer than a day. */
export type StreamGap = { type: "gap"; from: string | null; to: string };

export type StreamOptions = {
  /** Only the events of this phone. */
  phoneId?: string | undefined;
  /** Only these types; by default all. */
  types?: readonly WebhookEvent["type"][] | undefined;
  /** Goes on after this event; by default the stream begins now. */
  lastEventId?: string | undefined;
  /** Ends the stream without an error. */
  signal?: AbortSignal | undefined;
  /** Called each time that the stream has been opened: what happens from now on comes. */
  onOpen?: (() => void) | undefined;
  /** Called before the stream is opened again, with what ended it. */
  onReconnect?: ((cause: unknown) => void) | undefined;
  /** How long nothing may arrive before the connection counts as lost; by default 45,000. A ping comes every 15 s. */
  silenceMs?: number | undefined;
  /** How long to wait at most before the stream is opened again; by default 30,000. */
  maxWaitMs?: number | undefined;
};

/** Whether the stream may be opened again: not after a refusal, which would only be repeated. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof RecadoError) || error.status >= 500 || error.status === 429 || error.status === 408;

/**
 * The events of the account as they happen. A lost connection is opened again, and the stream goes on after the last
 * event that it gave. Ends with `signal`. @throws RecadoError when the server refuses the stream, and
 * RecadoConnectionError when it cannot be opened the first time.
 */
export async function* streamEvents(
  transport: Transport,
  {
    phoneId,
    types,
    lastEventId,
    signal,
    onOpen,
    onReconnect,
    silenceMs = 45_000,
    maxWaitMs = 30_000,
  }: StreamOptions = {},
): AsyncGenerator<WebhookEvent | StreamGap, void, undefined> {
  let lastId = lastEventId;
  let tries = 0;
  let hasBegun = false;

  const connection = async function* (): AsyncGenerator<WebhookEvent | StreamGap> {
    const time = deadline(silenceMs, signal);
    let isOpen = false;
    try {
      const { body } = await transport.open({
        method: "GET",
        path: "/v1/events/stream",
        query: { phoneId, types: types?.join(",") },
        options: { signal: time.signal, ...(lastId === undefined ? {} : { headers: { "last-event-id": lastId } }) },
      });
      for await (const { id, event, data } of framesOf(body ?? new ReadableStream(), time.renew)) {
        hasBegun = true;
        tries = 0;
        if (!isOpen) onOpen?.(); // the first frame says that the server has begun
        isOpen = true;
        const isRepeat = id !== undefined && id === lastId;
        time.pause(); // what the reader does with an event may take as long as it likes
        if (data !== undefined && !isRepeat)
          yield (event === "gap" ? { type: "gap", ...(JSON.parse(data) as object) } : JSON.parse(data)) as WebhookEvent;
        // only what was taken is left behind
        lastId = id ?? lastId;
        time.renew();
      }
    } catch (cause) {
      throw time.failureOf(cause);
    } finally {
      time.end();
    }
  };

  while (!signal?.aborted) {
    let cause: unknown = new RecadoConnectionError("The server ended the stream.");
    try {
      yield* connection();
    } catch (error) {
      cause = error;
    }
    if (signal?.aborted) return;
    if (!hasBegun || !isPassing(cause)) throw cause;
    onReconnect?.(cause);
    const askedMs = cause instanceof RecadoError ? cause.retryAfterMs : undefined;
    await wait(askedMs ?? backoffMs(tries++, 500, maxWaitMs), signal).catch(() => {}); // the loop sees the signal
  }
}
