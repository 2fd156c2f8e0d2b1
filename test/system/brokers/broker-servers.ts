import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { quietPort } from "../../support/processes/process.ts";
import { pauses, untilTrue } from "../../support/waiting.ts";

/** A message broker of a Debian package, in a process of its own on a port of 127.0.0.1. */
export type BrokerServer = {
  port: number;
  /** Kills it at once. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and the same data; resolves when it answers. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** `tls`: files of a certificate and its key, with which it serves TLS alone. */
export type BrokerOptions = { tls?: { cert: string; key: string } };

const NOBODY = 65_534;
const MAX_START_MS = 60_000;

/** No broker of the tests runs as root. */
const asNobody = (command: readonly string[]): string[] =>
  process.getuid?.() === 0
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...command]
    : [...command];

/** Calls `make` with a folder that the server may write to, and the paths of its certificate in there. */
const folderFor = ({ tls }: BrokerOptions) => {
  const folder = mkdtempSync(join(tmpdir(), "recado-broker-"));
  const paths = [folder];
  const written = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    paths.push(path);
    return path;
  };
  const files = tls && { cert: written("cert.pem", tls.cert), key: written("key.pem", tls.key) };
  return {
    folder,
    files,
    written,
    /** A folder in it. */
    made(name: string): string {
      const path = join(folder, name);
      mkdirSync(path);
      paths.push(path);
      return path;
    },
    give() {
      if (process.getuid?.() === 0) for (const path of paths) chownSync(path, NOBODY, NOBODY);
    },
  };
};

const isAnswered = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** Resolves when somebody listens at the port; fails when the process ends instead. */
const untilListening = async (port: number, child: Subprocess, output: () => Promise<string>): Promise<void> => {
  for (const pause = pauses(MAX_START_MS); !(await isAnswered(port)); await pause())
    if (child.exitCode !== null) throw new Error(`the broker ended: ${await output()}`);
};

type Program = {
  folder: string;
  port: number;
  command: readonly string[];
  env?: Record<string, string>;
  /** Other processes that it needs. */
  others?: readonly Subprocess[];
};

const running = async ({ folder, port, command, env = {}, others = [] }: Program): Promise<BrokerServer> => {
  let child: Subprocess | undefined;
  const start = async () => {
    const log = Bun.file(join(folder, "output"));
    child = Bun.spawn(asNobody(command), {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
      stdin: "ignore",
      stdout: log,
      stderr: log,
      detached: true, // a group of its own: RabbitMQ is a script with children
    });
    await untilListening(port, child, () => log.text());
  };
  const kill = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
    await child.exited;
    await untilTrue(async () => !(await isAnswered(port)));
  };
  await start();
  return {
    port,
    kill,
    start,
    async stop() {
      await kill();
      for (const other of others) other.kill("SIGKILL");
      await Promise.all(others.map((other) => other.exited));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const requireProgram = (path: string, debianPackage: string): string => {
  if (!existsSync(path)) throw new Error(`it needs the Debian package ${debianPackage}`);
  return path;
};

/** NATS with JetStream. Its user is `app`, its password `the password`. */
export const startNats = async (options: BrokerOptions = {}): Promise<BrokerServer> => {
  const program = requireProgram("/usr/sbin/nats-server", "nats-server");
  const { folder, files, made, give } = folderFor(options);
  const port = await quietPort();
  const tls = files ? ["--tls", "--tlscert", files.cert, "--tlskey", files.key] : [];
  const store = made("store");
  give();
  const login = ["--user", "app", "--pass", PASSWORD];
  return running({
    folder,
    port,
    command: [program, "-js", "-a", "127.0.0.1", "-p", String(port), "-sd", store, ...login, ...tls],
  });
};

/** Redis that writes each change to its disk. Its password is `the password`. */
export const startRedis = async (options: BrokerOptions = {}): Promise<BrokerServer> => {
  const program = requireProgram("/usr/bin/redis-server", "redis-server");
  const { folder, files, give } = folderFor(options);
  const port = await quietPort();
  const listening = files
    ? ["--port", "0", "--tls-port", String(port), "--tls-cert-file", files.cert, "--tls-key-file", files.key]
    : ["--port", String(port)];
  const ca = files ? ["--tls-ca-cert-file", files.cert, "--tls-auth-clients", "no"] : [];
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  give();
  return running({
    folder,
    port,
    command: [
      program,
      ...listening,
      ...ca,
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--requirepass",
      PASSWORD,
      ...durable,
    ],
  });
};

/** RabbitMQ. Its user is `guest`, its password `the password`. */
export const startRabbit = async (options: BrokerOptions = {}): Promise<BrokerServer> => {
  const program = requireProgram("/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server");
  const { folder, files, made, written, give } = folderFor(options);
  const port = await quietPort();
  const [names, distribution] = [await quietPort(), await quietPort()];
  const listening = files
    ? [
        "listeners.tcp = none",
        `listeners.ssl.default = 127.0.0.1:${port}`,
        `ssl_options.cacertfile = ${files.cert}`,
        `ssl_options.certfile = ${files.cert}`,
        `ssl_options.keyfile = ${files.key}`,
        "ssl_options.verify = verify_none",
      ]
    : [`listeners.tcp.default = 127.0.0.1:${port}`];
  const config = written(
    "rabbitmq.conf",
    [...listening, `default_pass = ${PASSWORD}`, "log.file = false", "log.console = true", ""].join("\n"),
  );
  const plugins = written("plugins", "[].\n");
  const [data, logs] = [made("data"), made("logs")];
  give();
  const env = {
    RABBITMQ_NODENAME: `recado${port}@localhost`,
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_MNESIA_BASE: data,
    RABBITMQ_LOG_BASE: logs,
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "+S 1:1 +sbwt none",
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: "127.0.0.1",
  };
  // else Erlang leaves one behind
  const epmd = Bun.spawn(asNobody(["epmd", "-port", String(names), "-address", "127.0.0.1"]), {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  return running({ folder, port, command: [program], env, others: [epmd] });
};

/** Of the user of every broker here. */
export const PASSWORD = "the password";
