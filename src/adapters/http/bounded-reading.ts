import type { Socket } from "node:net";

/**
 * The maximum that another server may send until it is allowed more. Many small pieces cost a reader as much as many
 * bytes.
 */
export type ReadingLimit = { bytes: number; pieces: number };

export type BoundedReading = {
  /** Begins to count again. */
  allow(limit: ReadingLimit): void;
  /** Stops counting. */
  end(): void;
};

/**
 * Passes on what a socket receives, within a limit, to parsers without a limit. Bytes beyond the limit are not passed
 * on: the socket is destroyed with the error that `excess` makes of the limit.
 */
export const boundReading = (
  socket: Socket,
  first: ReadingLimit,
  { take, excess }: { take?: (piece: Buffer) => void; excess: (limit: ReadingLimit) => Error },
): BoundedReading => {
  let limit = first;
  let left = { ...first };
  const count = (piece: Buffer) => {
    left = { bytes: left.bytes - piece.length, pieces: left.pieces - 1 };
    if (left.bytes >= 0 && left.pieces >= 0) {
      take?.(piece);
      return;
    }
    socket.off("data", count);
    socket.destroy(excess(limit));
  };
  socket.on("data", count);
  return {
    allow(next) {
      limit = next;
      left = { ...next };
    },
    end: () => void socket.off("data", count),
  };
};
