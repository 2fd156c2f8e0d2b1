import { BackupFault } from "../store/backup-key.ts";

const onceEnded = (then: (signal: string) => void): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => then(signal));
};

/** Resolves with the first of the signals that end a server. */
export const untilSignal = (): Promise<string> => new Promise(onceEnded);

/** Aborted by the first signal that ends a command. */
export const untilAborted = (): AbortSignal => {
  const controller = new AbortController();
  onceEnded((signal) => controller.abort(new BackupFault(`ended by ${signal}: nothing was kept`)));
  return controller.signal;
};
