import { Plus } from "lucide-preact";
import { useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Field, TextArea } from "../../parts/forms/form.tsx";
import { Notice } from "../../parts/states.tsx";
import { bodyFault, type DraftBody, placesIn } from "./parts.ts";
import { templatesTexts } from "./texts.ts";

type TextProps = {
  label: string;
  hint: string;
  rows: number;
  maxLength: number;
  isOptional?: boolean;
  text: DraftBody;
  onChange: (change: Partial<DraftBody>) => void;
};

/** A text with its variables, and an example for each. */
export const TextFields = ({ text: { body, examples }, onChange, isOptional = false, ...look }: TextProps) => {
  const t = templatesTexts().form;
  const area = useRef<HTMLDivElement>(null);
  const places = placesIn(body);
  const fault = bodyFault(body);
  const add = (): void => {
    const field = area.current?.querySelector("textarea");
    const at = field?.selectionStart ?? body.length;
    onChange({ body: `${body.slice(0, at)}{{${places.length + 1}}}${body.slice(at)}` });
    requestAnimationFrame(() => field?.focus());
  };
  return (
    <>
      <div ref={area} class="stack">
        <TextArea
          {...look}
          isOptional={isOptional}
          value={body}
          onInput={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
        <div class="actions">
          <Button icon={Plus} onClick={add}>
            {t.addVariable}
          </Button>
        </div>
      </div>
      {fault && <Notice tone="warning">{t[fault]}</Notice>}
      {places.length > 0 && (
        <fieldset class="examples">
          <legend>{t.examples}</legend>
          <p class="small soft">{t.examplesHint}</p>
          <div class="grid">
            {places.map((place) => (
              <Field
                key={place}
                label={t.example(`{{${place}}}`)}
                maxLength={200}
                value={examples[place] ?? ""}
                onInput={({ currentTarget }) => onChange({ examples: { ...examples, [place]: currentTarget.value } })}
              />
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
};
