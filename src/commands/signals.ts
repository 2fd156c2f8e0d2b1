import { BackupFault } from "../store/backup/backup-key.ts";

const onceEnded = (then: (signal: string) => void): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => then(signal));
};

/** Resolves with the name of the first SIGTERM or SIGINT. */
export const untilSignal = (): Promise<string> => new Promise(onceEnded);

/** Aborted by the first SIGTERM or SIGINT, with a BackupFault. */
export const untilAborted = (): AbortSignal => {
  const controller = new AbortController();
  onceEnded((signal) => controller.abort(new BackupFault(`ended by ${signal}: no backup was made`)));
  return controller.signal;
};

/** Aborts with the first SIGTERM or SIGINT. */
export const onSignal = (): AbortSignal => {
  const controller = new AbortController();
  onceEnded(() => controller.abort());
  return controller.signal;
};
