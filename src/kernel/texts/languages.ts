/** The languages of the texts that people get: mails, alerts, and the doctor's report. */
export const LANGUAGES = ["pt", "en", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of this tag; undefined if Recado has no texts in it. */
export const languageIn = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === tag);

/** TABLE: how each language writes numbers and dates. */
const FORMS: Record<Language, { locale: string; date: Intl.DateTimeFormatOptions }> = {
  pt: { locale: "pt-BR", date: { day: "2-digit", month: "2-digit", year: "numeric" } },
  // a month by its name: readers of English disagree about the order of numbers
  en: { locale: "en-US", date: { day: "numeric", month: "short", year: "numeric" } },
  es: { locale: "es", date: { day: "2-digit", month: "2-digit", year: "numeric" } },
};

/** A day, given as `2026-11-23`: `23/11/2026`, `Nov 23, 2026`. */
export const dayText = (language: Language, day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(FORMS[language].locale, { ...FORMS[language].date, timeZone: "UTC" });

/** A time: `23/11/2026, 07:10 UTC`. */
export const timeText = (language: Language, atMs: number): string =>
  new Date(atMs).toLocaleString(FORMS[language].locale, {
    ...FORMS[language].date,
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
    timeZoneName: "short",
  });

/** A whole number: `1.200`, `1,200`. */
export const countText = (language: Language, count: number): string => count.toLocaleString(FORMS[language].locale);

/** An amount in reais: `R$ 1.299,90`, `R$1,299.90`, `1299,90 R$`. */
export const reaisIn = (language: Language, cents: number): string =>
  (cents / 100)
    .toLocaleString(FORMS[language].locale, { style: "currency", currency: "BRL", currencyDisplay: "narrowSymbol" })
    .replaceAll("\u00a0", " ");
