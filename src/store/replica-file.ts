import { existsSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Connection, openReader } from "./connection.ts";
import type { ServerAddress } from "./hrana.ts";

/** What the thread beside is asked for, and what it answers. */
export type Order = { path: string; server: ServerAddress };
export type Answer = { ok: true } | { ok: false; reason: string };

/** The copy of a server's database on this machine, and what brings it up to date. */
export type ReplicaFile = {
  /** Sees every state of the server's database whole, one after the other. */
  readonly reader: Connection;
  /** When it resolves, the reader sees all that had been committed when it was called. One at a time. */
  sync(): Promise<void>;
  /** Removes the copy; the next sync makes it anew. */
  remove(): Promise<void>;
  close(): Promise<void>;
};

/** What the native library keeps beside the copy; the first says that a file is one. */
const BESIDE = ["-client_wal_index", "-wal", "-shm", "-info"];

/** Throws when the file is there and no replica: nothing that may be somebody's only copy is written over. */
export const openReplicaFile = (path: string, server: ServerAddress): ReplicaFile => {
  if (existsSync(path) && !existsSync(path + BESIDE[0]))
    throw new Error(`${path} is no replica: name a file for it that is not there yet`);
  const worker = new Worker(new URL("./replica-worker.ts", import.meta.url));
  worker.unref();
  let reader: Connection | undefined;

  const ask = (order: Order | "close"): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (answer: Answer) => {
        worker.off("error", fail);
        if (answer.ok) resolve();
        else reject(new Error(answer.reason));
      };
      const fail = (error: unknown) => {
        worker.off("message", settle);
        reject(error);
      };
      worker.once("message", settle);
      worker.once("error", fail);
      worker.postMessage(order);
    });
  const closeAll = async (): Promise<void> => {
    reader?.close();
    reader = undefined;
    await ask("close");
  };
  return {
    get reader() {
      return (reader ??= openReader(path));
    },
    sync: () => ask({ path, server }),
    async remove() {
      await closeAll();
      for (const suffix of ["", ...BESIDE]) rmSync(path + suffix, { force: true });
    },
    async close() {
      await closeAll();
      await worker.terminate();
    },
  };
};

/** The copy itself is damaged: it is to be made anew. */
export const isDamaged = (error: unknown): boolean =>
  /malformed|not a database|corrupt|InvalidLocalState|disk I\/O/i.test(String(error));
