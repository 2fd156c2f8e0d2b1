/** Backups of the database to the location that the operator set. `pattern` is the cron pattern. */
export type Backups = {
  readonly pattern: string;
  /**
   * Makes a backup with the time `atMs`, checks it and stores it under a name with the installation in it. Then deletes
   * the oldest backups of the same installation. Never throws.
   */
  make(atMs: number, installation: string): Promise<BackupOutcome>;
  /** Aborts the backup in progress, because the process stops. */
  stop(): void;
};

/**
 * `files`: how many media files the backup lists. `removed`: how many older backups were deleted. `warning`: a problem
 * that did not prevent the backup.
 */
export type BackupOutcome =
  | { ok: true; name: string; sizeBytes: number; files: number; durationMs: number; removed: number; warning?: string }
  | { ok: false; error: string; isStopped: boolean };
