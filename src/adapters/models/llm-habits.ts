import type { LlmProvider } from "../../contract/ports/llm.ts";
import { sha256 } from "../../kernel/crypto.ts";
import type { Manners, SoundForm } from "./llm-manners.ts";

/** How a sound is sent to be transcribed: as a form, as a form without OpenAI's own fields, or in the base64 of JSON. */
export type TranscriptionForm = "form" | "plain" | "json";
export type VoiceField = "voice" | "voice_id";

/**
 * What a provider has refused for a model, so that it is not asked in vain again. `instructions`: the role that takes
 * them. `tools`: how tools are offered. `empty`: how a tool without arguments is. `pictures`: whether it takes them.
 * `inputs`: the most texts at once. `hasDimensions`: whether a number of dimensions is asked for. `sound`: the form of
 * spoken texts. `transcription`: how a sound is sent to be transcribed. `voiceField`: the field that names a voice.
 */
export type Habits = Partial<Pick<Manners, "instructions" | "tools" | "empty" | "pictures">> & {
  inputs?: number;
  hasDimensions?: boolean;
  sound?: SoundForm;
  transcription?: TranscriptionForm;
  voiceField?: VoiceField;
};

/** More than the keys and models of a large server. The earliest is forgotten first. */
const MOST = 10_000;

export type HabitStore = {
  of(provider: LlmProvider, model: string): Habits;
  learn(provider: LlmProvider, model: string, learnt: Habits): void;
};

/**
 * Lasts as long as the process: a provider that has learnt more is then asked for more. Each key has its own habits,
 * because any account may cause a refusal, and must teach no other account.
 */
export const habitStore = (): HabitStore => {
  const known = new Map<string, Habits>();
  const nameOf = ({ baseUrl, apiKey }: LlmProvider, model: string) => sha256(JSON.stringify([baseUrl, apiKey, model]));
  return {
    of: (provider, model) => known.get(nameOf(provider, model)) ?? {},
    learn(provider, model, learnt) {
      const name = nameOf(provider, model);
      const before = known.get(name);
      known.delete(name);
      known.set(name, { ...before, ...learnt });
      const [earliest] = known.keys();
      if (known.size > MOST && earliest !== undefined) known.delete(earliest);
    },
  };
};
