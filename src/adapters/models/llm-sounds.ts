import type { Llm, LlmFailure, LlmResult, SoundFile, Transcription } from "../../contract/ports/llm.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { FOREIGN_JSON } from "../../kernel/texts/json.ts";
import { countAt, failed } from "./llm-answers.ts";
import type { HabitStore, TranscriptionForm, VoiceField } from "./llm-habits.ts";
import { isAboutForm, SOUND_FORMS, type SoundForm } from "./llm-manners.ts";
import type { Ask, Order } from "./llm-order.ts";
import { at, textAt } from "./llm-reading.ts";

/** A server without a graphics card hears at about the speed of speech. */
const HEARING_MS = 120 * SECOND_MS;
const SPEAKING_MS = 60 * SECOND_MS;
const TEXT_LIMITS = { bytes: 256 * 1024, values: FOREIGN_JSON.values };
/** Two minutes of speech as WAV of 32 kHz, alone or in JSON of few fields. */
const SOUND_LIMITS = { bytes: 8 * 1024 * 1024, values: 64 };

type Asking = { ask: Ask; habits: HabitStore; now(): number };
type Transcribe = Parameters<Llm["transcribe"]>[0];
type Speak = Parameters<Llm["speak"]>[0];

/** The fields of a request to hear a sound. Every model can answer with JSON; Mistral has no field that asks for it. */
const requestOf = (
  { model, language }: Pick<Transcribe, "model" | "language">,
  sound: SoundFile,
  form: TranscriptionForm,
): Pick<Order, "body" | "upload"> => {
  const asked = { model, ...(language === undefined ? {} : { language }) };
  if (form === "json") {
    const data = Buffer.from(sound.bytes).toString("base64");
    return { body: { ...asked, input_audio: { data, format: sound.filename.split(".").at(-1) } } };
  }
  return { body: form === "form" ? { ...asked, response_format: "json" } : asked, upload: sound };
};

/**
 * The text of a sound, sent as WAV after a refusal of its form. Some servers answer with the text alone, whatever is
 * asked. That refusal is no habit: one broken file would have every later note made into WAV.
 */
export const transcribe = async (
  { ask, habits, now }: Asking,
  { provider, model, sound, asWav, language }: Transcribe,
): Promise<LlmResult<Transcription>> => {
  const deadline = now() + HEARING_MS;
  const known = habits.of(provider, model).transcription ?? "form";
  let [file, form]: [SoundFile, TranscriptionForm] = [sound, known];
  for (;;) {
    const request = requestOf({ model, ...(language === undefined ? {} : { language }) }, file, form);
    const order = { provider, call: "audio/transcriptions", wants: "words", deadline, limits: TEXT_LIMITS } as const;
    const answer = await ask({ ...order, ...request });
    if (answer.ok) {
      if (form !== known) habits.learn(provider, model, { transcription: form });
      return heardIn(answer.value);
    }
    const next = formAfter(answer, form);
    const wav = next === undefined && file === sound && isAboutSound(answer) ? await asWav?.() : undefined;
    if (next === undefined && wav === undefined) return answer;
    form = next ?? form;
    file = wav ?? file;
  }
};

const MALFORMED: readonly (number | undefined)[] = [400, 415, 422];
/** Providers that take no unknown field. */
const ABOUT_FIELD =
  /response_format|extra_forbidden|extra (?:inputs|fields)|(?:unknown|unrecogni[sz]ed) (?:field|request)/i;
/** OpenRouter, whose first form was JSON. */
const ABOUT_BODY = /\bjson\b|input_audio|multipart|form-?data|content[- ]type|media type/i;

/** The form in which a refused sound may be taken. */
const formAfter = ({ status, reason }: LlmFailure, form: TranscriptionForm): TranscriptionForm | undefined => {
  if (!MALFORMED.includes(status)) return undefined;
  if (form === "form" && ABOUT_FIELD.test(reason)) return "plain";
  return form !== "json" && ABOUT_BODY.test(reason) ? "json" : undefined;
};

/**
 * OpenAI: "could not be decoded or its format is not supported". whisper.cpp: "failed to read audio data", of all but
 * WAV. llama.cpp: "failed to load image or audio file".
 */
const ABOUT_FILE = /format|decod|codec|(?:read|load) (?:image or )?(?:audio|wav)/i;
const isAboutSound = ({ status = 0, reason }: LlmFailure): boolean =>
  [...MALFORMED, 500].includes(status) && ABOUT_FILE.test(reason);

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
  const { sound = SOUND_FORMS[0], voiceField = "voice" } = habits.of(provider, model);
  const known = { sound, voiceField };
  let [form, field]: [SoundForm, VoiceField] = [sound, voiceField];
  for (;;) {
    const answer = await ask({
      provider,
      call: "audio/speech",
      body: { model, [field]: voice, input: text, response_format: form },
      wants: "file",
      deadline,
      limits: SOUND_LIMITS,
    });
    if (answer.ok) {
      if (form !== known.sound || field !== known.voiceField)
        habits.learn(provider, model, { sound: form, voiceField: field });
      return spokenIn(answer.value);
    }
    const next = SOUND_FORMS[SOUND_FORMS.indexOf(form) + 1];
    if (field === "voice" && isAboutVoiceField(answer)) field = "voice_id";
    else if (next !== undefined && isAboutForm(answer)) form = next;
    else return answer;
  }
};

/** Mistral names a voice by its id. */
const isAboutVoiceField = ({ status, reason }: LlmFailure): boolean =>
  MALFORMED.includes(status) && /voice_id|extra_forbidden|extra (?:inputs|fields)/i.test(reason);

/** A file, or one in the base64 of Mistral's JSON. */
const spokenIn = (answer: unknown): LlmResult<Uint8Array> => {
  if (answer instanceof Uint8Array) return { ok: true, value: answer };
  const bytes = Buffer.from(textAt(answer, "audio_data") ?? "", "base64");
  return bytes.length > 0
    ? { ok: true, value: new Uint8Array(bytes) }
    : failed("unavailable", "The provider's answer is no sound.");
};
