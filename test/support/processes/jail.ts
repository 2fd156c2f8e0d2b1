import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LIBRARIES } from "../../../scripts/release/image-root.ts";

export type Jail = {
  /** Runs the binary in the jail, with any arguments, as the same process. */
  program: string;
  /** The one folder that can be written to; it has the same path inside and outside. */
  folder: string;
  remove(): void;
};

/**
 * An empty root with only the binary, its libraries and the name `localhost`. It has no shell, no users, no
 * certificates, and no node_modules up to the root. Needs root, or user namespaces.
 */
export const makeJail = (binary: string): Jail => {
  const base = mkdtempSync("/var/tmp/recado-jail-");
  const [root, folder, program] = [join(base, "root"), join(base, "folder"), join(base, "recado")];
  for (const made of ["dev", "etc", "proc", "tmp", folder]) mkdirSync(join(root, made), { recursive: true });
  mkdirSync(folder);
  for (const file of ["recado", "dev/null", "dev/zero", "dev/random", "dev/urandom"])
    writeFileSync(join(root, file), "");
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n");
  for (const library of librariesOf(binary)) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const command = [
    "unshare",
    ...user,
    "--mount",
    "--propagation",
    "private",
    "sh",
    resolve(import.meta.dir, "jail.sh"),
    root,
    resolve(binary),
    folder,
  ];
  writeFileSync(program, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(program, 0o755);
  return { program, folder, remove: () => rmSync(base, { recursive: true, force: true }) };
};

/** The paths of the libraries on this machine: the linker by its own path, the others beside the C library. */
const librariesOf = (binary: string): string[] => {
  const listed = Bun.spawnSync(["ldd", binary]).stdout.toString();
  const [linker] = /^\s+(\/\S+)/m.exec(listed)?.slice(1) ?? [];
  const [libc] = /libc\.so\.6 => (\S+)/.exec(listed)?.slice(1) ?? [];
  if (!linker || !libc) throw new Error(`${binary} is no program for this machine:\n${listed}`);
  return [linker, ...LIBRARIES.map((name) => join(dirname(libc), name))];
};
