/**
 * A voice note that every phone plays: Ogg with Opus in mono (https://www.rfc-editor.org/rfc/rfc7845). `seconds` is
 * rounded up. `waveform` has 64 bytes from 0 to 100. `stream` may be read several times, until `dispose`.
 */
export type VoiceNote = {
  seconds: number;
  waveform: Uint8Array;
  stream(): AsyncIterable<Uint8Array>;
  dispose(): Promise<void>;
};

/**
 * Why a file cannot become a voice note. `BROKEN`: reading its body threw, or this machine could not do it now; a later
 * try may succeed.
 */
export type VoiceFailure = "UNSUPPORTED_TYPE" | "UNREADABLE" | "TOO_LARGE" | "TOO_LONG" | "EMPTY" | "BROKEN";
export type MadeVoice = { ok: true; note: VoiceNote } | { ok: false; reason: VoiceFailure };

/** The formats from which a voice note is made, in words for people. */
export const VOICE_FORMATS = "MP3, WAV or Ogg Opus";

/**
 * Makes a voice note of MP3, WAV or Ogg Opus, of at most 15 minutes and 16 MB. A file already in the right form stays
 * unchanged. A file that needs too much time or memory is unreadable. Never throws.
 */
export type MakeVoice = (body: AsyncIterable<Uint8Array>) => Promise<MadeVoice>;
