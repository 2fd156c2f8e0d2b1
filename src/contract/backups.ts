/** Backups of the database at the operator's place. `pattern` is the timetable's. */
export type Backups = {
  readonly pattern: string;
  /**
   * Makes one that is of this time, checks it and keeps it under a name that says which installation's it is; then the
   * oldest of that one go. Never throws.
   */
  make(atMs: number, installation: string): Promise<BackupOutcome>;
  /** Ends the one that is being made: the process stops. */
  stop(): void;
};

/**
 * `files` of messages are listed in it. `removed` older ones are gone. `warning`: what did not keep it from being made.
 */
export type BackupOutcome =
  | { ok: true; name: string; sizeBytes: number; files: number; durationMs: number; removed: number; warning?: string }
  | { ok: false; error: string; isStopped: boolean };
