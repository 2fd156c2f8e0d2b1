import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { number } from "../../frame/texts/format.ts";
import { catalogue } from "../../frame/texts/languages.ts";
import { Button } from "../button.tsx";

const texts = catalogue({
  en: {
    newest: (shown: string) => `The newest ${shown} are shown.`,
    shown: (shown: string, all: string) => `${shown} of ${all} are shown`,
    some: (shown: string) => `${shown} are shown, and there are more`,
    more: "Show more",
  },
  pt: {
    newest: (shown: string) => `Aparecem os ${shown} itens mais novos.`,
    shown: (shown: string, all: string) => `${shown} de ${all} aparecem`,
    some: (shown: string) => `Aparecem ${shown}, e há mais`,
    more: "Mostrar mais",
  },
  es: {
    newest: (shown: string) => `Se muestran los ${shown} elementos más nuevos.`,
    shown: (shown: string, all: string) => `Se muestran ${shown} de ${all}`,
    some: (shown: string) => `Se muestran ${shown}, y hay más`,
    more: "Mostrar más",
  },
});

const STEP = 100;

/** Says how many rows of a list are shown, and of how many if that is known. Its button shows more. */
export const MoreRows = ({
  shown,
  all,
  isBusy = false,
  onMore,
}: {
  shown: number;
  all?: number | undefined;
  isBusy?: boolean;
  onMore: () => void;
}) => {
  const t = texts();
  return (
    <p class="more-rows">
      <span class="soft" role="status">
        {all === undefined ? t.some(number(shown)) : t.shown(number(shown), number(all))}
      </span>{" "}
      <Button isBusy={isBusy} onClick={onMore}>
        {t.more}
      </Button>
    </p>
  );
};

/**
 * Shows a long list in steps: it says their number, and each press shows more. `step`: the number of rows of a press.
 */
export const InSteps = <Row,>({
  rows,
  step = STEP,
  children,
}: {
  rows: readonly Row[];
  step?: number;
  children: (shown: readonly Row[]) => ComponentChildren;
}) => {
  const [shown, setShown] = useState(step);
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > shown && <MoreRows shown={shown} all={rows.length} onMore={() => setShown(shown + step)} />}
    </>
  );
};

/** Says that a list has only its newest rows, if it has reached its maximum length. */
export const NewestOnly = ({ rows, most }: { rows: readonly unknown[]; most: number }) =>
  rows.length < most ? null : <p class="soft small">{texts().newest(number(most))}</p>;
