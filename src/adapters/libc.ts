const SYMBOLS = {
  socket: { args: ["int", "int", "int"], returns: "int" },
  sendto: { args: ["int", "ptr", "u64", "int", "ptr", "u32"], returns: "i64" },
  execve: { args: ["ptr", "ptr", "ptr"], returns: "int" },
} as const;

/** What the C library is called with GNU's and with musl. */
const NAMES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/**
 * The C library, for what neither Bun nor Node offers; nothing is loaded before. Throws where bun:ffi is not to be had,
 * which needs writable code (no MemoryDenyWriteExecute).
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
