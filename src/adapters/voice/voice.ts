import type { Files, TempFile } from "../../contract/ports/files.ts";
import type { MadeVoice, MadeWav, Unheard } from "../../contract/ports/voice.ts";
import { createFairSemaphore } from "../../kernel/async.ts";
import { type ChildLimits, runLimited, runLimitedBytes } from "../machine/limited-child.ts";
import type { VoiceHere } from "./voice-making.ts";

const MAX_BYTES = 16 * 1024 * 1024;
/** A quarter of an hour of sound takes 15 to 30 s of CPU time. */
const LIMITS: ChildLimits = {
  cpuSeconds: 90,
  seconds: 100,
  memoryKib: 768 * 1024,
  outputBytes: 8 * 1024 * 1024,
};
/** A quarter of an hour of WAV. */
const WAV_LIMITS: ChildLimits = { ...LIMITS, outputBytes: 30 * 1024 * 1024 };
/** The maximum number at a time; further files wait on the disk. */
const PLACES = { limit: 2, perSource: 64, inAll: 1024, refusal: "Too many voice notes wait." };

/** Makes a voice note of a file of an account, as `MakeVoice` promises, or WAV. Never throws. */
export type Voice = {
  makeVoice(account: string, body: AsyncIterable<Uint8Array>): Promise<MadeVoice>;
  makeWav(account: string, body: AsyncIterable<Uint8Array>): Promise<MadeWav>;
};

/**
 * Makes voice notes in processes of their own, so that no connection waits for a codec, and a hostile file ends only
 * its own process. An account has one place while others wait.
 */
export const createVoice = (files: Pick<Files, "writeTempFile">): Voice => {
  const semaphore = createFairSemaphore(PLACES);
  /** `make` has the file, and says whether it still needs it afterwards. */
  const making = async <Made extends { ok: true }>(
    { account, body }: { account: string; body: AsyncIterable<Uint8Array> },
    make: (file: TempFile) => Promise<{ made: Made | Unheard; isKept: boolean }>,
  ): Promise<Made | Unheard> => {
    const file = await files.writeTempFile(body, { maxBytes: MAX_BYTES }).catch(() => undefined);
    if (!file?.ok) return { ok: false, reason: file?.failure === "too-large" ? "TOO_LARGE" : "BROKEN" };
    try {
      const { made, isKept } = await semaphore.run(account, () => make(file));
      if (!isKept) await file.dispose();
      return made;
    } catch {
      await file.dispose();
      return { ok: false, reason: "BROKEN" };
    }
  };
  return {
    makeVoice: (account, body) => making({ account, body }, noteOf),
    makeWav: (account, body) =>
      making({ account, body }, async (file) => ({ made: await wavOf(file.path), isKept: false })),
  };
};

const UNREADABLE: Unheard = { ok: false, reason: "UNREADABLE" };

const noteOf = async (file: TempFile): Promise<{ made: MadeVoice; isKept: boolean }> => {
  const output = await runLimited(["make-voice"], Bun.file(file.path), LIMITS);
  const made = output === undefined ? UNREADABLE : (JSON.parse(output) as VoiceHere);
  if (!made.ok) return { made, isKept: false };
  const { ogg, seconds } = made;
  const waveform = new Uint8Array(Buffer.from(made.waveform, "base64"));
  // the file itself is the voice note
  if (ogg === null) return { made: { ok: true, note: { seconds, waveform, ...file } }, isKept: true };
  return { made: { ok: true, note: { seconds, waveform, ...inMemory(Buffer.from(ogg, "base64")) } }, isKept: false };
};

const inMemory = (ogg: Uint8Array) => ({
  async *stream() {
    yield ogg;
  },
  dispose: async () => {},
});

/** A line of JSON, then the sound. */
const wavOf = async (path: string): Promise<MadeWav> => {
  const output = await runLimitedBytes(["make-wav"], Bun.file(path), WAV_LIMITS);
  if (!output) return UNREADABLE;
  const end = output.indexOf(0x0a);
  const said = JSON.parse(new TextDecoder().decode(output.subarray(0, end))) as Unheard | { ok: true; seconds: number };
  return said.ok ? { ...said, wav: output.subarray(end + 1) } : said;
};
