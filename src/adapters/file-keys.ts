const KEY = /^[\w-][\w.-]{0,199}(\/[\w-][\w.-]{0,199}){0,3}$/;

/**
 * The key itself, when it is one: no name that begins with a dot, nothing that a path or a URL would read otherwise.
 * Throws for anything else.
 */
export const checkedKey = (key: string): string => {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key.slice(0, 100))} is not the key of a file`);
  return key;
};
