import { commitOf, VERSION } from "../version.ts";
import { command, EXIT, JSON_FLAG } from "./command.ts";

export const versionCommand = command(
  { name: "version", about: "print version and commit", flags: { json: JSON_FLAG } },
  async ({ out }, { flags }) => {
    const version = { version: VERSION, commit: commitOf(), bun: Bun.version };
    out(flags.json ? JSON.stringify(version) : `recado ${version.version} (${version.commit}), Bun ${version.bun}`);
    return EXIT.ok;
  },
);
