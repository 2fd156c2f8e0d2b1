import { parentPort } from "node:worker_threads";
import Database from "libsql";
import type { Answer, Order } from "./replica-file.ts";

// A thread of its own follows the server: opening the copy and bringing it up to date wait for the network without
// giving way to anything else.

let copy: InstanceType<typeof Database> | undefined;

const sync = ({ path, server }: Order): void => {
  // more than the types know
  const options = { syncUrl: server.url, authToken: server.token ?? "", readYourWrites: false };
  copy ??= new Database(path, options);
  copy.sync();
};

const close = (): void => {
  copy?.close();
  copy = undefined;
};

const answerTo = (order: Order | "close"): Answer => {
  try {
    if (order === "close") close();
    else sync(order);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: String(error) };
  }
};

parentPort?.on("message", (order: Order | "close") => parentPort?.postMessage(answerTo(order)));
