import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { number } from "../frame/format.ts";
import { catalogue } from "../frame/languages.ts";
import { Button } from "./button.tsx";

const texts = catalogue({
  en: {
    newest: (shown: string) => `The newest ${shown} are shown.`,
    shown: (shown: string, all: string) => `${shown} of ${all} are shown`,
    more: "Show more",
  },
  pt: {
    newest: (shown: string) => `Aparecem os ${shown} itens mais novos.`,
    shown: (shown: string, all: string) => `${shown} de ${all} aparecem`,
    more: "Mostrar mais",
  },
  es: {
    newest: (shown: string) => `Se muestran los ${shown} elementos más nuevos.`,
    shown: (shown: string, all: string) => `Se muestran ${shown} de ${all}`,
    more: "Mostrar más",
  },
});

const STEP = 100;

/** Shows a long list in steps: how many there are is said, and each press shows more. `step`: how many at a time. */
export const InSteps = <Row,>({
  rows,
  step = STEP,
  children,
}: {
  rows: readonly Row[];
  step?: number;
  children: (shown: readonly Row[]) => ComponentChildren;
}) => {
  const t = texts();
  const [shown, setShown] = useState(step);
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > shown && (
        <p class="more-rows">
          <span class="soft" role="status">
            {t.shown(number(shown), number(rows.length))}
          </span>{" "}
          <Button onClick={() => setShown(shown + step)}>{t.more}</Button>
        </p>
      )}
    </>
  );
};

/** Says that a list has its newest rows alone, where it is as long as it may be. */
export const NewestOnly = ({ rows, most }: { rows: readonly unknown[]; most: number }) =>
  rows.length < most ? null : <p class="soft small">{texts().newest(number(most))}</p>;
