import { useRef } from "preact/hooks";
import type { TemplateNeeds } from "../../../../contract/content/template-needs.ts";
import { isOwnHandle } from "../../../../kernel/texts/file-names.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Button } from "../button.tsx";
import { Field } from "../forms/form.tsx";
import { Failure } from "../states.tsx";
import { templateValueTexts } from "./template-value-texts.ts";
import { type TypedValues, type ValueField, valueFields } from "./template-values.ts";

type Props = {
  needs: TemplateNeeds;
  values: TypedValues;
  /** Examples of the variables in the body, by their names. */
  examples?: Readonly<Record<string, string>>;
  /** A hint for texts that may hold variables of a file: the form of a batch. */
  variableHint?: string;
  onChange: (values: TypedValues) => void;
};

/** The fields for all values of a template: its header, its variables, its offer, its buttons and its cards. */
export const TemplateValueFields = ({ needs, values, examples = {}, variableHint, onChange }: Props) => {
  const t = templateValueTexts();
  const set = (key: string, value: string): void => onChange({ ...values, [key]: value });
  return (
    <>
      {valueFields(needs).map((field) => {
        const own = t[field.kind](field.name);
        const label = field.card === undefined ? own : t.card(String(field.card), own);
        const one = {
          field,
          label,
          value: values[field.key] ?? "",
          variableHint,
          onValue: (v: string) => set(field.key, v),
        };
        return field.kind === "file" ? (
          <FileField key={field.key} {...one} />
        ) : (
          <TextField key={field.key} {...one} example={field.kind === "variable" ? (examples[field.name] ?? "") : ""} />
        );
      })}
    </>
  );
};

type OneField = {
  field: ValueField;
  label: string;
  value: string;
  variableHint: string | undefined;
  onValue: (value: string) => void;
};

const MAX_LENGTHS: Partial<Record<ValueField["kind"], number>> = { address: 2000, products: 2000, header: 60 };

const TextField = ({ field, label, value, variableHint, onValue, example }: OneField & { example: string }) => {
  const t = templateValueTexts();
  const { kind, isOptional } = field;
  const isTime = kind === "ends" && variableHint === undefined;
  const hint = { ends: isTime ? undefined : t.endsText, products: t.commas }[kind as string] ?? variableHint;
  return (
    <Field
      label={label}
      hint={hint}
      type={isTime ? "datetime-local" : "text"}
      isOptional={isOptional}
      required={!isOptional}
      placeholder={example}
      maxLength={MAX_LENGTHS[kind] ?? 1024}
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
};

const formOf = (file: File): FormData => {
  const form = new FormData();
  form.set("file", file);
  return form;
};

/** The address of a file, or an uploaded one. */
const FileField = ({ label, value, variableHint, onValue }: OneField) => {
  const t = templateValueTexts();
  const input = useRef<HTMLInputElement>(null);
  const act = useAct(async (file: File) => onValue((await gateway.media.keepFile(formOf(file))).mediaHandle));
  if (isOwnHandle(value))
    return (
      <div class="field">
        <p>{label}</p>
        <p class="hint">{t.uploaded}</p>
        <Button onClick={() => onValue("")}>{t.another}</Button>
      </div>
    );
  return (
    <div class="stack">
      <Field
        label={label}
        hint={variableHint}
        type={variableHint === undefined ? "url" : "text"}
        placeholder="https://"
        required
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      <Button isBusy={act.isRunning} onClick={() => input.current?.click()}>
        {t.upload}
      </Button>
      <input
        ref={input}
        class="file-input"
        type="file"
        tabIndex={-1}
        aria-label={t.upload}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file) void act.run(file);
        }}
      />
      {act.error !== undefined && <Failure error={act.error} />}
    </div>
  );
};
