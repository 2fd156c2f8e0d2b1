import type { Kind } from "./setting-kinds.ts";

/**
 * One environment variable. `fallback` is the default text, where `<data>` stands for the data directory. Without one,
 * the value may be missing. `shown` is the default in the documentation (Markdown).
 */
export type Setting<T, Fallback extends string | undefined = string | undefined> = {
  kind: Kind<T>;
  fallback: Fallback;
  shown: string;
  isSecret: boolean;
  meaning: string;
};

/** A setting that always has a value. */
export const given = <T>(kind: Kind<T>, fallback: string, meaning: string): Setting<T, string> => ({
  kind,
  fallback,
  shown: `\`${fallback}\``,
  isSecret: false,
  meaning,
});

/** A setting that may be missing. */
export const optional = <T>(kind: Kind<T>, meaning: string, shown = "–"): Setting<T, undefined> => ({
  kind,
  fallback: undefined,
  shown,
  isSecret: false,
  meaning,
});

/** An optional setting. Only whether it is set is ever shown. */
export const secret = <T>(kind: Kind<T>, meaning: string, shown = "–"): Setting<T, undefined> => ({
  ...optional(kind, meaning, shown),
  isSecret: true,
});
