import type { SoundFile } from "../../../contract/ports/llm.ts";
import type { VoiceFailure } from "../../../contract/ports/voice.ts";
import { onePiece } from "../../../kernel/async.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { fileTypeOf } from "../../../kernel/texts/file-types.ts";
import { essenceOf } from "../../../kernel/texts/media-types.ts";
import { listMediaOf } from "../../../store/tables/media.ts";
import type { AiEnv } from "../env.ts";
import { readMessageFile } from "../message-files.ts";
import { oggSeconds } from "./ogg-length.ts";

/** The longest voice note that becomes text, and its largest file: five minutes as people record them take 1.2 MB. */
const MAX_SECONDS = 300;
const MAX_BYTES = 5 * 1024 * 1024;
/** The largest file that becomes WAV: five minutes of AMR-WB at its best take 0.9 MB. A longer file costs a minute of CPU. */
const MAX_WAV_SOURCE_BYTES = 1024 * 1024;
/** How a second of sound counts against the budgets, where the provider counts no tokens: as OpenAI counts it. */
export const TOKENS_PER_SECOND = 10;
/** The bytes of a second where a file does not say its length: those of 32 kbit/s. */
const BYTES_PER_SECOND = 4000;

/** TABLE: the types of sound that providers take, with the ending of each. Providers go by the ending. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["audio/ogg", "ogg"],
  ["audio/opus", "ogg"],
  ["audio/mpeg", "mp3"],
  ["audio/mp4", "m4a"],
  ["audio/x-m4a", "m4a"],
  ["video/mp4", "mp4"],
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/vnd.wave", "wav"],
  ["audio/webm", "webm"],
  ["video/webm", "webm"],
  ["audio/flac", "flac"],
  ["audio/x-flac", "flac"],
]);

/** What may be sound of another type: AMR, 3GP … Nothing else is worth a process that looks. */
const SOUND = /^(?:audio|video)\//;

type Refused = { ok: false; reason: "TOO_LONG" | "UNSUPPORTED_TYPE" | "FILE_GONE" | "SILENT"; seconds: number | null };

/** `seconds`: null if the file does not say it. `atMost`: the seconds for which it is paid in any case. */
export type NoteFile = { ok: true; sound: SoundFile; seconds: number | null; atMost: number } | Refused;

/**
 * The file of a voice note, as a provider takes it. The bytes show the type: its sender may call it anything. Sound that
 * providers refuse becomes WAV. @throws Error if this machine cannot make it now
 */
export const readNoteFile = async (env: AiEnv, tenantId: TenantId, messageId: string): Promise<NoteFile> => {
  const [media] = await env.db.read((reader) => listMediaOf(reader, { tenantId }, [messageId]));
  if (media && media.sizeBytes > MAX_BYTES) return { ok: false, reason: "TOO_LONG", seconds: null };
  const bytes = media && (await readMessageFile(env, media));
  if (!bytes) return { ok: false, reason: "FILE_GONE", seconds: null };
  const contentType = essenceOf(await fileTypeOf({ head: bytes }));
  const ending = ENDINGS.get(contentType);
  if (ending === undefined && SOUND.test(contentType)) return wavOf(env, tenantId, bytes);
  if (ending === undefined) return { ok: false, reason: "UNSUPPORTED_TYPE", seconds: null };
  const seconds = oggSeconds(bytes) ?? null;
  if (seconds !== null && seconds > MAX_SECONDS) return { ok: false, reason: "TOO_LONG", seconds };
  const atMost = seconds ?? Math.ceil(bytes.length / BYTES_PER_SECOND);
  return { ok: true, sound: { bytes, filename: `voice.${ending}`, contentType }, seconds, atMost };
};

/** TABLE: what a note is that cannot become WAV. */
const REFUSALS: Readonly<Record<Exclude<VoiceFailure, "BROKEN">, Refused["reason"]>> = {
  UNSUPPORTED_TYPE: "UNSUPPORTED_TYPE",
  UNREADABLE: "UNSUPPORTED_TYPE",
  TOO_LARGE: "TOO_LONG",
  TOO_LONG: "TOO_LONG",
  EMPTY: "SILENT",
};

const wavOf = async (env: AiEnv, tenantId: TenantId, bytes: Uint8Array): Promise<NoteFile> => {
  if (bytes.length > MAX_WAV_SOURCE_BYTES) return { ok: false, reason: "TOO_LONG", seconds: null };
  const made = await env.makeWav(tenantId, onePiece(bytes));
  if (!made.ok) {
    const { reason } = made;
    if (reason === "BROKEN") throw new Error("this machine could not make WAV of a voice note");
    return { ok: false, reason: REFUSALS[reason], seconds: null };
  }
  const { seconds, wav } = made;
  if (seconds > MAX_SECONDS) return { ok: false, reason: "TOO_LONG", seconds };
  return { ok: true, sound: asFile(wav), seconds, atMost: seconds };
};

const asFile = (wav: Uint8Array): SoundFile => ({ bytes: wav, filename: "voice.wav", contentType: "audio/wav" });

/** The sound as WAV, which every provider takes; undefined if it cannot be made, or is WAV. */
export const soundAsWav = async (env: AiEnv, tenantId: TenantId, sound: SoundFile): Promise<SoundFile | undefined> => {
  if (sound.filename.endsWith(".wav")) return undefined;
  const made = await env.makeWav(tenantId, onePiece(sound.bytes));
  return made.ok ? asFile(made.wav) : undefined;
};
