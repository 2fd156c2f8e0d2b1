import { type Reply, refusal } from "./replies.ts";
import { type Body, bad, type Models, type Refusal, unknownField, unknownModel } from "./requests.ts";

/** The calls about sound: a form with a file that becomes a text, and a text that becomes a file. */

/**
 * https://developers.openai.com/api/reference/resources/audio/subresources/transcriptions/methods/create; WAV alone:
 * https://github.com/ggml-org/whisper.cpp/blob/master/examples/server/server.cpp
 */
const ENDINGS = ["flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"];
const MAX_BYTES = 25 * 1024 * 1024;
const FORM_FIELDS = ["file", "model", "language", "prompt", "response_format", "temperature"];
const SPEECH_FIELDS = ["model", "input", "voice", "response_format", "speed", "instructions"];
const MAX_INPUT = 4096;

/** A form as a call notes it: its texts, and of its file the name, the type and the bytes. */
export const readForm = async (bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<Body | undefined> => {
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    const body: Body = {};
    for (const [name, value] of form.entries())
      body[name] =
        typeof value === "string" ? value : { name: value.name, type: value.type, bytes: await value.bytes() };
    return body;
  } catch {
    return undefined;
  }
};

/** The provider's refusal of a form with a sound; undefined if it accepts the form. */
export const transcriptionRefusal = (body: Body, { hearing, takesWavAlone }: Models): Reply | undefined => {
  const refused = unknownField(body, FORM_FIELDS) ?? unknownModel(body["model"], hearing);
  if (refused) return refused;
  const { file, language, response_format: format = "json" } = body;
  if (typeof file !== "object") return bad("file is a required property", "file");
  const ending = String(file.name).split(".").at(-1)?.toLowerCase() ?? "";
  if (!ENDINGS.includes(ending))
    return bad(`Invalid file format. Supported formats: ${JSON.stringify(ENDINGS)}`, "file");
  const unheard = soundRefusal(file.bytes, takesWavAlone);
  if (unheard) return unheard;
  if (language !== undefined && !/^[a-z]{2}$/.test(language))
    return bad(`Invalid language '${language}'. Language parameter must be specified in ISO-639-1 format.`, "language");
  return format === "json" ? undefined : bad(`response_format '${format}' is not compatible with the model`);
};

const soundRefusal = (bytes: Uint8Array, takesWavAlone: boolean): Reply | undefined => {
  if (bytes.length > MAX_BYTES)
    return refusal(413, `Maximum content size limit (${MAX_BYTES}) exceeded (${bytes.length} bytes read)`);
  if (bytes.length === 0) return bad("Audio file is too short. Minimum audio length is 0.1 seconds.", "file");
  if (takesWavAlone && markOf(bytes) !== "RIFF")
    return { is: "status", status: 400, body: '{"error":"failed to read audio data"}' };
  if (!isSound(bytes))
    return bad("The audio file could not be decoded or its format is not supported.", "file", "invalid_value");
  return undefined;
};

const MARKS = ["OggS", "RIFF", "ID3", "fLaC"];

const markOf = (bytes: Uint8Array, length = 4): string => Buffer.from(bytes.subarray(0, length)).toString("latin1");

const isSound = (bytes: Uint8Array): boolean =>
  MARKS.some((mark) => markOf(bytes, mark.length) === mark) || bytes[0] === 0xff;

/** https://developers.openai.com/api/reference/resources/audio/subresources/speech/methods/create */
export const speechRefusal = (body: Body, { speaking, voices, sounds }: Models): Refusal | undefined => {
  const refused = unknownField(body, SPEECH_FIELDS) ?? unknownModel(body["model"], speaking);
  if (refused) return refused;
  const { input, voice, response_format: format = "mp3" } = body;
  if (typeof input !== "string" || input.trim() === "") return bad("'input' must not be empty", "input");
  if (input.length > MAX_INPUT) return bad(`String should have at most ${MAX_INPUT} characters`, "input");
  if (!voices.has(voice))
    return bad(`Invalid value: '${voice}'. Supported values are: ${[...voices].join(", ")}.`, "voice");
  return sounds.has(format)
    ? undefined
    : bad(`Invalid value: '${format}'. Supported values are: ${[...sounds].join(", ")}.`, "response_format");
};
