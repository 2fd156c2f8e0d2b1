// Models think aloud. Servers that do not take the thoughts out (vLLM without a parser, LM Studio, llama.cpp, Groq's raw
// format) leave them in the text, each model's in marks of its own: <think> (DeepSeek, Qwen; the template may have opened
// it in the prompt), [THINK] (Magistral), ◁think▷ (Kimi), <seed:think> (Seed-OSS), <|begin_of_thought|>, <|START_THINKING|>
// (Cohere), <|channel> (Gemma), <details type="reasoning"> (Open WebUI), and the channels of OpenAI's harmony.

/** Names of one mark, which models mix, and names of other marks. */
const THINK = "think|thinking|thoughts?|seed:think|ant_?thinking";
const OTHERS = "reasoning|reflection|analysis|scratchpad|inner_monologue";
/** A closing mark has a group of the name that begins with `end`. */
const MARK = new RegExp(
  `<(?<endTag>/?) ?(?:${THINK}|(?<other>${OTHERS}))(?:\\s[^<>/]{0,300})?>` +
    "|◁(?<endSign>/?)think▷" +
    "|\\[(?<endBracket>/?)THINK\\]" +
    "|<\\|(?<token>(?:begin_of_thought|START_THINKING)|(?<endToken>end_of_thought|END_THINKING))\\|>" +
    "|<(?<channel>\\|channel>|(?<endChannel>channel\\|>))" +
    // two repetitions around a word would take the check of patterns minutes
    "|<(?<details>details [^<>]{0,600}|(?<endDetails>/details))>",
  "gi",
);
const REASONING = /reasoning/i;
/** The marks around the answers of models that mark their thoughts. */
const AROUND_ANSWER = /<\|(?:begin_of_|end_of_|START_|END_)(?:solution|RESPONSE|TEXT|box)\|>/g;
const ANSWER_TAG = /<\/?(?:final_)?answer>/gi;

type Mark = { at: number; end: number; kind: string; closes: boolean };

const markOf = ({ 0: text, index: at, groups = {} }: RegExpExecArray): Mark => {
  const { other, token, channel, details, endTag, endSign, endBracket, endToken, endChannel, endDetails } = groups;
  const end = endTag || endSign || endBracket || endToken || endChannel || endDetails;
  const kind =
    other?.toLowerCase() ?? ((token && "token") || (channel && "channel") || (details && "details") || "think");
  return { at, end: at + text.length, kind, closes: Boolean(end) };
};

/**
 * The text outside the marks. A closing mark without an opening one ends thoughts that began before the text. An
 * opening mark within thoughts is one of their words; thoughts that are never closed last to the end.
 */
const outsideMarks = (text: string): string => {
  let kept = "";
  let from = 0;
  let within: string | undefined;
  for (const found of text.matchAll(MARK)) {
    const { at, end, kind, closes } = markOf(found);
    if (within !== undefined && !(closes && kind === within)) continue;
    // of the answer's own
    if (kind === "details" && (closes ? within === undefined : !REASONING.test(found[0]))) continue;
    kept = closes ? (within === undefined ? "" : kept) : kept + text.slice(from, at);
    within = closes ? undefined : kind;
    from = end;
  }
  return within === undefined ? kept + text.slice(from) : kept;
};

const CHANNEL = "<|channel|>";
const MESSAGE = "<|message|>";
const END_OF_MESSAGE = /<\|(?:end|return|call|start)\|>/;
const START_OF_MESSAGE = /<\|start\|>(?:assistant)?/g;

/** The final channel of a text in harmony's channels; a text without channels stays unchanged. */
const finalChannel = (text: string): string => {
  const [before = "", ...channels] = text.split(CHANNEL);
  if (channels.length === 0) return unmarkedChannels(text);
  const said = channels.flatMap((channel) => {
    const [head = "", ...message] = channel.split(MESSAGE);
    return head.trimStart().startsWith("final") ? message.join("").split(END_OF_MESSAGE, 1) : [];
  });
  return before.replaceAll(START_OF_MESSAGE, "") + said.join("");
};

const ANALYSIS = /^\s{0,20}(?:assistant)?analysis(?=\S)/;
const FINAL = "assistantfinal";

/** Harmony whose special tokens the server has taken out: `analysisWe need …assistantfinalHello`. */
const unmarkedChannels = (text: string): string => {
  const at = ANALYSIS.test(text) ? text.lastIndexOf(FINAL) : -1;
  return at < 0 ? text : text.slice(at + FINAL.length);
};

/** A model's answer without its thoughts; "" if it has only thoughts. An answer without thoughts stays unchanged. */
export const withoutThoughts = (text: string): string => {
  const spoken = outsideMarks(finalChannel(text)).replaceAll(AROUND_ANSWER, "");
  return spoken === text ? text : spoken.replaceAll(ANSWER_TAG, "").trim();
};

/**
 * The marks by which templates end a turn, as servers with another template leave them in the text: of ChatML (Qwen),
 * Llama and Mistral, Llama 3 and 4, Gemma, Phi, Cohere and DeepSeek.
 */
const END_MARKS = [
  "<|im_end|>",
  "</s>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|eot|>",
  "<|end_of_text|>",
  "<|endoftext|>",
  "<|end|>",
  "<end_of_turn>",
  "<eos>",
  "<|END_OF_TURN_TOKEN|>",
  "<｜end▁of▁sentence｜>",
];

/** An answer without the template's marks at its end. An answer without them stays unchanged. */
export const withoutEndMarks = (text: string): string => {
  const marks = END_MARKS.filter((mark) => mark !== "</s>" || !text.includes("<s>")); // HTML strikes out so
  let kept = text;
  for (;;) {
    const words = kept.trimEnd();
    const mark = marks.find((end) => words.endsWith(end));
    if (mark === undefined) return kept === text ? text : words;
    kept = words.slice(0, -mark.length);
  }
};
