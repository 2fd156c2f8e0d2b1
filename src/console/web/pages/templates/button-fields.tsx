import { Plus, X } from "lucide-preact";
import { number } from "../../frame/texts/format.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/forms/form.tsx";
import { BUTTON_KINDS, type DraftButton, NEW_BUTTON } from "./parts.ts";
import { templatesTexts } from "./texts.ts";

type Props = {
  buttons: readonly DraftButton[];
  /** How many there may be. */
  most: number;
  onChange: (buttons: DraftButton[]) => void;
};

/** The buttons below a text. */
export const ButtonFields = ({ buttons, most, onChange }: Props) => {
  const t = templatesTexts().form;
  const change = (at: number, changed: Partial<DraftButton>): void =>
    onChange(buttons.map((button, index) => (index === at ? { ...button, ...changed } : button)));
  return (
    <fieldset class="template-buttons">
      <legend>{t.buttons}</legend>
      {buttons.map((button, index) => (
        <OneButton
          key={index}
          place={number(index + 1)}
          button={button}
          onChange={(changed) => change(index, changed)}
          onRemove={() => onChange(buttons.filter((_, at) => at !== index))}
        />
      ))}
      {buttons.length < most && (
        <div>
          <Button icon={Plus} onClick={() => onChange([...buttons, NEW_BUTTON])}>
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
