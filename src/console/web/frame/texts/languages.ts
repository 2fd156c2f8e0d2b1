import { signal } from "@preact/signals";

/** TABLE: the languages of the console, by their tags, with their own names. */
export const LANGUAGES = { en: "English", pt: "Português (Brasil)", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

const TAGS: Record<Language, string> = { en: "en", pt: "pt-BR", es: "es" };

const isLanguage = (value: unknown): value is Language => typeof value === "string" && value in LANGUAGES;

/** The first language of the browser that the console has; else English. */
const languageOfBrowser = (): Language =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";

/** The language of all texts. A part that reads its value is drawn again when the person chooses another language. */
export const language = signal<Language>(languageOfBrowser());

/** The locale for dates and numbers: the browser's own variant of the language, such as `es-AR`, if it has one. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language.value}-`)) ?? TAGS[language.value];

/** Chooses the person's language; null: the browser's. */
export const chooseLanguage = (chosen: string | null): void => {
  language.value = isLanguage(chosen) ? chosen : languageOfBrowser();
};

/** The tag for the `lang` attribute of the page. */
export const languageTag = (): string => TAGS[language.value];

/** The same texts in another language: strings stay strings, and functions take the same values. */
type Same<Texts> = {
  [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : Texts[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Same<Texts[Name]>;
};

/**
 * The texts of a page in all languages. A missing text is a type error. The result is called in a component, and gives
 * the texts in the person's language.
 */
export const catalogue =
  <Texts extends object>(texts: { en: Texts; pt: Same<Texts>; es: Same<Texts> }): (() => Same<Texts>) =>
  () =>
    language.value === "en" ? (texts.en as Same<Texts>) : texts[language.value];

/** TABLE: the forms of a noun by the plural categories that the three languages use. */
export type Forms = { one: string; other: string };

/** A number with its noun, such as "1 phone", "1.200 telefones". */
export const counted = (count: number, forms: Forms): string => {
  const isOne = new Intl.PluralRules(languageTag()).select(count) === "one";
  return `${count.toLocaleString(locale())} ${isOne ? forms.one : forms.other}`;
};
