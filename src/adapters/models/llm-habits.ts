import type { Manners, SoundForm } from "./llm-manners.ts";

/**
 * What a provider has refused for a model, so that it is not asked in vain again. `instructions`: the role that takes
 * them. `tools`: how tools are offered. `pictures`: whether it takes them. `inputs`: the most texts at once.
 * `hasDimensions`: whether a number of dimensions is asked for. `sound`: the form of spoken texts.
 */
export type Habits = Partial<Pick<Manners, "instructions" | "tools" | "pictures">> & {
  inputs?: number;
  hasDimensions?: boolean;
  sound?: SoundForm;
};

/** More than the providers and models of a large server. The earliest is forgotten first. */
const MOST = 1000;

export type HabitStore = {
  of(provider: { baseUrl: string }, model: string): Habits;
  learn(provider: { baseUrl: string }, model: string, learnt: Habits): void;
};

/** Lasts as long as the process: a provider that has learnt more is then asked for more. */
export const habitStore = (): HabitStore => {
  const known = new Map<string, Habits>();
  const nameOf = (baseUrl: string, model: string) => `${baseUrl} ${model}`;
  return {
    of: ({ baseUrl }, model) => known.get(nameOf(baseUrl, model)) ?? {},
    learn({ baseUrl }, model, learnt) {
      const name = nameOf(baseUrl, model);
      const before = known.get(name);
      known.delete(name);
      known.set(name, { ...before, ...learnt });
      const [earliest] = known.keys();
      if (known.size > MOST && earliest !== undefined) known.delete(earliest);
    },
  };
};
