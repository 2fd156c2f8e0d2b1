import type { Llm, LlmFailure, LlmResult, Transcription } from "../../contract/ports/llm.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { FOREIGN_JSON } from "../../kernel/texts/json.ts";
import { countAt, failed } from "./llm-answers.ts";
import type { HabitStore } from "./llm-habits.ts";
import { isAboutForm, SOUND_FORMS } from "./llm-manners.ts";
import type { Ask } from "./llm-order.ts";
import { at } from "./llm-reading.ts";

/** A server without a graphics card hears at about the speed of speech. */
const HEARING_MS = 120 * SECOND_MS;
const SPEAKING_MS = 60 * SECOND_MS;
const TEXT_LIMITS = { bytes: 256 * 1024, values: FOREIGN_JSON.values };
/** Two minutes of speech as WAV of 32 kHz. */
const SOUND_LIMITS = { bytes: 8 * 1024 * 1024, values: 0 };

type Asking = { ask: Ask; habits: HabitStore; now(): number };
type Transcribe = Parameters<Llm["transcribe"]>[0];
type Speak = Parameters<Llm["speak"]>[0];

/**
 * The text of a sound, sent as WAV after a refusal of its form. Every model can answer with JSON; some servers answer
 * with the text alone, whatever is asked. The refusal is no habit: one broken file would have every later note made into
 * WAV.
 */
export const transcribe = async (
  { ask, now }: Asking,
  { provider, model, sound, asWav, language }: Transcribe,
): Promise<LlmResult<Transcription>> => {
  const deadline = now() + HEARING_MS;
  const asked = (upload: Transcribe["sound"]) =>
    ask({
      provider,
      call: "audio/transcriptions",
      body: { model, response_format: "json", ...(language === undefined ? {} : { language }) },
      upload,
      wants: "words",
      deadline,
      limits: TEXT_LIMITS,
    });
  const first = await asked(sound);
  const wav = first.ok || !isAboutSound(first) ? undefined : await asWav?.();
  const answer = wav ? await asked(wav) : first;
  return answer.ok ? heardIn(answer.value) : answer;
};

/** OpenAI: "could not be decoded or its format is not supported". whisper.cpp: "failed to read audio data", of all but WAV. */
const ABOUT_FILE = /format|decod|codec|read (?:audio|wav)/i;
const isAboutSound = ({ status = 0, reason }: LlmFailure): boolean =>
  [400, 415, 422, 500].includes(status) && ABOUT_FILE.test(reason);

const heardIn = (answer: unknown): LlmResult<Transcription> => {
  const text = typeof answer === "string" ? answer : at(answer, "text");
  if (typeof text !== "string") return failed("unavailable", "The provider's answer has no text.");
  const usage = {
    promptTokens: countAt(answer, "usage", "input_tokens"),
    completionTokens: countAt(answer, "usage", "output_tokens"),
  };
  return { ok: true, value: { text: text.trim(), usage } };
};

/** The file of a spoken text, in the first form that the provider makes. */
export const speak = async (
  { ask, habits, now }: Asking,
  { provider, model, voice, text }: Speak,
): Promise<LlmResult<Uint8Array>> => {
  const deadline = now() + SPEAKING_MS;
  const known = habits.of(provider, model).sound ?? SOUND_FORMS[0];
  for (let form: (typeof SOUND_FORMS)[number] = known; ; ) {
    const answer = await ask({
      provider,
      call: "audio/speech",
      body: { model, voice, input: text, response_format: form },
      wants: "file",
      deadline,
      limits: SOUND_LIMITS,
    });
    if (answer.ok) {
      if (form !== known) habits.learn(provider, model, { sound: form });
      return answer.value instanceof Uint8Array
        ? { ok: true, value: answer.value }
        : failed("unavailable", "The provider's answer is no sound.");
    }
    const next = SOUND_FORMS[SOUND_FORMS.indexOf(form) + 1];
    if (next === undefined || !isAboutForm(answer)) return answer;
    form = next;
  }
};
