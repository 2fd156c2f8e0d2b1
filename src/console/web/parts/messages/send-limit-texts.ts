import { bytes, number } from "../../frame/texts/format.ts";
import { catalogue, counted, type Forms } from "../../frame/texts/languages.ts";
import type { FileFault, TextUse } from "./send-limits.ts";

type Units = Readonly<Record<TextUse["unit"], Forms>>;

/** TABLE: the units of a text's length, by language. */
const UNITS = {
  en: { characters: { one: "character", other: "characters" }, bytes: { one: "byte", other: "bytes" } },
  pt: { characters: { one: "caractere", other: "caracteres" }, bytes: { one: "byte", other: "bytes" } },
  es: { characters: { one: "carácter", other: "caracteres" }, bytes: { one: "byte", other: "bytes" } },
} as const satisfies Record<string, Units>;

const inUnits = (units: Units, unit: TextUse["unit"], count: number): string => counted(count, units[unit]);

const texts = catalogue({
  en: {
    use: (has: string, { unit, most }: TextUse) => `${has} of ${inUnits(UNITS.en, unit, most)}`,
    over: (has: string, { unit, most }: TextUse) =>
      `The text has ${has} of at most ${inUnits(UNITS.en, unit, most)}. Shorten it.`,
    unsent: "This network does not take such files.",
    size: (size: string, most: string) => `The file has ${size}; this network takes at most ${most}.`,
    type: (taken: string) => `This network does not take files of this type. It takes: ${taken}.`,
  },
  pt: {
    use: (has: string, { unit, most }: TextUse) => `${has} de ${inUnits(UNITS.pt, unit, most)}`,
    over: (has: string, { unit, most }: TextUse) =>
      `O texto tem ${has} de no máximo ${inUnits(UNITS.pt, unit, most)}. Encurte-o.`,
    unsent: "Esta rede não aceita arquivos assim.",
    size: (size: string, most: string) => `O arquivo tem ${size}; esta rede aceita no máximo ${most}.`,
    type: (taken: string) => `Esta rede não aceita arquivos deste tipo. Ela aceita: ${taken}.`,
  },
  es: {
    use: (has: string, { unit, most }: TextUse) => `${has} de ${inUnits(UNITS.es, unit, most)}`,
    over: (has: string, { unit, most }: TextUse) =>
      `El texto tiene ${has} de un máximo de ${inUnits(UNITS.es, unit, most)}. Acórtelo.`,
    unsent: "Esta red no acepta archivos así.",
    size: (size: string, most: string) => `El archivo tiene ${size}; esta red acepta como máximo ${most}.`,
    type: (taken: string) => `Esta red no acepta archivos de este tipo. Acepta: ${taken}.`,
  },
});

/** The length of a text beside its limit, or that it is too long. */
export const lengthText = (use: TextUse): string => {
  const t = texts();
  return use.isOver ? t.over(number(use.has), use) : t.use(number(use.has), use);
};

/** Why the network does not take a file. */
export const fileFaultText = (fault: FileFault, size: number): string => {
  const t = texts();
  switch (fault.is) {
    case "unsent":
      return t.unsent;
    case "size":
      return t.size(bytes(size), bytes(fault.most));
    case "type":
      return t.type(fault.taken.join(", "));
  }
};
