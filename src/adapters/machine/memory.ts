import { trimNativeMemory } from "./libc.ts";

/** Collects all garbage and gives free memory back to the system. Blocks for some tens of milliseconds: only at rest. */
export const giveMemoryBack = async (): Promise<void> => {
  Bun.gc(true);
  Bun.shrink();
  await trimNativeMemory();
};
