/** Ends the reading of a body that is not needed, so that its source can stop. */
export const leave = (body: AsyncIterable<unknown>): void => {
  const reading = body[Symbol.asyncIterator]();
  // a generator that has not begun ignores `return`, so it is started first
  const ended = reading.next().then(() => reading.return?.());
  ended.catch(() => undefined); // an error of the body does not matter any more
};

/** A stream that reads from `body` only when it is read itself, and leaves it when it is cancelled. */
export const streamOf = (body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const reading = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await reading.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await reading.return?.();
      },
    },
    { highWaterMark: 0 },
  );
};
