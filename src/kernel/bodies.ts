/** Lets go of a body that nobody wants to read, or to read on: whoever sends it may stop. */
export const leave = (body: AsyncIterable<unknown>): void => {
  const reading = body[Symbol.asyncIterator]();
  // a generator that has not begun does not notice that it is ended
  const ended = reading.next().then(() => reading.return?.());
  ended.catch(() => undefined); // it broke by itself, which was what is wanted
};
