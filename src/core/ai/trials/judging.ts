import { hasPhrase, termsOf, type Words } from "./comparing.ts";

/** The verdict about an answer. `missing`: the facts that it has not. `saysUnknown`: it says that it does not know. */
export type Verdict = { hasPassed: boolean; missing: string[]; saysUnknown: boolean };

/**
 * How agents say in the three languages of the console that they do not know. An answer in another language has a fact
 * that says so.
 */
const PHRASES = {
  pt: [
    "não sei",
    "não tenho essa informação",
    "não tenho esta informação",
    "não tenho informação",
    "não tenho informações",
    "não tenho essas informações",
    "não tenho acesso a essa informação",
    "não tenho dados",
    "não possuo essa informação",
    "não possuo informações",
    "não disponho",
    "não encontrei",
    "não consta",
    "não tenho certeza",
    "não sou capaz de responder",
    "não consigo responder",
    "desconheço",
  ],
  en: [
    "i do not know",
    "i don't know",
    "don't have that information",
    "don't have this information",
    "don't have information",
    "don't have any information",
    "do not have that information",
    "do not have information",
    "do not have any information",
    "don't have details",
    "no information about",
    "i'm not sure",
    "i am not sure",
    "i'm unable to answer",
    "cannot answer",
    "can't answer",
    "couldn't find",
    "could not find",
  ],
  es: [
    "no lo sé",
    "no sé la respuesta",
    "no tengo esa información",
    "no tengo información",
    "no dispongo de",
    "no cuento con",
    "desconozco",
    "no encontré",
    "no encuentro",
    "no puedo responder",
  ],
};
const UNKNOWN = Object.values(PHRASES).flat().map(termsOf);

const saysUnknown = (answer: Words): boolean => UNKNOWN.some((phrase) => hasPhrase(answer, phrase));

type Expected = { facts: readonly string[]; expectUnknown: boolean };

/** Judges an answer by its text alone: the same answer always has the same verdict, and no model is asked. */
export const judge = (answer: string, { facts, expectUnknown }: Expected): Verdict => {
  const words = termsOf(answer);
  const missing = facts.filter((fact) => !hasPhrase(words, termsOf(fact)));
  const isUnknown = saysUnknown(words);
  return { hasPassed: expectUnknown ? isUnknown : missing.length === 0, missing, saysUnknown: isUnknown };
};
