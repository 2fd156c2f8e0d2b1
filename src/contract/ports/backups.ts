/** Backups of the database to the location that the operator set. `pattern` is the cron pattern. */
export type Backups = {
  readonly pattern: string;
  /** Where they are stored, for people; without secrets. */
  readonly place: string;
  /** How many are kept, and whether they are encrypted. */
  readonly keep: number;
  readonly isEncrypted: boolean;
  /**
   * The stored backups of an installation, newest first. Each was checked when it was made.
   * @throws what the storage throws.
   */
  list(installation: string): Promise<readonly StoredBackup[]>;
  /** The progress of the backup that this process is making; undefined if it makes none. */
  progress(): BackupProgress | undefined;
  /**
   * Makes a backup with the time `atMs`, checks it and stores it under a name with the installation in it. Then deletes
   * the oldest backups of the same installation. Never throws.
   */
  make(atMs: number, installation: string): Promise<BackupOutcome>;
  /** Aborts the backup in progress, because the process stops. */
  stop(): void;
};

export type StoredBackup = { name: string; madeAtMs: number; sizeBytes: number };

/** `copiedBytes`: how much of the database was copied. The copy is checked after that. */
export type BackupProgress = { startedAtMs: number; copiedBytes: number };

/**
 * `files`: how many media files the backup lists. `removed`: how many older backups were deleted. `warning`: a problem
 * that did not prevent the backup.
 */
export type BackupOutcome =
  | { ok: true; name: string; sizeBytes: number; files: number; durationMs: number; removed: number; warning?: string }
  | { ok: false; error: string; isStopped: boolean };
