import { describe, expect, test } from "bun:test";
import { withoutEndMarks, withoutThoughts } from "../../../src/adapters/models/llm-thoughts.ts";

const THOUGHT = "Cliente parece irritado; não ofereça desconto.";
const ANSWER = "Claro, posso ajudar!";

describe("a model's thoughts are not in its answer", () => {
  test.each([
    ["<think>", `<think>\n${THOUGHT}\n</think>\n\n${ANSWER}`],
    ["a closing mark alone: the template opened it", `${THOUGHT}\n</think>\n\n${ANSWER}`],
    ["<thinking>", `<thinking>${THOUGHT}</thinking>${ANSWER}`],
    ["<thought>, opened and closed by two names", `<thought>${THOUGHT}</think>${ANSWER}`],
    ["<reasoning>", `<reasoning>${THOUGHT}</reasoning>\n${ANSWER}`],
    ["<reflection> and <think>", `<think>${THOUGHT}</think><reflection>${THOUGHT}</reflection>${ANSWER}`],
    ["in capitals, with attributes and blanks", `<THINK budget="9">${THOUGHT}</ think >${ANSWER}`.replace("k >", "k>")],
    ["with a line break within its marks", `<think\n>${THOUGHT}</think\n>${ANSWER}`],
    ["nested", `<think>${THOUGHT}<think>${THOUGHT}</think>${THOUGHT}</think>${ANSWER}`],
    ["a mark as a word of the thoughts", `<think>${THOUGHT} I wrote <think> before. </think>${ANSWER}`],
    ["another mark within", `<think>${THOUGHT}</reasoning>${THOUGHT}</think>${ANSWER}`],
    ["twice", `<think>${THOUGHT}</think>Claro, <think>${THOUGHT}</think>posso ajudar!`],
    ["never closed, after the answer", `${ANSWER}\n<think>${THOUGHT}`],
    ["closed twice", `<think>${THOUGHT}</think>${THOUGHT}</think>${ANSWER}`],
    ["Seed-OSS", `<seed:think>${THOUGHT}</seed:think>${ANSWER}`],
    ["Magistral", `[THINK]${THOUGHT}[/THINK]${ANSWER}`],
    ["Kimi", `◁think▷${THOUGHT}◁/think▷${ANSWER}`],
    ["Cohere", `<|START_THINKING|>${THOUGHT}<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`],
    [
      "OpenThinker",
      `<|begin_of_thought|>${THOUGHT}<|end_of_thought|><|begin_of_solution|>${ANSWER}<|end_of_solution|>`,
    ],
    ["GLM, its answer in a box", `<think>${THOUGHT}</think><|begin_of_box|>${ANSWER}<|end_of_box|>`],
    ["Open WebUI", `<details type="reasoning" done="true"><summary>Thought</summary>${THOUGHT}</details>\n${ANSWER}`],
    ["R1-Zero", `<think>${THOUGHT}</think><answer>${ANSWER}</answer>`],
    [
      "harmony",
      `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
    ],
    [
      "harmony, from its very start and with a commentary",
      `<|start|>assistant<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>commentary to=a<|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
    ],
    ["harmony without its marks", `analysis${THOUGHT}assistantfinal${ANSWER}`],
    ["Gemma", `<|channel>thought\n${THOUGHT}\n<channel|>${ANSWER}`],
  ])("%s", (_form, text) => {
    expect(withoutThoughts(text)).toBe(ANSWER);
  });

  test.each([
    ["never closed", `<think>${THOUGHT}`],
    ["closed and nothing behind", `<think>${THOUGHT}</think>\n\n`],
    ["closed by another name, and what follows may be thought", `<think>${THOUGHT}</reasoning>${THOUGHT}`],
    ["harmony that ends in its analysis", `<|channel|>analysis<|message|>${THOUGHT}`],
    ["harmony that calls a tool", `<|channel|>commentary to=functions.a<|message|>{"a":1}<|call|>`],
    ["Gemma's, never closed", `<|channel>thought\n${THOUGHT}`],
  ])("nothing is left: %s", (_form, text) => {
    expect(withoutThoughts(text)).toBe("");
  });
});

test.each([
  ["a plain answer, with what is around it", `  ${ANSWER}\n`],
  ["words about thinking", "I think, therefore <b>I am</b>. 2 < 3 [think about it](https://a.test) analysis: final"],
  ["details of the answer's own", "<details><summary>Preço</summary>R$ 10</details>"],
  ["a word that begins like a mark", "<thinker>Rodin</thinker>"],
  ["an <answer> without thoughts", "<answer>42</answer>"],
])("an answer without thoughts stays as it is: %s", (_form, text) => {
  expect(withoutThoughts(text)).toBe(text);
});

test.each([
  "<think",
  "<think ",
  "</think>",
  "<think>",
  "<details ",
  "<details reasoning",
  "<|channel|>",
  "<|channel|>final",
  "<|start|> ",
  "[",
])("4 MB of %p are read in linear time: another would need hours", (part) => {
  expect(withoutThoughts(`${part.repeat(4_000_000 / part.length)}`).length).toBeLessThanOrEqual(4_000_000);
});

describe("the end marks of a model's template are not in its answer", () => {
  test.each([
    "<|im_end|>",
    "</s>",
    "<|eot_id|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|END_OF_TURN_TOKEN|>",
    "<｜end▁of▁sentence｜>",
    "<eos>",
    "<end_of_turn>\n<eos> \n",
    " <|im_end|><|im_end|>",
  ])("%s", (mark) => {
    expect(withoutEndMarks(`${ANSWER}${mark}`)).toBe(ANSWER);
  });

  test("nothing is left of marks alone", () => {
    expect(withoutEndMarks("<|im_end|>\n</s>")).toBe("");
  });

  test.each([`  ${ANSWER}\n`, "<|im_end|> ends a turn in ChatML.", "De <b>R$ 9</b> por R$ 7: <s>R$ 9</s>", "a <eos"])(
    "an answer without one at its end stays as it is: %p",
    (text) => {
      expect(withoutEndMarks(text)).toBe(text);
    },
  );

  test.each(["</s>", "<eos> ", " \n", "<|"])("4 MB of %p are read in linear time", (part) => {
    expect(withoutEndMarks(`${part.repeat(4_000_000 / part.length)}`).length).toBeLessThanOrEqual(4_000_000);
  });
});
