import type { LlmFailure } from "../../contract/ports/llm.ts";
import type { Habits } from "./llm-habits.ts";
import type { Manners } from "./llm-manners.ts";

// Refusals that hold for later requests too: the model or its provider takes no tools, or no pictures, at all. A refusal
// of a field, of a value or of one picture says nothing of the next request, so none of these sentences may fit it.

const NOT = String.raw`(?:n't|\bnot|\bcannot|no endpoints found that) (?:currently )?`;
const NO_SUPPORT = String.raw`${NOT}support (?:the )?(?:use of )?(?:parameters?:? )?['"\x60[]{0,2}`;
const UNAVAILABLE = String.raw`['"\x60\]]{0,2} (?:(?:is|are) )?(?:not (?:currently )?(?:supported|enabled|available)|unsupported|disabled)`;
const either = (...sentences: string[]): RegExp => new RegExp(sentences.join("|"), "i");

/** Ollama, OpenRouter, LiteLLM, Bedrock; then OpenAI, Groq, Gemini's Gemma, Hugging Face. */
const WITHOUT_TOOLS = either(
  String.raw`${NO_SUPPORT}(?:tools?\b(?! choice)|function[ _-]call)`,
  String.raw`(?:\btools|\btool[ _-](?:use|usage|calls?|calling)|\bfunction[ _-]call(?:s|ing)?)${UNAVAILABLE}`,
);
/** Strict providers, which do not know the field. Others name a part of it, such as `tools[0].function.strict`. */
const UNKNOWN_TOOLS = either(
  String.raw`\b(?:unknown|unrecogni[sz]ed|unsupported|unexpected)(?: request)?(?: \w{1,12})?(?: supplied)?:? ['"\x60[]{0,2}tools\b(?!['"\x60]?(?:\[|\.\w))`,
  String.raw`['"\x60]tools['"\x60] was unexpected`,
);
/** vLLM and llama.cpp, which were started without it. */
const SWITCHED_OFF = /--(?:enable-auto-tool-choice|tool-call-parser|jinja)\b/;
const OF_A_TOOL =
  /\btools?['"`]?(?:\[|\.\w)|descri|schema|propert|format|json|length|context|\btoo \w|at most|maximum|more than|parallel|multiple|custom|of type/i;

/** Whether the provider takes no tools for this model, as far as its refusal says. */
const isWithoutTools = ({ reason }: LlmFailure): boolean =>
  SWITCHED_OFF.test(reason) || UNKNOWN_TOOLS.test(reason) || (WITHOUT_TOOLS.test(reason) && !OF_A_TOOL.test(reason));

const PICTURES = String.raw`(?:images\b|image_url|image[ _-](?:inputs?|content|understanding)|vision|multi-?modal(?:ity| inputs?)?)`;
/** OpenRouter, Mistral, LM Studio; then llama.cpp. */
const WITHOUT_PICTURES = either(
  String.raw`${NO_SUPPORT}(?:${PICTURES}|image(?=$|[.,;!]))`,
  String.raw`${PICTURES}${UNAVAILABLE}`,
);
/** OpenAI, vLLM, DeepSeek, and providers whose contents are texts: Groq, and those that check with pydantic. */
const TEXTS_ALONE = either(
  "image_url is only supported by",
  "not a multi-?modal",
  "at most 0 image",
  String.raw`\b(?:unknown|unsupported|unrecogni[sz]ed) (?:content |part ){0,2}(?:variant|type):? ['"\x60]?image(?!\/)`,
  String.raw`\bcontent['"\x60]? ?:? ?(?:value |input )?(?:must|should) be a (?:valid )?string`,
  "string type expected",
);
const OF_A_PICTURE =
  /format|mime|\bsize|larger|resolution|pixel|png|jpe?g|webp|gif|heic|base64|\btoo \w|more than|at most [1-9]/i;

/** Whether the provider never takes pictures for this model, as far as its refusal says. */
const isWithoutPictures = ({ reason }: LlmFailure): boolean =>
  TEXTS_ALONE.test(reason) || (WITHOUT_PICTURES.test(reason) && !OF_A_PICTURE.test(reason));

/** What is learnt of a refusal after which a simpler request was taken. */
export const lastingOf = (
  failure: LlmFailure,
  before: Manners,
  { instructions, tools, empty, pictures }: Manners,
): Habits => ({
  ...(instructions === before.instructions ? {} : { instructions }),
  ...(empty === before.empty ? {} : { empty }),
  ...(tools !== before.tools && isWithoutTools(failure) ? { tools } : {}),
  ...(pictures !== before.pictures && isWithoutPictures(failure) ? { pictures } : {}),
});
