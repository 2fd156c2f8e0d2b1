import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Location } from "../../../src/adapters/files/s3-storage.ts";
import { untilTrue } from "../../support/waiting.ts";

/** OpenStack Swift as an S3 service that checks signatures, with one bucket. */
export type Swift = {
  place: S3Location;
  port: number;
  /** Resolves when its disk holds so many objects, parts of uploads included; fails when that does not come about. */
  holds(objects: number): Promise<void>;
  /** Sets the clock of the S3 service ahead of the machine's; 0 sets it back. */
  setAhead(seconds: number): Promise<void>;
  stop(): Promise<void>;
};

/** Lines of a process as they come. Throws when it ends instead. */
const linesOf = (stream: ReadableStream<Uint8Array>) => {
  const lines = lineByLine(stream);
  return async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done) throw new Error("swift ended; it needs the Debian package python3-swift");
    return value;
  };
};

async function* lineByLine(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}

/** Debian's own Python, which has Debian's packages. */
const PYTHON = "/usr/bin/python3";

/** How long giving up the parts of an upload may take. */

const objectsIn = async (folder: string): Promise<number> =>
  (await readdir(join(folder, "devices"), { recursive: true })).filter((name) => name.endsWith(".data")).length;

export const startSwift = async (): Promise<Swift> => {
  const folder = mkdtempSync(join(tmpdir(), "recado-swift-"));
  const [bucket, accessKeyId, secretAccessKey] = ["media", "KEYOFTHETESTS", "the-secret-of-the-tests"];
  const child = Bun.spawn(
    [PYTHON, join(import.meta.dir, "serve_swift.py"), folder, bucket, accessKeyId, secretAccessKey],
    { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
  );
  const nextLine = linesOf(child.stdout);
  const port = Number(await nextLine());
  return {
    place: {
      bucket,
      prefix: "",
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      accessKeyId,
      secretAccessKey,
    },
    port,
    async holds(objects) {
      await untilTrue(async () => (await objectsIn(folder)) === objects);
    },
    async setAhead(seconds) {
      void child.stdin.write(`${seconds}\n`);
      await nextLine();
    },
    async stop() {
      child.kill();
      await child.exited;
      rmSync(folder, { recursive: true });
    },
  };
};
