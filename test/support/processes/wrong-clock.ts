import { utimesSync, writeFileSync } from "node:fs";
import type { Settings } from "./process.ts";

/**
 * The wall clock of a process's machine, by Debian's package faketime. `path`: a file for it. `set` takes seconds with a
 * sign, also while the process runs; call it before the process starts.
 */
export const wrongClock = (path: string): { settings: Settings; set(offset: string): void } => ({
  settings: {
    LD_PRELOAD: "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  },
  set(offset) {
    writeFileSync(path, offset);
    utimesSync(path, 0, 0);
  },
});
