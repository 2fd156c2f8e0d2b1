import { type Clock, othersServed, SECOND_MS } from "../../../kernel/clock.ts";
import { bodyHolderOf } from "./request.ts";

/** The unread rest of a body, which the connection must still take. */
type Rest = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/**
 * The maximum that is taken of a refused request's body, in bytes and ms: the largest file of any route, on a slow
 * line.
 */
const MAX_BYTES = 112 * 1024 * 1024;
const MAX_MS = 10 * SECOND_MS;
/**
 * A client that has read the refusal sends nothing more, as curl does, and waits for the end of the connection. It
 * comes after this silence.
 */
const SILENCE_MS = SECOND_MS / 2;

const left = new WeakMap<Request, Rest>();

/** Stores the reader of a body, so that the rest of the body can be taken once the answer is written. */
export const noteReader = (request: Request, rest: Rest): void => void left.set(request, rest);

/** Notes that nothing is left of a body, or that the rest is not needed. */
export const noteEnd = (request: Request): void => void left.delete(request);

const restOf = (request: Request): Rest | undefined => {
  const holder = bodyHolderOf(request);
  const noted = left.get(holder);
  if (noted) return noted;
  const { body } = holder;
  return body && !holder.bodyUsed && !body.locked ? body.getReader() : undefined;
};

/** Takes bytes and drops them, until the body ends, breaks off, falls silent or reaches the limits. Never throws. */
const take = async (rest: Rest, clock: Pick<Clock, "timer">): Promise<void> => {
  let size = 0;
  const leave = () => void rest.cancel().catch(() => undefined); // an error means that it has ended already
  const endAll = clock.timer(MAX_MS, leave);
  let endSilence = clock.timer(SILENCE_MS, leave);
  try {
    for (let next = await rest.read(); !next.done && size <= MAX_BYTES; next = await rest.read()) {
      size += next.value.byteLength;
      endSilence();
      endSilence = clock.timer(SILENCE_MS, leave);
    }
    if (size > MAX_BYTES) leave();
  } catch {
    // the client has gone
  } finally {
    endSilence();
    endAll();
  }
};

/**
 * A refusal that reaches its client while the body is on its way. Closing the connection at once would reset it, and a
 * client that still writes would see only the reset (RFC 9112, 9.6); Node's own client is one. So the answer is written
 * at once, and ends when the rest of the body has been taken or nothing more of it comes, within limits. Then the
 * connection is closed. Otherwise a client that never ends its body would keep it open, and delay the end of the
 * server. A body that has arrived already costs no connection.
 */
export const lingering = async (
  request: Request,
  response: Response,
  clock: Pick<Clock, "timer">,
): Promise<Response> => {
  if (response.status < 400 || response.bodyUsed) return response;
  const rest = restOf(request);
  if (!rest) return response;
  let isTaken = false;
  const taken = take(rest, clock).then(() => {
    isTaken = true;
  });
  const content = await response.bytes();
  await othersServed();
  const { status, headers } = response;
  if (isTaken) return new Response(content, { status, headers });
  headers.set("connection", "close");
  const body = new ReadableStream({
    async start(stream) {
      stream.enqueue(content);
      await taken;
      stream.close();
    },
    cancel: () => void rest.cancel().catch(() => undefined),
  });
  return new Response(body, { status, headers });
};
