import type { PhoneType, TemplateCategory } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Field, Select } from "../../parts/forms/form.tsx";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { type Draft, HEADERS, type HeaderKind, isMedia, LANGUAGES } from "./draft.ts";
import { TextFields } from "./text-fields.tsx";
import { templatesTexts } from "./texts.ts";

export type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

const CATEGORIES = ["UTILITY", "MARKETING"] as const satisfies readonly TemplateCategory[];

/** The name, the phone, the language and the category of a template. */
export const NameFields = ({
  draft,
  onChange,
  isNew,
  types,
  phoneId,
  onPhone,
}: Props & { isNew: boolean; types: readonly PhoneType[]; phoneId: string; onPhone: (id: string) => void }) => {
  const t = templatesTexts();
  const languages = [...new Set([draft.language, ...LANGUAGES])];
  return (
    <>
      <div class="grid">
        <PhoneSelect
          label={t.phone}
          name="phoneId"
          value={phoneId}
          disabled={!isNew}
          types={types}
          onChoose={onPhone}
        />
        <Field
          label={t.name}
          hint={t.form.nameHint}
          name="name"
          pattern="[a-z0-9_]{1,120}"
          maxLength={120}
          disabled={!isNew}
          value={draft.name}
          onInput={({ currentTarget }) =>
            onChange({ name: currentTarget.value.toLowerCase().replaceAll(/[ -]/g, "_") })
          }
        />
      </div>
      <div class="grid">
        <Select
          label={t.language}
          name="language"
          value={draft.language}
          disabled={!isNew}
          options={languages.map((one) => [one, one])}
          onChange={({ currentTarget }) => onChange({ language: currentTarget.value })}
        />
        <Select
          label={t.category}
          name="category"
          hint={t.categoryHints[draft.category]}
          value={draft.category}
          options={CATEGORIES.map((one) => [one, t.categories[one]])}
          onChange={({ currentTarget }) => onChange({ category: currentTarget.value as TemplateCategory })}
        />
        {draft.category === "MARKETING" && (
          <Field
            name="maxPrice"
            label={t.maxPrice}
            hint={t.maxPriceHint}
            inputMode="decimal"
            pattern="\s*[0-9]{1,7}([.,][0-9]{1,2})?\s*"
            isOptional
            value={draft.maxPrice}
            onInput={({ currentTarget }) => onChange({ maxPrice: currentTarget.value })}
          />
        )}
      </div>
    </>
  );
};

/** The part above the text: nothing, a line, a place, a product, or a sample of a file. */
export const HeaderFields = ({ draft, onChange }: Props) => {
  const t = templatesTexts().form;
  const { header } = draft;
  return (
    <>
      <Select
        label={t.header}
        value={header}
        options={HEADERS.map((one) => [one, t.headers[one]])}
        onChange={({ currentTarget }) => onChange({ header: currentTarget.value as HeaderKind })}
      />
      {header === "TEXT" && (
        <Field
          label={t.headerText}
          maxLength={60}
          value={draft.headerText}
          onInput={({ currentTarget }) => onChange({ headerText: currentTarget.value })}
        />
      )}
      {isMedia(header) && (
        <div class="grid">
          <Field
            label={t.sample}
            hint={t.sampleHint}
            type="url"
            placeholder="https://"
            value={draft.sampleUrl}
            onInput={({ currentTarget }) => onChange({ sampleUrl: currentTarget.value })}
          />
          <AppField draft={draft} onChange={onChange} />
        </div>
      )}
    </>
  );
};

/** The app through which example files come to the network. */
export const AppField = ({ draft: { appId }, onChange }: Props) => {
  const t = templatesTexts().form;
  return (
    <Field
      label={t.appId}
      hint={t.appIdHint}
      inputMode="numeric"
      maxLength={64}
      value={appId}
      onInput={({ currentTarget }) => onChange({ appId: currentTarget.value })}
    />
  );
};

/** The text of the template, and the line below. */
export const BodyFields = ({ draft, onChange }: Props) => {
  const t = templatesTexts().form;
  return (
    <>
      <TextFields label={t.body} hint={t.bodyHint} rows={6} maxLength={1024} text={draft} onChange={onChange} />
      <Field
        label={t.footer}
        hint={t.footerHint}
        maxLength={60}
        isOptional
        value={draft.footer}
        onInput={({ currentTarget }) => onChange({ footer: currentTarget.value })}
      />
    </>
  );
};
