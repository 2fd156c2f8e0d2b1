import { Plus, X } from "lucide-preact";
import { number } from "../../frame/texts/format.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/forms/form.tsx";
import { BUTTON_KINDS, type DraftButton, MOST_BUTTONS } from "./draft.ts";
import type { Props } from "./fields.tsx";
import { templatesTexts } from "./texts.ts";

/** The buttons below the text. */
export const ButtonFields = ({ draft, onChange }: Props) => {
  const t = templatesTexts().form;
  const { buttons } = draft;
  const change = (at: number, changed: Partial<DraftButton>): void =>
    onChange({ buttons: buttons.map((button, index) => (index === at ? { ...button, ...changed } : button)) });
  return (
    <fieldset class="template-buttons">
      <legend>{t.buttons}</legend>
      {buttons.map((button, index) => (
        <OneButton
          key={index}
          place={number(index + 1)}
          button={button}
          onChange={(changed) => change(index, changed)}
          onRemove={() => onChange({ buttons: buttons.filter((_, at) => at !== index) })}
        />
      ))}
      {buttons.length < MOST_BUTTONS && (
        <div>
          <Button
            icon={Plus}
            onClick={() =>
              onChange({ buttons: [...buttons, { kind: "QUICK_REPLY", text: "", value: "", example: "" }] })
            }
          >
            {t.addButton}
          </Button>
        </div>
      )}
    </fieldset>
  );
};

const OneButton = ({
  place,
  button: { kind, text, value, example },
  onChange,
  onRemove,
}: {
  place: string;
  button: DraftButton;
  onChange: (change: Partial<DraftButton>) => void;
  onRemove: () => void;
}) => {
  const t = templatesTexts().form;
  return (
    <div class="template-button">
      <Select
        label={t.buttonKind(place)}
        value={kind}
        options={BUTTON_KINDS.map((one) => [one, t.kinds[one]])}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as DraftButton["kind"] })}
      />
      <Field
        label={t.buttonText(place)}
        maxLength={25}
        value={text}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      {kind !== "QUICK_REPLY" && (
        <Field
          label={kind === "URL" ? t.buttonUrl(place) : t.buttonPhone(place)}
          {...(kind === "URL" ? { hint: t.buttonUrlHint, placeholder: "https://" } : { placeholder: "+" })}
          maxLength={2000}
          value={value}
          onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
      )}
      {kind === "URL" && value.includes("{{") && (
        <Field
          label={t.buttonUrlExample(place)}
          type="url"
          value={example}
          onInput={({ currentTarget }) => onChange({ example: currentTarget.value })}
        />
      )}
      <IconButton label={t.removeButton(place)} icon={X} onClick={onRemove} />
    </div>
  );
};
