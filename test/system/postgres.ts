import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietPort } from "../support/processes/process.ts";

/** A PostgreSQL of the Debian package `postgresql`, with a user that logs in by its password. */
export type Postgres = { url: string; password: string; stop(): Promise<void> };

const [BIN] = [...new Bun.Glob("/usr/lib/postgresql/*/bin").scanSync({ onlyFiles: false, cwd: "/" })];
const READY = "database system is ready to accept connections";

const idOf = (flag: "-u" | "-g"): number => Number(Bun.spawnSync(["id", flag, "postgres"]).stdout.toString());

/** The server refuses to run as root. */
const asPostgres = (command: string[]): string[] =>
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command]
    : command;

export const startPostgres = async (): Promise<Postgres> => {
  if (BIN === undefined) throw new Error("it needs the Debian package postgresql");
  const folder = mkdtempSync(join(tmpdir(), "recado-postgres-"));
  const password = "the-password-of-the-database";
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  if (process.getuid?.() === 0) for (const path of [folder, passwordFile]) chownSync(path, idOf("-u"), idOf("-g"));
  const data = join(folder, "data");
  const init = ["-D", data, "-U", "evolution", "-A", "scram-sha-256", "--pwfile", passwordFile, "-E", "UTF8", "-N"];
  const made = Bun.spawnSync(asPostgres([join("/", BIN, "initdb"), ...init]), { cwd: "/" });
  if (!made.success) throw new Error(made.stderr.toString());
  const port = await quietPort();
  const options = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const server = Bun.spawn(asPostgres([join("/", BIN, "postgres"), ...options]), { cwd: "/", stderr: "pipe" });
  await untilReady(server.stderr);
  return {
    url: `postgresql://evolution:${password}@127.0.0.1:${port}/postgres`,
    password,
    async stop() {
      server.kill("SIGINT");
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Reads on afterwards, so that the server never waits for its log to be read. */
const untilReady = (stream: ReadableStream<Uint8Array>): Promise<void> =>
  new Promise((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of stream) {
        text = (text + decoder.decode(chunk, { stream: true })).slice(-10_000);
        if (text.includes(READY)) resolve();
      }
      reject(new Error(`the server ended: ${text}`));
    };
    void read();
  });
