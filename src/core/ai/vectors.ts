/** What every vector of a base has: those of another model's length cannot be compared with them. */
const DIMENSIONS = 1536;

/** Whether it can be compared: it has the length of all others, and a direction. */
export const isUsable = (vector: Float32Array): boolean =>
  vector.length === DIMENSIONS && vector.some((value) => value !== 0);
