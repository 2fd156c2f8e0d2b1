import { readOgg } from "../../../src/adapters/voice/voice-ogg-reading.ts";
import { openOpus } from "../../../src/adapters/voice/voice-opus.ts";
import type { OpusStream } from "../../../src/adapters/voice/voice-packets.ts";

/** The one stream of a voice note. */
export const streamOf = (ogg: Uint8Array): OpusStream => {
  const file = readOgg(ogg);
  const [stream, ...others] = typeof file === "object" ? file.streams : [];
  if (!stream || others.length > 0) throw new Error("it has not one stream of Opus");
  return stream;
};

/** The sound of a voice note in 16 kHz, decoded, from its beginning to its end. */
export const played = async (ogg: Uint8Array): Promise<Int16Array> => {
  const { packets, preSkip, endGranule } = streamOf(ogg);
  const opus = await openOpus();
  const all = Int16Array.from(packets.flatMap((packet) => [...(opus.decode(packet) ?? [])]));
  return all.subarray(preSkip / 3, endGranule / 3);
};
