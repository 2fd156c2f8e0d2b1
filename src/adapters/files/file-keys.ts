const KEY = /^[\w-][\w.-]{0,199}(\/[\w-][\w.-]{0,199}){0,3}$/;

/**
 * Returns the key when it is valid: one to four names of word characters, dots and dashes, none of which begins with a
 * dot.
 *
 * @throws for any other text.
 */
export const checkedKey = (key: string): string => {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key.slice(0, 100))} is not the key of a file`);
  return key;
};
