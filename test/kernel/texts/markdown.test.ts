import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WHATSAPP_MARKS } from "../../../src/contract/capabilities.ts";
import { inMarks } from "../../../src/kernel/texts/markdown.ts";

const BLOCK = "```";
const SIGNS = [...Array.from(" *_~#>-=!():."), ", ", "  ", "\n", "\n\n", "**", "__", "~~", "- ", "+ ", "1. "];
const WORDS = ["a", "9", "🙂", "R$ 5 * 3", "snake_case_a", "https://a.test/_b_/*c*", "ana_b@c.test"];

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
    [
      "a file with lines around its name",
      "Abra __init__.py e __main__()",
      "Abra __init__.py e __main__()",
      "Abra __init__.py e __main__()",
    ],
    [
      "a path of Windows",
      String.raw`C:\_backup\_novo, \_ não \*`,
      String.raw`C:\_backup\_novo, _ não *`,
      String.raw`C:\_backup\_novo, _ não *`,
    ],
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
    ["tasks with a line between", "- [x] feito\n\n- [ ] falta", "- ☑ feito\n\n- ☐ falta", "- ☑ feito\n\n- ☐ falta"],
    ["a list of stars", "*   a\n    *   b\nc", "- a\n    - b\nc", "- a\n    - b\nc"],
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
    ["an address of mail", "[a@b.test](mailto:a@b.test)", "a@b.test", "a@b.test"],
    [
      "a line right below a table",
      "| Produto | Preço |\n|---|---|\n| Bolo | 10 |\nObrigado!",
      "- Produto: Bolo; Preço: 10\nObrigado!",
      "- Produto: Bolo; Preço: 10\nObrigado!",
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
    "Aviso\n:-",
    "Aviso\n:-\nSó hoje",
    "| a | b |\n|---|---|",
    "| a |\n|---|\n| b | c |",
    `${BLOCK}Pix: 123\n456${BLOCK}`,
    `${BLOCK}Chave Pix\n123\n${BLOCK}`,
    "~~~a",
    "9. a\na",
    "9.  a",
    "Total:\n- 2 bolos\nObrigado!",
    "1. Rua A, 10\nBairro B",
    "1. Rua A, 10\n   Bairro B\n\n   Casa 2",
    "- bolos\n    - milho\n      fresco\n- pães",
    "R$ 5 * 3, R$ 5*3 e 2*R$ 5*",
    "De R$10~20 a R$30~40",
    "10 kg~20 kg ou a~b",
    "2**3**4, 5~~0~~0 e 1`2`3",
    "**R$ 10**00",
    "Pix: ana_maria_1@loja_a.test ou 123e4567-e89b-12d3-a456-426614174000 ou +55 11 99999-0000",
    "https://a.test/_a_/b_c?d=*e*&f=__g__",
    "Entrega em 2~3 dias e frete de R$ 10~15.",
    "9h~12h e 14h~18h, R$10~R$20 e R$30~R$40",
    "j**o@a.test ou m**a@b.test, CPF 123.***.***-09, 2**3**2",
    `Pix copia e cola:\n${BLOCK}00020126580014br.gov.bcb.pix4567\n${BLOCK}`,
    "Linha um\nLinha dois\nLinha três\n---\nTotal: 5",
    "jo~ao@a.test e ma~ria@b.test",
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

  test("no letter, digit or price is lost, and each stays in its order, whatever signs are around", async () => {
    const part = fc.constantFrom(...SIGNS, ...WORDS);
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join("").replaceAll(/~{3,}/g, "~~"));
    const lettersOf = (said: string): string => said.match(/[\p{L}\p{N}$🙂,]/gu)?.join("") ?? "";
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(WHATSAPP_MARKS, undefined), async (said, marks) =>
        expect(lettersOf(await inMarks(said, marks))).toBe(lettersOf(said)),
      ),
    );
  });

  test("a text that would take long to read stays as it is, and one that is nested beyond reason", async () => {
    for (const part of ["*a_", "[", "> ", "**a ", "\\", "a@*", "- "]) {
      const text = part.repeat(100_000);
      expect(await inMarks(text, WHATSAPP_MARKS)).toBe(text);
    }
    expect(typeof (await inMarks("> ".repeat(999), WHATSAPP_MARKS))).toBe("string");
  });
});
