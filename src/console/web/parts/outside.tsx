import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { catalogue, chooseLanguage, LANGUAGES, language } from "../frame/texts/languages.ts";

const outsideTexts = catalogue({
  en: { language: "Language" },
  pt: { language: "Idioma" },
  es: { language: "Idioma" },
});

/** A page for somebody who has not signed in: a card in the middle, and the choice of a language below. */
export const OutsideCard = ({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: string;
  children: ComponentChildren;
}) => {
  useEffect(() => {
    document.title = `${title} · Recado`;
  }, [title]);
  return (
    <div class="outside-card">
      <p class="outside-brand">Recado</p>
      <section class="card">
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </section>
      <label class="outside-language">
        <span class="visually-hidden">{outsideTexts().language}</span>
        <select value={language.value} onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} selected={tag === language.value}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
};
