import type { Files } from "../../contract/ports/files.ts";
import type { MadeVoice } from "../../contract/ports/voice.ts";
import { createFairSemaphore } from "../../kernel/async.ts";
import { type ChildLimits, runLimited } from "../machine/limited-child.ts";
import type { VoiceHere } from "./voice-making.ts";

const MAX_BYTES = 16 * 1024 * 1024;
/** A quarter of an hour of sound takes 15 to 30 s of CPU time. */
const LIMITS: ChildLimits = {
  cpuSeconds: 90,
  seconds: 100,
  memoryKib: 768 * 1024,
  outputBytes: 8 * 1024 * 1024,
};
/** The maximum number at a time; further files wait on the disk. */
const PLACES = { limit: 2, perSource: 64, inAll: 1024, refusal: "Too many voice notes wait." };

/** Makes a voice note of a file of an account, as `MakeVoice` promises. */
export type MakeVoiceFor = (account: string, body: AsyncIterable<Uint8Array>) => Promise<MadeVoice>;

/**
 * Makes voice notes in processes of their own, so that no connection waits for a codec, and a hostile file ends only
 * its own process. An account has one place while others wait.
 */
export const createVoice = (files: Pick<Files, "writeTempFile">): MakeVoiceFor => {
  const semaphore = createFairSemaphore(PLACES);
  return async (account, body) => {
    const file = await files.writeTempFile(body, { maxBytes: MAX_BYTES }).catch(() => undefined);
    if (!file?.ok) return { ok: false, reason: file?.failure === "too-large" ? "TOO_LARGE" : "BROKEN" };
    try {
      const made = await semaphore.run(account, () => madeElsewhere(file.path));
      if (made.ok && made.ogg === null) return { ok: true, note: { ...noteOf(made), ...file } };
      await file.dispose();
      return made.ok ? { ok: true, note: inMemory(made) } : made;
    } catch {
      await file.dispose();
      return { ok: false, reason: "BROKEN" };
    }
  };
};

const madeElsewhere = async (path: string): Promise<VoiceHere> => {
  const output = await runLimited(["make-voice"], Bun.file(path), LIMITS);
  return output === undefined ? { ok: false, reason: "UNREADABLE" } : (JSON.parse(output) as VoiceHere);
};

type Made = Extract<VoiceHere, { ok: true }>;

const noteOf = ({ seconds, waveform }: Made) => ({
  seconds,
  waveform: new Uint8Array(Buffer.from(waveform, "base64")),
});

const inMemory = (made: Made): Extract<MadeVoice, { ok: true }>["note"] => {
  const ogg = new Uint8Array(Buffer.from(made.ogg ?? "", "base64"));
  return {
    ...noteOf(made),
    async *stream() {
      yield ogg;
    },
    dispose: async () => {},
  };
};
