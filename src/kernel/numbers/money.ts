/**
 * Amounts are integers, in millionths of their currency, because a network charges less than a cent for some messages.
 */
export const MICROS_PER_CENT = 10_000;

/**
 * Divides and rounds to the nearest integer. A half is rounded to the even integer, so that many roundings do not add
 * up. The denominator must be positive.
 */
export const divideHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const sign = numerator < 0n ? -1n : 1n;
  const size = numerator * sign;
  const [whole, twiceTheRest] = [size / denominator, (size % denominator) * 2n];
  const isUp = twiceTheRest > denominator || (twiceTheRest === denominator && whole % 2n === 1n);
  return sign * (isUp ? whole + 1n : whole);
};

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/** Whether a text is a decimal amount of at most six decimals. */
export const isAmount = (text: string): boolean => DECIMAL.test(text);

/**
 * The millionths of a decimal amount such as `0.0350`.
 * @throws RangeError for any other text, and for more than six decimals.
 */
export const microsOf = (decimal: string): number => {
  const [, whole, fraction = ""] = DECIMAL.exec(decimal) ?? [];
  if (whole === undefined) throw new RangeError(`${decimal} is no decimal amount`);
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, "0"));
};
