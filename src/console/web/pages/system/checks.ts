import { checkNameIn } from "../../../../doctor/words.ts";
import { language } from "../../frame/texts/languages.ts";

/** The name of a check in the person's language. */
export const checkName = (name: string): string => checkNameIn(language.value, name);
