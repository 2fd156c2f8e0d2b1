import { afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";

/** The tested program: the sources, or the program that RECADO_TEST_PROGRAM names, such as a compiled one. */
const { RECADO_TEST_PROGRAM } = process.env;
const PROGRAM: readonly string[] = RECADO_TEST_PROGRAM
  ? [RECADO_TEST_PROGRAM]
  : [process.execPath, resolve(import.meta.dir, "../../../src/main.ts")];

/** An address without a listener: a session goes on trying, and reaches no network. */
const NO_NETWORK = "ws://127.0.0.1:1/ws/chat";

export type Settings = Record<string, string>;
/** The exit code of a command, and its output. */
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

/** A server in a separate process. */
export type Server = Ready & {
  /** The whole output so far. */
  out(): string;
  err(): string;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** Resolves when the process has ended; the code of a process that a signal ended is 128 and more. */
  ended: Promise<Ended>;
};

/**
 * Real processes with their directories. After each test (or `afterAll`) it kills the remaining processes, and removes
 * their directories. Called once, beside the tests. `program`: another program than the tested one.
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
    // it gets nothing of the tests' own environment but the path of programs
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
    /** The command line. */
    program: PROGRAM,
    /** An unused path for a data directory; its parent is removed after the test. */
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

/** The ports of a process of tests. Those of another one, whose id is near, are others. */
const PORTS_OF_A_PROCESS = 100;
const firstPort = 20_000 + (process.pid % 120) * PORTS_OF_A_PROCESS;
let portsGiven = 0;

/**
 * A free port outside the system's range for outgoing connections. So it stays free while its server is down, and a
 * client that keeps asking cannot connect with itself. Nobody else is given it soon.
 */
export const quietPort = async (): Promise<number> => {
  for (let tries = 0; tries < PORTS_OF_A_PROCESS; tries++) {
    const port = firstPort + (portsGiven++ % PORTS_OF_A_PROCESS);
    if (await isFree(port)) return port;
  }
  throw new Error(`there is no free port from ${firstPort} on`);
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
