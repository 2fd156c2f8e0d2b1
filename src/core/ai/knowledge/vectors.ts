/** The dimensions of every stored vector. Vectors of another length cannot be compared with them. */
const DIMENSIONS = 1536;

/** Whether a vector can be compared: it has the common length, and is not zero. */
export const isUsable = (vector: Float32Array): boolean =>
  vector.length === DIMENSIONS && vector.some((value) => value !== 0);
