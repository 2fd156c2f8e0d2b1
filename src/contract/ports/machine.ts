import type { SettingShown } from "../../kernel/settings/described-config.ts";

/** One check of an examination: what was found, and in one sentence what to do about it. */
export type Examined = {
  name: string;
  outcome: "ok" | "warning" | "fault" | "skipped";
  found: string;
  remedy?: string;
};

/** All checks of the doctor, with the time of the machine at which they began. */
export type Examination = { atMs: number; tookMs: number; checks: readonly Examined[] };

/** A package inside this program, and the licence that it declares. */
export type Licence = { name: string; version: string; licence: string; homepage: string | undefined };

/** What an operator may see of this program and its machine. */
export type Machine = {
  /**
   * Runs the doctor in another process. One runs at a time, for at most 45 seconds. Its result is kept for a minute.
   * Never throws: a doctor that fails is a fault itself.
   */
  examine(): Promise<Examination>;
  /** The settings of this process. Never contains a secret. */
  settings(): readonly SettingShown[];
  readonly place: { listen: string; dataDir: string; media: "disk" | "s3" };
  licences(): readonly Licence[];
  /** Sizes in bytes. Undefined for a database on a server. */
  databaseBytes(): { file: number; log: number } | undefined;
};
