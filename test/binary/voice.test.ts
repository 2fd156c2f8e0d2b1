import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { recording } from "../support/files/recordings.ts";
import { bandMp3, toneWav } from "../support/files/sounds.ts";
import { streamOf } from "../support/files/voice-notes.ts";

const BINARY = join(resolve(import.meta.dir, "../.."), "dist/recado");

/** A voice note by the binary, in an empty folder: no package lies beside it. */
const made = async (bytes: Uint8Array<ArrayBuffer>): Promise<unknown> => {
  const cwd = mkdtempSync(join(tmpdir(), "recado-voice-"));
  try {
    const child = Bun.spawn([BINARY, "make-voice"], {
      cwd,
      env: {},
      stdin: new Blob([bytes]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(err).toBe("");
    return JSON.parse(out);
  } finally {
    rmSync(cwd, { recursive: true });
  }
};

test.each([
  ["MP3", bandMp3(250), 2],
  ["WAV", toneWav(), 2],
  ["WebM", recording("browser.webm"), 1],
  ["MP4", recording("opus.mp4"), 1],
  ["AMR", recording("narrow.amr"), 1],
])("W26-10 the binary makes a voice note of %s by itself", async (_, bytes, seconds) => {
  const voice = await made(bytes);
  expect(voice).toMatchObject({ ok: true, seconds });
  const { packets } = streamOf(Buffer.from((voice as { ogg: string }).ogg, "base64"));
  expect(packets.length).toBeGreaterThan(15);
  expect(packets.every(([toc = 0]) => toc >> 3 === 9 && (toc & 3) === 3)).toBe(true);
});
