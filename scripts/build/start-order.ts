import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The functions and names that a start uses, as Bun lays them together: scripts/start-order.ts writes it. */
export const START_ORDER = join(import.meta.dir, "start.order");

/**
 * The kinds of lines that are kept: the version, functions, modules, names. The others are fifty times as many, and
 * without them a start reads as little of the file.
 */
const KEPT = /^(?:v\d|[FMN] )/;

const firstLineOf = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text;
};

/**
 * Starts a binary on an empty data directory, ends it `restMs` after it is ready, and gives the lines of its order.
 *
 * @throws Error if it does not become ready, or writes no order
 */
export const recordStart = async (binary: string, restMs: number): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), "recado-order-"));
  try {
    const order = join(folder, "order");
    const env = {
      RECADO_DATA_DIR: join(folder, "data"),
      RECADO_LISTEN: "127.0.0.1:0",
      RECADO_ADMIN_TOKEN: "of-a-start-that-is-recorded_4Jq9ZkX2mVt7RwBn5Lc",
      BUN_BYTECODE_ORDER_OUT: order, // Bun writes it at the end of the process
    };
    const child = Bun.spawn([binary, "serve"], { env, stdout: "pipe", stderr: "inherit" });
    const line = await firstLineOf(child.stdout);
    await Bun.sleep(restMs);
    child.kill("SIGTERM");
    if ((await child.exited) !== 0 || line === "") throw new Error(`${binary} did not start: ${line}`);
    return (await Bun.file(order).text()).split("\n").filter((one) => KEPT.test(one));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
