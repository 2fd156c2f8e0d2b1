import type { PhoneType } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { Check, Field } from "../../../parts/forms/form.tsx";
import { PhoneSelect } from "../../../parts/phones/phone-choice.tsx";
import type { Draft } from "../draft.ts";
import { TemplateFields } from "../template-fields.tsx";
import { type FallbackDraft, MOST_MINUTES, NO_TEMPLATE, REASONS } from "./draft.ts";
import { fallbackTexts } from "./texts.ts";

type Props = {
  draft: Draft;
  /** The types of phones whose network reviews templates. */
  types: readonly PhoneType[];
  onChange: (change: Partial<Draft>) => void;
};

/** What another phone sends where the phone of the batch does not get through: its template, when, and in which cases. */
export const FallbackFields = ({ draft, types, onChange }: Props) => {
  const t = fallbackTexts();
  const { fallback } = draft;
  const change = (changed: Partial<FallbackDraft>): void => onChange({ fallback: { ...fallback, ...changed } });
  return (
    <>
      <Check
        label={t.use}
        checked={fallback.isOn}
        onChange={({ currentTarget }) => change({ isOn: currentTarget.checked })}
      />
      {fallback.isOn && (
        <div class="stack batch-fallback">
          <PhoneSelect
            label={t.phone}
            name="fallbackPhoneId"
            types={types}
            except={draft.phoneId === "" ? [] : [draft.phoneId]}
            value={fallback.phoneId}
            onChoose={(phoneId) => change({ phoneId, ...NO_TEMPLATE })}
          />
          {fallback.phoneId !== "" && <TemplateFields draft={fallback} onChange={change} />}
          <Cases fallback={fallback} onChange={change} />
        </div>
      )}
    </>
  );
};

type CasesProps = { fallback: FallbackDraft; onChange: (change: Partial<FallbackDraft>) => void };

const Cases = ({ fallback: { afterMinutes, reasons, mayArriveTwice }, onChange }: CasesProps) => {
  const t = fallbackTexts();
  return (
    <>
      <Field
        label={t.after}
        type="number"
        min={1}
        max={MOST_MINUTES}
        value={afterMinutes}
        onInput={({ currentTarget }) => onChange({ afterMinutes: currentTarget.value })}
      />
      <fieldset>
        <legend>{t.when}</legend>
        {REASONS.map((reason) => (
          <Check
            key={reason}
            label={t.cases[reason]}
            checked={reasons.includes(reason)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ reasons: checked ? [...reasons, reason] : reasons.filter((one) => one !== reason) })
            }
          />
        ))}
      </fieldset>
      <Check
        label={t.twice}
        hint={t.twiceHint}
        checked={mayArriveTwice}
        onChange={({ currentTarget }) => onChange({ mayArriveTwice: currentTarget.checked })}
      />
    </>
  );
};
