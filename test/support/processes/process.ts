import { afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";

/** What is tested: the sources, or the program that RECADO_TEST_PROGRAM names, such as a compiled one. */
const { RECADO_TEST_PROGRAM } = process.env;
const PROGRAM: readonly string[] = RECADO_TEST_PROGRAM
  ? [RECADO_TEST_PROGRAM]
  : [process.execPath, resolve(import.meta.dir, "../../../src/main.ts")];

/** Where nobody listens: a session goes on trying, and reaches no network. */
const NO_NETWORK = "ws://127.0.0.1:1/ws/chat";

export type Settings = Record<string, string>;
/** How a command ended, and what it had printed. */
export type Ended = { code: number; out: string; err: string };
/** The line that a server prints once it accepts requests. */
export type Ready = {
  event: string;
  url: string;
  publicUrl: string;
  platformUrl: string;
  gatewayUrl: string;
  setupUrl?: string;
  version: string;
  pid: number;
};

/** A server in a process of its own. */
export type Server = Ready & {
  /** Everything printed so far. */
  out(): string;
  err(): string;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** Resolves when the process has ended; the code of one that a signal ended is 128 and more. */
  ended: Promise<Ended>;
};

/**
 * Real processes with their directories. Whatever still runs after each test (or `afterAll`) is killed, and its
 * directories are removed. To be called once, beside the tests. `program`: another one than all tests are for.
 */
export const processes = (after: (clean: () => Promise<void>) => void = afterEach, program = PROGRAM) => {
  const children = new Set<Subprocess>();
  const folders: string[] = [];
  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all([...children].map((child) => child.exited));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), "recado-process-"));
    folders.push(made);
    return made;
  };
  const spawn = (args: readonly string[], settings: Settings) => {
    // nothing of the tests' own environment reaches it but where programs lie
    const env = { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir(), ...settings };
    const child = Bun.spawn([...program, ...args], {
      cwd: tmpdir(),
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    children.add(child);
    void child.exited.then(() => children.delete(child));
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    const ended = Promise.all([child.exited, out.done, err.done]).then(
      ([code]): Ended => ({ code, out: out.text(), err: err.text() }),
    );
    return { child, out, err, ended };
  };
  /** Starts a command, and resolves when its output holds `line`. Throws when it ends before. */
  const start = async (args: readonly string[], settings: Settings, line: RegExp) => {
    const started = spawn(args, settings);
    await Promise.race([started.out.holds(line), started.ended]);
    if (line.test(started.out.text())) return started;
    throw new Error(
      `recado ${args.join(" ")} ended without saying ${line}:\n${started.out.text()}${started.err.text()}`,
    );
  };
  return {
    folder,
    /** What is run. */
    program: PROGRAM,
    /** A path at which there is nothing yet, for a data directory; its parent is removed after the test. */
    dataDir: (): string => join(folder(), "data"),
    /** Runs a command to its end. */
    run: (args: readonly string[], settings: Settings = {}): Promise<Ended> => spawn(args, settings).ended,
    /** Starts a command and waits for nothing. */
    spawn,
    start,
    /**
     * Starts a server, on any free port of 127.0.0.1 unless the settings say otherwise; resolves when it is ready.
     * Throws with its output when it ends before.
     */
    async serve(settings: Settings): Promise<Server> {
      const { child, out, err, ended } = await start(
        ["serve"],
        { RECADO_LISTEN: "127.0.0.1:0", RECADO_LOG_LEVEL: "warn", RECADO_WHATSAPP_WEB_URL: NO_NETWORK, ...settings },
        READY,
      );
      const ready = JSON.parse(READY.exec(out.text())?.[0] ?? "") as Ready;
      return { ...ready, out: out.text, err: err.text, signal: (name) => child.kill(name), ended };
    },
  };
};

const READY = /^\{"event":"ready".*\}$/m;

/** A stream's text as it comes; `holds` resolves once it matches. */
const collect = (stream: ReadableStream<Uint8Array>) => {
  let text = "";
  let waiting: { line: RegExp; resolve(): void }[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      for (const { resolve } of waiting.filter(({ line }) => line.test(text))) resolve();
      waiting = waiting.filter(({ line }) => !line.test(text));
    }
  };
  return {
    text: () => text,
    done: read(),
    holds: (line: RegExp) =>
      line.test(text) ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push({ line, resolve })),
  };
};

/**
 * A free port outside the range from which the system takes the ports of outgoing connections: it stays free while a
 * server that listened on it is down, and a client that keeps asking for it cannot be connected with itself.
 */
export const quietPort = async (from = 20_000 + (process.pid % 5000)): Promise<number> => {
  for (let port = from; port < 32_000; port++) if (await isFree(port)) return port;
  throw new Error("there is no free port below 32000");
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
