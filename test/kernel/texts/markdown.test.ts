import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WHATSAPP_MARKS } from "../../../src/contract/capabilities.ts";
import { inMarks } from "../../../src/kernel/texts/markdown.ts";

const BLOCK = "```";

describe("a model's Markdown in WhatsApp's marks, and plain", () => {
  test.each([
    ["bold", "Olá, **Maria**! __Hoje__ não.", "Olá, *Maria*! *Hoje* não.", "Olá, Maria! Hoje não."],
    [
      "a network's own mark, which a prompt asked for",
      "*Aberto* e _só hoje_",
      "*Aberto* e _só hoje_",
      "Aberto e só hoje",
    ],
    ["bold and italic", "***já*** e **a *b* c** e *a **b** c*", "_*já*_ e *a _b_ c* e _a *b* c_", "já e a b c e a b c"],
    ["strike and code", "~~R$ 20~~ `x*y*z`", "~R$ 20~ `x*y*z`", "R$ 20 x*y*z"],
    ["a heading, bold within too", "## Preços **hoje**\n\nR$ 10", "*Preços hoje*\n\nR$ 10", "Preços hoje\n\nR$ 10"],
    ["bold over lines", "**a\nb**", "*a*\n*b*", "a\nb"],
    [
      "a list",
      "* pão\n* **bolo**\n  - milho\n  - fubá",
      "- pão\n- *bolo*\n  - milho\n  - fubá",
      "- pão\n- bolo\n  - milho\n  - fubá",
    ],
    [
      "numbers of a list as they are",
      "1) um\n2) dois\n\n3. três",
      "1) um\n2) dois\n\n3. três",
      "1) um\n2) dois\n\n3. três",
    ],
    ["tasks", "- [x] feito\n- [ ] falta", "- ☑ feito\n- ☐ falta", "- ☑ feito\n- ☐ falta"],
    [
      "a link",
      "[Cardápio](https://a.test/x_y_z) [https://b.test](https://b.test)",
      "Cardápio (https://a.test/x_y_z) https://b.test",
      "Cardápio (https://a.test/x_y_z) https://b.test",
    ],
    [
      "addresses as they are",
      "https://a.test/a_b_c?d=*e* <https://b.test> eu@c.test",
      "https://a.test/a_b_c?d=*e* https://b.test eu@c.test",
      "https://a.test/a_b_c?d=*e* https://b.test eu@c.test",
    ],
    ["a picture", "![Bolo](https://a.test/b.png)", "Bolo (https://a.test/b.png)", "Bolo (https://a.test/b.png)"],
    [
      "a table",
      "| Produto | Preço |\n|:--|--:|\n| Bolo | **R$ 10** |\n| Pão | |\n\nFim",
      "- Produto: Bolo; Preço: *R$ 10*\n- Produto: Pão\n\nFim",
      "- Produto: Bolo; Preço: R$ 10\n- Produto: Pão\n\nFim",
    ],
    [
      "a block of code",
      `${BLOCK}js\nconst a = **1**;\n${BLOCK}\nFim`,
      `${BLOCK}\nconst a = **1**;\n${BLOCK}\nFim`,
      "const a = **1**;\nFim",
    ],
    ["a quotation", "> 18 anos\n> **sim**", "> 18 anos\n> *sim*", "> 18 anos\n> sim"],
    ["breaks and signs that are meant", "um<br>R\\$ 5 \\*não\\*", "um\nR$ 5 *não*", "um\nR$ 5 *não*"],
    ["marks within a word, which a network would show", "pre**fixo**s", "prefixos", "prefixos"],
  ])("%s", async (_form, markdown, marked, plain) => {
    expect(await inMarks(markdown, WHATSAPP_MARKS)).toBe(marked);
    expect(await inMarks(markdown, undefined)).toBe(plain);
  });

  test.each([
    "2 * 3 * 4 = 24; 5*2*3 = 30",
    "meu_arquivo_final.pdf, entre ~10 e ~20",
    "+ R$ 10\n+ R$ 20",
    "#1 mais vendido\n2026. Um ano.",
    "Oi!\n\n\nTudo bem?\n",
    "Preço <sob consulta> & frete > R$ 5",
    '{"text":"a \\"b\\" em C:\\\\dir"}',
    "    recuado",
  ])("what is no Markdown stays as it is: %p", async (text) => {
    expect(await inMarks(text, WHATSAPP_MARKS)).toBe(text);
    expect(await inMarks(text, undefined)).toBe(text);
  });

  test("words, numbers and blank lines stay as they are", async () => {
    const line = fc
      .string({ unit: fc.constantFrom("a", "á", "Z", "9", "ç", ",", ".", ";", ":", "?", "🙂", " "), maxLength: 30 })
      .map((text) => text.trim());
    const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join("\n"));
    await fc.assert(fc.asyncProperty(text, async (said) => expect(await inMarks(said, WHATSAPP_MARKS)).toBe(said)));
  });

  test("a text that would take long to read stays as it is, and one that is nested beyond reason", async () => {
    for (const part of ["*a_", "[", "> ", "**a ", "\\", "a@*", "- "]) {
      const text = part.repeat(100_000);
      expect(await inMarks(text, WHATSAPP_MARKS)).toBe(text);
    }
    expect(typeof (await inMarks("> ".repeat(999), WHATSAPP_MARKS))).toBe("string");
  });
});
