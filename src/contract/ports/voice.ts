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
/** `found`: what the file is instead, in words for people, if its type is known: "GSM 6.10 in WAV". */
export type Unheard = { ok: false; reason: VoiceFailure; found?: string };
export type MadeVoice = { ok: true; note: VoiceNote } | Unheard;

/** The formats from which a voice note is made, in words for people. */
export const VOICE_FORMATS = "MP3, WAV, AMR, or Opus in Ogg, WebM or MP4";

/**
 * Makes a voice note of MP3, WAV, AMR, or Opus in Ogg, WebM or MP4, of at most 15 minutes and 16 MB. A file already in
 * the right form stays unchanged, and right packets in another container stay as they are. A file that needs too much
 * time or memory is unreadable. Never throws.
 */
export type MakeVoice = (body: AsyncIterable<Uint8Array>) => Promise<MadeVoice>;

/**
 * WAV of what `MakeVoice` takes, for programs that hear nothing else: 16 kHz, mono, 16 bits, 29 MB at most. `seconds` is
 * rounded up.
 */
export type MadeWav = { ok: true; seconds: number; wav: Uint8Array<ArrayBuffer> } | Unheard;
