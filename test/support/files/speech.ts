import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Synthesised speech, each in one mono stream of Ogg Opus. Made by Debian's espeak-ng 1.51 and opus-tools 0.2:
 * `espeak-ng -v pt-br -s 150 WORDS -w x.wav && opusenc --bitrate 16 --downmix-mono --framesize 60 x.wav NAME.ogg`.
 */
const speech = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dir, "speech", `${name}.ogg`)));

/** "Bom dia. Vocês abrem no domingo?", 2.97 s. */
export const QUESTION = { words: "Bom dia. Vocês abrem no domingo?", bytes: speech("question"), seconds: 3 };
/** "Sim, abrimos às oito.", 2.18 s. */
export const ANSWER = { words: "Sim, abrimos às oito.", bytes: speech("answer"), seconds: 3 };
