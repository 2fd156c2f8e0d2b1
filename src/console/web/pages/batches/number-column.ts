import { readNumber } from "../../../../kernel/numbers/written-numbers.ts";
import type { CsvRecord } from "../../../../kernel/texts/csv.ts";
import { payerNumberIn } from "../../parts/forms/payer-number.ts";

/** The number of lines that are read. */
const MOST_LOOKED_AT = 50;
const FEWEST_DIGITS = 8;

/**
 * The column with the telephone numbers; undefined without such a column. Each column gets points for its cells and for
 * its heading. Of equal columns the first counts.
 */
export const numberColumn = (
  titles: readonly string[],
  rows: readonly CsvRecord[],
  country: string,
): number | undefined => {
  const points = titles.map((title, index) => {
    const cells = rows.slice(0, MOST_LOOKED_AT).map((row) => row.cells[index]?.trim() ?? "");
    const own = pointsOf(cells, country);
    return own > 0 ? own + headingPoints(title) : 0;
  });
  const most = Math.max(0, ...points);
  return most > 0 ? points.indexOf(most) : undefined;
};

/** The average points of a column's cells. Blank cells get no points, so that the fuller column wins. */
const pointsOf = (cells: readonly string[], country: string): number => {
  const filled = cells.filter((cell) => cell !== "");
  const others = filled.filter(isOther).length;
  // one number in a hundred has the check digits of a CPF by chance
  if (filled.length === 0 || others > filled.length / 2) return 0;
  return cells.reduce((sum, cell) => sum + worthOf(cell, country), 0) / cells.length;
};

const POSTCODE = /^\d{5}-\d{3}$/;
/** Whether a cell has the form of something else that has many digits. */
const isOther = (cell: string): boolean => POSTCODE.test(cell) || payerNumberIn(cell) !== undefined;

/** Whether a cell has a telephone number, or digits that may be one. */
export const mayBeNumber = (cell: string, country: string): boolean => worthOf(cell.trim(), country) > 0;

const worthOf = (cell: string, country: string): number => {
  const { digits, isMobile, fault } = { isMobile: false, ...readNumber(cell, country) };
  if (digits !== undefined) return isMobile ? 2 : 1.8;
  const isLong = cell.replaceAll(/\D/g, "").length >= FEWEST_DIGITS;
  return isLong && fault !== "number" && fault !== "date" && fault !== "taxpayer" ? 0.5 : 0;
};

/** TABLE: the meaning of the words of a heading, in the languages of the console, without accents. */
const HEADINGS: readonly { words: readonly string[]; points: number }[] = [
  {
    words: "cel celular celulares cell cellphone movil moviles mobile whatsapp whats wpp wa zap zapzap zapp".split(" "),
    points: 1,
  },
  { words: "telefone telefones telefono telefonos telephone phone phones fone fones tel".split(" "), points: 0.8 },
  { words: "numero numeros number numbers contato contacto contact to para".split(" "), points: 0.4 },
  {
    words: "pedido pedidos order orders id code codigo nome name nombre fatura factura invoice nota ref".split(" "),
    points: -1.5,
  },
  {
    words:
      "label type tipo rotulo etiqueta fax pager cpf cnpj rg dni rfc curp cep zip postal postcode data date fecha nascimento nacimiento birthday aniversario preco precio price valor total email mail".split(
        " ",
      ),
    points: -10,
  },
];

const headingPoints = (title: string): number => {
  const words = wordsOf(title);
  const said = HEADINGS.filter((heading) => heading.words.some((word) => words.has(word))).map(({ points }) => points);
  return Math.max(0, ...said) + Math.min(0, ...said);
};

/** `Phone 1 - Value`, `phoneNumber` and `telefone_2` in words without accents. */
const wordsOf = (title: string): ReadonlySet<string> =>
  new Set(
    title
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}]+/u),
  );
