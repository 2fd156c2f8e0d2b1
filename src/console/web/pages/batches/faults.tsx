import { Download } from "lucide-preact";
import { number } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { download } from "../../parts/download.ts";
import { Notice } from "../../parts/states.tsx";
import { written } from "./csv.ts";
import { type ChosenFile, MOST_RECIPIENTS } from "./draft.ts";
import type { Checked, Fault } from "./mapping.ts";
import { batchesTexts } from "./texts.ts";

/** The number of faults that the page lists. The file to download has all. */
const SHOWN = 50;

/** The lines that the server's own checks would refuse. The page finds them before it sends anything. */
export const Faults = ({ file, found }: { file: ChosenFile; found: Checked }) => {
  const t = batchesTexts();
  const { good, faults } = found;
  if (!file.sheet.columns.some(({ role }) => role === "number")) return <Notice tone="bad">{t.file.noNumbers}</Notice>;
  if (good.length > MOST_RECIPIENTS) return <Notice tone="bad">{t.file.tooMany(number(MOST_RECIPIENTS))}</Notice>;
  if (faults.length === 0) return <Notice tone="good">{t.faults.all}</Notice>;
  return (
    <Notice tone="warning">
      <p>
        <b>{t.faults.good(good.length)}</b>, {t.faults.bad(faults.length)}.
      </p>
      <ul class="csv-faults" aria-label={t.faults.list} tabIndex={0}>
        {faults.slice(0, SHOWN).map((fault) => (
          <li key={fault.line}>
            <b>{t.faults.line(number(fault.line))}</b> {t.faults.text(short(fault))}
          </li>
        ))}
        {faults.length > SHOWN && <li class="soft">{t.faults.more(number(faults.length - SHOWN))}</li>}
      </ul>
      <Button icon={Download} onClick={() => save(file, faults)}>
        {t.faults.download}
      </Button>
    </Notice>
  );
};

const LONGEST_SHOWN = 60;
const short = (fault: Fault): Fault =>
  fault.cell.length > LONGEST_SHOWN ? { ...fault, cell: `${fault.cell.slice(0, LONGEST_SHOWN)}…` } : fault;

/** The faulty lines of the file, each with its number and its reason. */
const save = ({ name, source, sheet }: ChosenFile, faults: readonly Fault[]): void => {
  const t = batchesTexts().faults;
  const cellsAt = new Map(sheet.rows.map(({ line, cells }) => [line, cells]));
  const head = [t.line("").trim(), t.reason, ...sheet.columns.map(({ title }) => title)];
  const lines = faults.map((fault) => [String(fault.line), t.text(fault), ...(cellsAt.get(fault.line) ?? [])]);
  download(
    name.replace(/(\.\w+)?$/, "-faults.csv"),
    written([head, ...lines], source.is === "text" ? source.separator : ","),
  );
};
