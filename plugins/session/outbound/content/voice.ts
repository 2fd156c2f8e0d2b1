import { Readable } from "node:stream";
import type { AnyMessageContent } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import { type Unheard, VOICE_FORMATS, type VoiceFailure } from "../../../../src/contract/ports/voice.ts";
import { later, refused, Unsendable } from "../outcomes.ts";
import type { RemoteFile } from "./files.ts";

/** The part of an Ogg file that names the codec. */
const FIRST_PAGE_BYTES = 64;
const VOICE_TYPE = "audio/ogg; codecs=opus";

/** TABLE: why a file cannot be a voice note, in words for its sender. */
const WHY: Readonly<Record<Exclude<VoiceFailure, "BROKEN">, string>> = {
  UNSUPPORTED_TYPE: `is not one of ${VOICE_FORMATS}`,
  UNREADABLE: "cannot be decoded",
  TOO_LARGE: "has more than 16 MB",
  TOO_LONG: "is longer than 15 minutes",
  EMPTY: "has no sound",
};

const invalid = (reason: string) =>
  new Unsendable(
    refused(`a voice note (ptt) must be ${VOICE_FORMATS}: the file ${reason}`, { code: "INVALID_PTT_FORMAT" }),
  );

/** Names the format of a file that this server knows and does not decode. */
const unheard = ({ reason, found }: Unheard): Unsendable => {
  if (reason === "BROKEN") return new Unsendable(later("the voice note could not be made now"));
  return invalid(found === undefined ? WHY[reason] : `is ${found}; without ptt it goes out as it is`);
};

/**
 * The content of a voice note, in the one form that all phones play (W26 §7.7); `use` has it while its file exists. If
 * this server has no codec, only a file that is already Ogg Opus.
 * @throws Unsendable
 */
export const withVoiceNote = async <Made>(
  file: RemoteFile,
  makeVoice: ChannelHost["makeVoice"],
  use: (content: AnyMessageContent) => Promise<Made>,
): Promise<Made> => {
  if (!makeVoice) return use({ audio: { stream: unchanged(file) }, ptt: true, mimetype: VOICE_TYPE });
  const stream = file.stream();
  const made = await makeVoice(stream);
  // the stream has the clearer reason
  if (stream.errored instanceof Unsendable) throw stream.errored;
  if (!made.ok) throw unheard(made);
  const { note } = made;
  try {
    const { seconds, waveform } = note;
    // the library passes the waveform on, but its types do not show that
    const content: AnyMessageContent & { waveform: Uint8Array } = {
      audio: { stream: Readable.from(note.stream(), { objectMode: false }) },
      ptt: true,
      mimetype: VOICE_TYPE,
      seconds,
      waveform,
    };
    return await use(content);
  } finally {
    await note.dispose();
  }
};

const unchanged = ({ head, stream }: RemoteFile): Readable => {
  const bytes = Buffer.from(head).subarray(0, FIRST_PAGE_BYTES);
  if (!bytes.subarray(0, 4).equals(Buffer.from("OggS")) || !bytes.includes("OpusHead"))
    throw invalid("is no Ogg Opus, and this server has no codec");
  return stream();
};
