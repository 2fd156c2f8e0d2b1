import { FileSpreadsheet, Upload } from "lucide-preact";
import { useId, useState } from "preact/hooks";
import { decodeText } from "../../../../kernel/texts/charsets.ts";
import type { Csv, Separator } from "../../../../kernel/texts/csv.ts";
import { useAct } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Check, Field, Select } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Notice } from "../../parts/states.tsx";
import { Columns } from "./columns.tsx";
import { kindOf } from "./csv.ts";
import type { ChosenFile, Draft } from "./draft.ts";
import { guessed, tableOf, withHead } from "./mapping.ts";
import { batchesTexts } from "./texts.ts";

const ENCODINGS: Readonly<Record<string, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
};
const SEPARATORS: readonly Separator[] = [",", ";", "\t", "|"];

/** The reader is loaded with the first file. */
const read = async (text: string, separator?: Separator): Promise<Csv> =>
  (await import("../../../../kernel/texts/csv.ts")).readCsv(text, separator);

/** The file as it can be read, or what it is instead of a CSV file. */
const chosen = async (file: File, country: string): Promise<ChosenFile | "workbook" | "other"> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = kindOf(bytes);
  if (kind !== "text") return kind;
  const { text, charset } = decodeText(bytes);
  const csv = await read(text);
  return { name: file.name, text, charset, csv, sheet: guessed(tableOf(csv, country), country) };
};

/** The place to choose or drop the file, and the settings of its reading. */
export const FileCard = ({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) => {
  const t = batchesTexts().file;
  const { file } = draft;
  const [refused, setRefused] = useState<"workbook" | "other">();
  const act = useAct(async (given: File) => {
    const found = await chosen(given, draft.country);
    setRefused(typeof found === "string" ? found : undefined);
    onChange({ file: typeof found === "string" ? undefined : found });
  });
  return (
    <Card title={t.title} hint={t.hint}>
      <div class="stack">
        <Drop isChosen={file !== undefined} onFile={(given) => void act.run(given)} />
        {act.error !== undefined && <Notice tone="bad">{t.unreadable}</Notice>}
        {refused !== undefined && <Notice tone="bad">{t.refused[refused]}</Notice>}
        {file && <Reading file={file} draft={draft} onChange={onChange} />}
      </div>
    </Card>
  );
};

const Drop = ({ isChosen, onFile }: { isChosen: boolean; onFile: (file: File) => void }) => {
  const t = batchesTexts().file;
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`csv-drop ${isOver ? "over" : ""} ${isChosen ? "chosen" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file) onFile(file);
      }}
    >
      {!isChosen && <FileSpreadsheet size={36} strokeWidth={1.25} aria-hidden="true" />}
      <label class={`button ${isChosen ? "plain" : "primary"} file`} for={id}>
        <Upload size={16} aria-hidden="true" />
        <span>{isChosen ? t.other : t.choose}</span>
        <input
          id={id}
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onFile(file);
            currentTarget.value = "";
          }}
        />
      </label>
      {!isChosen && <p class="soft">{t.drop}</p>}
    </div>
  );
};

const textOf = (titles: Csv["titles"]): string =>
  titles.map(({ cells }) => cells.filter((cell) => cell.trim() !== "").join(" ")).join(" / ");

const Reading = ({
  file,
  draft,
  onChange,
}: {
  file: ChosenFile;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}) => {
  const t = batchesTexts().file;
  const { csv, sheet, charset, name, text } = file;
  const records = tableOf(csv, draft.country);
  const readAgain = async (separator: Separator): Promise<void> => {
    const again = await read(text, separator);
    onChange({ file: { ...file, csv: again, sheet: guessed(tableOf(again, draft.country), draft.country) } });
  };
  if (records.length === 0) return <Notice tone="warning">{t.empty}</Notice>;
  return (
    <>
      <p class="file-summary">{t.summary(name, t.lines(sheet.rows.length), ENCODINGS[charset] ?? charset)}</p>
      {records === csv.records && csv.titles.length > 0 && <p class="soft">{t.titles(textOf(csv.titles))}</p>}
      {csv.openQuoteAt !== undefined && <Notice tone="bad">{t.openQuote(number(csv.openQuoteAt))}</Notice>}
      <Columns sheet={sheet} onChange={(columns) => onChange({ file: { ...file, sheet: { ...sheet, columns } } })} />
      <div class="grid">
        <Select
          label={t.separator}
          value={csv.separator}
          options={SEPARATORS.map((one) => [one, t.separators[one]])}
          onChange={({ currentTarget }) => void readAgain(currentTarget.value as Separator)}
        />
        <Field
          label={t.country}
          hint={t.countryHint}
          inputMode="numeric"
          pattern="[1-9][0-9]{0,2}"
          maxLength={3}
          isOptional
          value={draft.country}
          onInput={({ currentTarget }) => onChange({ country: currentTarget.value.replaceAll(/\D/g, "") })}
        />
      </div>
      <Check
        label={t.head}
        checked={sheet.hasHead}
        onChange={({ currentTarget }) =>
          onChange({ file: { ...file, sheet: withHead(records, currentTarget.checked, draft.country) } })
        }
      />
    </>
  );
};
