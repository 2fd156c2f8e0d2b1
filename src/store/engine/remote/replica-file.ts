import { existsSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { ServerAddress } from "./hrana.ts";
import { type LibsqlFile, openReplica } from "./libsql-file.ts";

/** The worker's order and its answer. */
export type Order = { path: string; server: ServerAddress };
export type Answer = { ok: true } | { ok: false; reason: string };

/** The local copy of a server's database, and its synchronisation. */
export type ReplicaFile = {
  /** Sees complete states of the server's database, in order. */
  readonly reader: LibsqlFile;
  /** When it resolves, the reader sees everything committed before the call. One at a time. */
  sync(): Promise<void>;
  /** Deletes the copy; the next sync creates it again. */
  remove(): Promise<void>;
  close(): Promise<void>;
};

/** The files that the native library keeps beside the copy. The first one proves that a file is a copy. */
const BESIDE = ["-client_wal_index", "-wal", "-shm", "-info"];

/** @throws Error when the file exists and is no replica, so that no other database is overwritten */
export const openReplicaFile = (path: string, server: ServerAddress): ReplicaFile => {
  if (existsSync(path) && !existsSync(path + BESIDE[0]))
    throw new Error(`${path} is no replica: name a file for it that is not there yet`);
  const worker = new Worker(new URL("./replica-worker.ts", import.meta.url));
  worker.unref();
  let reader: LibsqlFile | undefined;

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
      return (reader ??= openReplica(path));
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

/** Whether the copy itself is damaged and has to be created again. */
export const isDamaged = (error: unknown): boolean =>
  /malformed|not a database|corrupt|InvalidLocalState|disk I\/O/i.test(String(error));
