/** Amounts are integers of a millionth of their currency: a network charges less than a cent for some messages. */
export const MICROS_PER_CENT = 10_000;

/**
 * A quotient as the nearest integer; one that lies half way between two becomes the even one, so that many roundings do
 * not add up in one direction. The denominator is positive.
 */
export const divideHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const sign = numerator < 0n ? -1n : 1n;
  const size = numerator * sign;
  const [whole, twiceTheRest] = [size / denominator, (size % denominator) * 2n];
  const isUp = twiceTheRest > denominator || (twiceTheRest === denominator && whole % 2n === 1n);
  return sign * (isUp ? whole + 1n : whole);
};
