/** Ends the reading of a body that is not needed, so that its source can stop. */
export const leave = (body: AsyncIterable<unknown>): void => {
  const reading = body[Symbol.asyncIterator]();
  // a generator that has not begun ignores `return`, so it is started first
  const ended = reading.next().then(() => reading.return?.());
  ended.catch(() => undefined); // an error of the body does not matter any more
};
