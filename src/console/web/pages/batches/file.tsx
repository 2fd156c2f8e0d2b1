import { FileSpreadsheet, Upload } from "lucide-preact";
import { useId, useState } from "preact/hooks";
import type { Separator } from "../../../../kernel/texts/csv.ts";
import { useAct } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Check, Field, Select } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Notice } from "../../parts/states.tsx";
import { Columns } from "./columns.tsx";
import type { ChosenFile, Draft, Table } from "./draft.ts";
import { tableOf, withHead } from "./mapping.ts";
import { asText, type Refusal, readFile, withSheet } from "./read-file.ts";
import { batchesTexts } from "./texts.ts";

const ENCODINGS: Readonly<Record<string, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
};
const ACCEPTED =
  ".csv,.txt,.tsv,.xlsx,.xlsm,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SEPARATORS: readonly Separator[] = [",", ";", "\t", "|"];

/** The place to choose or drop the file, and the settings of its reading. */
export const FileCard = ({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) => {
  const t = batchesTexts().file;
  const { file } = draft;
  const [refused, setRefused] = useState<Refusal>();
  const act = useAct(async (given: File) => {
    const found = await readFile(given, draft.country);
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
          accept={ACCEPTED}
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

const textOf = (titles: Table["titles"]): string =>
  titles.map(({ cells }) => cells.filter((cell) => cell.trim() !== "").join(" ")).join(" / ");

/** How the file was read: its encoding, or its sheet. */
const readingOf = ({ source }: ChosenFile): string =>
  source.is === "text"
    ? (ENCODINGS[source.charset] ?? source.charset)
    : batchesTexts().file.sheet(source.tables[source.at]?.[0] ?? "");

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
  const { table, sheet, name } = file;
  const records = tableOf(table, draft.country);
  if (records.length === 0) return <Notice tone="warning">{t.empty}</Notice>;
  return (
    <>
      <p class="file-summary">{t.summary(name, t.lines(sheet.rows.length), readingOf(file))}</p>
      {records === table.records && table.titles.length > 0 && <p class="soft">{t.titles(textOf(table.titles))}</p>}
      {table.openQuoteAt !== undefined && <Notice tone="bad">{t.openQuote(number(table.openQuoteAt))}</Notice>}
      <Columns sheet={sheet} onChange={(columns) => onChange({ file: { ...file, sheet: { ...sheet, columns } } })} />
      <div class="grid">
        <SourceChoice file={file} country={draft.country} onChange={(changed) => onChange({ file: changed })} />
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

/** The choice of a text's separator, or of a workbook's sheet. */
const SourceChoice = ({
  file: { name, source },
  country,
  onChange,
}: {
  file: ChosenFile;
  country: string;
  onChange: (file: ChosenFile) => void;
}) => {
  const t = batchesTexts().file;
  if (source.is === "text") {
    return (
      <Select
        label={t.separator}
        value={source.separator}
        options={SEPARATORS.map((one) => [one, t.separators[one]])}
        onChange={({ currentTarget }) =>
          void asText({ name, ...source, country }, currentTarget.value as Separator).then(onChange)
        }
      />
    );
  }
  if (source.tables.length < 2) return null;
  return (
    <Select
      label={t.sheetChoice}
      value={String(source.at)}
      options={source.tables.map(([title], at) => [String(at), title])}
      onChange={({ currentTarget }) =>
        onChange(withSheet({ name, tables: source.tables, at: Number(currentTarget.value), country }))
      }
    />
  );
};
