const SYMBOLS = {
  socket: { args: ["int", "int", "int"], returns: "int" },
  sendto: { args: ["int", "ptr", "u64", "int", "ptr", "u32"], returns: "i64" },
  execve: { args: ["ptr", "ptr", "ptr"], returns: "int" },
} as const;

/** Functions that only glibc has: musl gives memory back by itself. */
const GLIBC_SYMBOLS = { malloc_trim: { args: ["u64"], returns: "int" } } as const;

/** The file names of the C library: glibc, musl. */
const NAMES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/**
 * Loads the C library, for functions that neither Bun nor Node has.
 *
 * @throws if bun:ffi does not work: it needs writable code (no MemoryDenyWriteExecute).
 */
export const openLibc = async () => {
  const { dlopen, ptr } = await import("bun:ffi");
  const open = (name: string) => ({ ...dlopen(name, SYMBOLS).symbols, ptr });
  const [gnu = "", musl = ""] = NAMES;
  try {
    return open(gnu);
  } catch (reason) {
    try {
      return open(musl);
    } catch {
      throw reason;
    }
  }
};

/**
 * Gives the memory that native libraries have freed back to the system: glibc keeps it. Does nothing with another C
 * library, or if bun:ffi does not work.
 */
export const trimNativeMemory = async (): Promise<void> => {
  const { dlopen } = await import("bun:ffi");
  try {
    const glibc = dlopen(NAMES[0] ?? "", GLIBC_SYMBOLS);
    glibc.symbols.malloc_trim(0n);
    glibc.close();
  } catch {
    // then the freed memory stays with the process, as before
  }
};
