import { beforeEach, describe, expect, test } from "bun:test";
import { type Chat, newChat } from "../../../../support/customers/agents/ai-chat.ts";
import { noteFrom } from "../../../../support/customers/agents/voice-notes.ts";
import { receivedBy } from "../../../../support/customers/customer.ts";
import { recording } from "../../../../support/files/recordings.ts";
import { toneWav } from "../../../../support/files/sounds.ts";
import { QUESTION } from "../../../../support/files/speech.ts";
import { useLlmCustomer } from "../../../../support/llm/world.ts";

// each sound starts a process of this program

const { w, llm } = useLlmCustomer();
let a: Chat;
beforeEach(async () => {
  a = await newChat({ w }, { transcribesVoice: true });
});

/** The files that the provider got, by name: of WAV of 16 kHz the whole seconds, of others the bytes. */
const heard = () =>
  llm.transcriptions().map(({ body: { file } }) => {
    const isWav = file.name === "voice.wav";
    return [file.name, isWav ? Math.round((file.bytes.length - 44) / 32_000) : file.bytes.length];
  });
const ends = () =>
  receivedBy(a.hook, "message:transcribed").map(({ text, reason, seconds }) => [text, reason, seconds]);

describe("a voice note of a type that providers refuse", () => {
  test.each([
    ["AMR", "narrow.amr", "audio/amr"],
    ["AMR-WB", "wide.amr", "audio/amr-wb"],
    ["3GP", "telephone.3gp", "audio/3gpp"],
  ])("%s is sent as WAV, and becomes text", async (_, file, mimeType) => {
    await noteFrom(w, a, { bytes: recording(file), mimeType });
    expect([heard(), ends()]).toEqual([[["voice.wav", 1]], [[QUESTION.words, null, expect.any(Number)]]]);
  });

  test.each([
    ["AAC, which is not read", recording("aac.aac"), "audio/aac", "UNSUPPORTED_TYPE"],
    ["telephone sound without a second of it", Buffer.from("#!AMR\n"), "audio/amr", "UNSUPPORTED_TYPE"],
    ["telephone sound of more than a megabyte", amrOf(1100), "audio/amr", "TOO_LONG"],
  ])("%s is told as such, and the provider is not asked", async (_, bytes, mimeType, reason) => {
    await noteFrom(w, a, { bytes, mimeType });
    expect([heard(), ends()]).toEqual([[], [[null, reason, null]]]);
  });
});

describe("a provider that takes nothing but WAV", () => {
  beforeEach(() => {
    llm.models.takesWavAlone = true;
  });

  test("gets the WAV of a voice note after its refusal, and the note becomes text", async () => {
    await noteFrom(w, a);
    expect([heard(), ends()]).toEqual([
      [
        ["voice.ogg", QUESTION.bytes.length],
        ["voice.wav", QUESTION.seconds],
      ],
      [[QUESTION.words, null, QUESTION.seconds]],
    ]);
  });

  test("is asked once for WAV, and once for a file of which none can be made", async () => {
    await noteFrom(w, a, { bytes: toneWav({ seconds: 1 }), mimeType: "audio/wav" });
    await noteFrom(w, a, { bytes: recording("vorbis.ogg"), mimeType: "audio/ogg" });
    expect(heard().map(([name]) => name)).toEqual(["voice.wav", "voice.ogg"]);
    expect(ends().map(([, reason]) => reason)).toEqual([null, "REFUSED"]);
  });
});

/** The recorded second, again and again. */
function amrOf(seconds: number): Uint8Array {
  const mark = Buffer.from("#!AMR\n");
  return Buffer.concat([mark, ...Array<Uint8Array>(seconds).fill(recording("narrow.amr").subarray(mark.length))]);
}
