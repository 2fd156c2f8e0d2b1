import { parentPort } from "node:worker_threads";
import Database from "libsql";
import type { Answer, Order } from "./replica-file.ts";

// A separate thread follows the server, because opening and synchronising the copy blocks it during network waits.

let copy: InstanceType<typeof Database> | undefined;

const sync = ({ path, server }: Order): void => {
  // more options than the types declare
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
