import type { NewerRelease as Release } from "../../../../clients/typescript/src/generated/gateway.ts";
import { utcDay } from "../frame/texts/format.ts";
import { catalogue } from "../frame/texts/languages.ts";
import { Notice } from "./states.tsx";

const texts = catalogue({
  en: {
    released: (version: string, day: string) => `Version ${version} of ${day} is released.`,
    urgent: "The version in use should not stay in use: update now.",
    notes: "What has changed",
  },
  pt: {
    released: (version: string, day: string) => `A versão ${version}, de ${day}, foi lançada.`,
    urgent: "A versão em uso não deve continuar em uso: atualize agora.",
    notes: "O que mudou",
  },
  es: {
    released: (version: string, day: string) => `Se publicó la versión ${version}, del ${day}.`,
    urgent: "La versión en uso no debe seguir en uso: actualice ahora.",
    notes: "Qué ha cambiado",
  },
});

/** A release that is newer than the version in use. */
export const NewerRelease = ({ version, date, notes, isUrgent }: Release) => {
  const t = texts();
  return (
    <Notice tone={isUrgent ? "warning" : "info"}>
      {t.released(version, utcDay(date))} {isUrgent && t.urgent}{" "}
      {notes !== null && (
        <a href={notes} target="_blank" rel="noopener noreferrer">
          {t.notes}
        </a>
      )}
    </Notice>
  );
};
