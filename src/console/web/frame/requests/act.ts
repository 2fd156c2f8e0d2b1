import { useState } from "preact/hooks";

/** An act that a person starts. `error`: the error of the last run. */
export type Act<Arguments extends readonly unknown[]> = {
  run(...values: Arguments): Promise<boolean>;
  isRunning: boolean;
  error: unknown;
  clear(): void;
};

/** Runs an act once at a time. `run` resolves to whether it succeeded; the caller shows `error`. */
export const useAct = <Arguments extends readonly unknown[]>(
  act: (...values: Arguments) => Promise<unknown>,
): Act<Arguments> => {
  const [state, setState] = useState<{ isRunning: boolean; error: unknown }>({ isRunning: false, error: undefined });
  const run = async (...values: Arguments): Promise<boolean> => {
    if (state.isRunning) return false;
    setState({ isRunning: true, error: undefined });
    try {
      await act(...values);
      setState({ isRunning: false, error: undefined });
      return true;
    } catch (error) {
      setState({ isRunning: false, error });
      return false;
    }
  };
  return { ...state, run, clear: () => setState({ isRunning: false, error: undefined }) };
};
