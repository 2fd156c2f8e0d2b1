/** The dimensions of every stored vector. Vectors of another length cannot be compared with them. */
const DIMENSIONS = 1536;

/** Whether a vector can be compared: it has the common length, and is not zero. */
export const isUsable = (vector: Float32Array): boolean =>
  vector.length === DIMENSIONS && vector.some((value) => value !== 0);

/** Why the vectors of a model cannot be used, for the account's owner. */
export const uselessness = (model: string, vectors: readonly Float32Array[]): string => {
  const other = vectors.find(({ length }) => length !== DIMENSIONS);
  return other === undefined
    ? `a vector of the model ${model} has only zeros`
    : `the vectors of the model ${model} have ${other.length} dimensions instead of ${DIMENSIONS}`;
};
