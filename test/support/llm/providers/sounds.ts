import { QUESTION, ANSWER as SPOKEN } from "../../files/speech.ts";
import { type Reply, refused, type Sounds, strangerIn } from "./server.ts";

const heard = (more: object = {}): Reply => ({ body: { text: QUESTION.words, ...more } });
const spoken = (type = "audio/ogg"): Reply => ({ body: SPOKEN.bytes, type });

/** A form as OpenAI takes it; `fields` are those beside the file. */
const takeForm = (body: any, ...fields: string[]): Reply => {
  const stranger = strangerIn(body, "file", "model", ...fields);
  if (stranger) return refused(400, `Unrecognized request argument supplied: ${stranger}`);
  return body.file?.bytes.length > 0 ? heard() : refused(400, "file is a required property");
};
const takeOpenAisForm = (body: any): Reply => takeForm(body, "language", "response_format", "temperature", "prompt");

/** A text that is spoken in these formats. */
const speakIn =
  (...formats: string[]) =>
  (body: any): Reply =>
    formats.includes(body.response_format) && typeof body.voice === "string"
      ? spoken()
      : refused(400, `response_format must be one of [${formats.join(" ")}]`);
const speakAsOpenAi = speakIn("mp3", "opus", "aac", "flac", "wav", "pcm");

const NONE: Pick<Sounds, "transcribes" | "speaks"> = { transcribes: /./, speaks: /./ };

/** TABLE: the fifteen providers of the matrix. */
export const SOUNDS: Readonly<Record<string, Sounds>> = {
  OpenAI: {
    transcribes: true,
    speaks: true,
    quirks: [["a form with a file whose name shows its format", "developers.openai.com, audio transcriptions"]],
    transcribe: takeOpenAisForm,
    speak: speakAsOpenAi,
  },
  "Azure OpenAI": {
    transcribes: true,
    speaks: true,
    quirks: [["as OpenAI, at the deployment of the model", "learn.microsoft.com, audio of Azure OpenAI"]],
    transcribe: takeOpenAisForm,
    speak: speakAsOpenAi,
  },
  Mistral: {
    transcribes: true,
    speaks: true,
    quirks: [
      ["no response_format for what is heard", "docs.mistral.ai, file transcription"],
      ["a voice is named by voice_id, and its sound is base64 in JSON", "docs.mistral.ai, speech generation"],
    ],
    transcribe: (body) =>
      body.response_format === undefined
        ? heard({ usage: { prompt_audio_seconds: 3, prompt_tokens: 4 } })
        : { status: 422, body: { object: "error", message: { detail: [{ msg: "Extra inputs are not permitted" }] } } },
    speak: (body) =>
      body.voice === undefined && typeof body.voice_id === "string"
        ? { body: { audio_data: Buffer.from(SPOKEN.bytes).toString("base64") } }
        : { status: 422, body: { object: "error", message: { detail: [{ msg: "Extra inputs are not permitted" }] } } },
  },
  DeepSeek: { ...NONE, quirks: [["no sound", "api-docs.deepseek.com"]] },
  Groq: {
    transcribes: true,
    speaks: true,
    quirks: [["WAV alone is made", "console.groq.com, speech"]],
    transcribe: takeOpenAisForm,
    speak: speakIn("wav"),
  },
  OpenRouter: {
    transcribes: true,
    speaks: true,
    quirks: [
      ["the base64 of a sound in JSON; a form only since 2026", "openrouter.ai, speech-to-text"],
      ["MP3 and PCM alone are made", "openrouter.ai, text-to-speech"],
    ],
    transcribe: ({ input_audio: sound }) =>
      typeof sound?.data === "string" && sound.format === "ogg"
        ? heard({ usage: { seconds: 3, cost: 0.001 } })
        : refused(400, "Invalid JSON in the request body: input_audio is required"),
    speak: speakIn("mp3", "pcm"),
  },
  "Gemini’s OpenAI door": { ...NONE, quirks: [["no address of sound was found in its documents", "ai.google.dev"]] },
  "Bedrock Access Gateway": { ...NONE, quirks: [["no sound", "aws-samples/bedrock-access-gateway, README"]] },
  Ollama: {
    transcribes: true,
    speaks: true,
    quirks: [["both since 0.40.8", "w3cschool.cn, a copy of docs.ollama.com for 0.40.12"]],
    transcribe: takeOpenAisForm,
    speak: speakIn("wav"),
  },
  "LM Studio": {
    ...NONE,
    quirks: [["no sound; an unknown address is an error in a 200", "lmstudio-ai/lmstudio-bug-tracker#1715"]],
    transcribe: () => ({ body: { error: "Unexpected endpoint or method. (POST /v1/audio/transcriptions)" } }),
    speak: () => ({ body: { error: "Unexpected endpoint or method. (POST /v1/audio/speech)" } }),
  },
  vLLM: {
    transcribes: true,
    speaks: /./,
    quirks: [["Whisper and its like are heard, nothing is spoken", "docs.vllm.ai, OpenAI-compatible server"]],
    transcribe: takeOpenAisForm,
  },
  "llama.cpp": {
    transcribes: true,
    speaks: /./,
    quirks: [
      ["models that take sound hear it", "ggml-org/llama.cpp#21863"],
      ["WAV and MP3 alone", "ggml-org/llama.cpp#24164"],
    ],
    transcribe: (body) =>
      Buffer.from(body.file.bytes).toString("latin1", 0, 4) === "RIFF"
        ? heard({ type: "transcript.text.done", usage: { input_tokens: 30, output_tokens: 8 } })
        : { status: 400, body: { error: { code: 400, message: "Failed to load image or audio file" } } },
  },
  LocalAI: {
    transcribes: true,
    speaks: true,
    quirks: [["segments beside the text", "localai.io, audio to text"]],
    transcribe: (body) =>
      body.file ? heard({ segments: [{ id: 0, text: QUESTION.words }] }) : refused(400, "no file"),
    speak: speakIn("wav", "mp3", "flac"),
  },
  "Text Embeddings Inference": {
    ...NONE,
    quirks: [["no sound", "huggingface/text-embeddings-inference, README"]],
  },
  LiteLLM: {
    transcribes: true,
    speaks: true,
    quirks: [["what is behind it hears and speaks", "docs.litellm.ai, /audio/transcriptions and /audio/speech"]],
    transcribe: takeOpenAisForm,
    speak: speakAsOpenAi,
  },
};
