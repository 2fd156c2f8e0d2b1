import { ChevronLeft, ChevronRight } from "lucide-preact";
import { useRef, useState } from "preact/hooks";
import type { PhoneType } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { number } from "../../frame/texts/format.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Select, TextArea } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Bubble } from "../../parts/messages/bubble.tsx";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { usePhone } from "../../parts/phones/phones.tsx";
import { Notice } from "../../parts/states.tsx";
import { type Draft, draftVariables, templateBubble, unknownIn } from "./draft.ts";
import { NO_VALUES } from "./fallback/draft.ts";
import { FallbackFields } from "./fallback/fields.tsx";
import { type Checked, filledLine } from "./mapping.ts";
import { TemplateFields } from "./template-fields.tsx";
import { batchesTexts } from "./texts.ts";

type Props = {
  draft: Draft;
  found: Checked;
  /** The types of phones whose network reviews templates. */
  types: readonly PhoneType[];
  onChange: (change: Partial<Draft>) => void;
};

/** The phone, the message with its variables, and its preview for a line of the file. */
export const MessageCard = ({ draft, found, types, onChange }: Props) => {
  const t = batchesTexts();
  const unknown = unknownIn(draft);
  const phone = usePhone(draft.phoneId);
  const canTemplate = phone !== undefined && types.includes(phone.type);
  return (
    <Card title={t.message.title}>
      <div class="message-columns">
        <div class="stack">
          <PhoneSelect
            label={t.phone}
            name="phoneId"
            value={draft.phoneId}
            onChoose={(phoneId) => onChange({ phoneId, kind: "text", template: undefined, values: NO_VALUES })}
          />
          {canTemplate && (
            <Select
              label={t.message.kind}
              value={draft.kind}
              options={[
                ["text", t.message.text],
                ["template", t.message.template],
              ]}
              onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as Draft["kind"] })}
            />
          )}
          {draft.kind === "text" ? (
            <Written draft={draft} onChange={onChange} />
          ) : (
            <TemplateFields draft={draft} onChange={onChange} />
          )}
          {unknown.length > 0 && (
            <Notice tone="bad">{t.message.unknown(inBraces(unknown), inBraces(draftVariables(draft)))}</Notice>
          )}
          {canTemplate && draft.kind === "text" && <Notice tone="warning">{t.message.window}</Notice>}
          {types.length > 0 && <FallbackFields draft={draft} types={types} onChange={onChange} />}
        </div>
        <Preview draft={draft} found={found} />
      </div>
    </Card>
  );
};

/** Names of variables in the form of a text. */
const inBraces = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(", ");

const Written = ({ draft, onChange }: Pick<Props, "draft" | "onChange">) => {
  const t = batchesTexts().message;
  const area = useRef<HTMLDivElement>(null);
  const insert = (name: string): void => {
    const field = area.current?.querySelector("textarea");
    const [from, to] = [field?.selectionStart ?? draft.text.length, field?.selectionEnd ?? draft.text.length];
    const word = `{{${name}}}`;
    onChange({ text: draft.text.slice(0, from) + word + draft.text.slice(to) });
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(from + word.length, from + word.length);
    });
  };
  return (
    <div class="stack" ref={area}>
      <TextArea
        label={t.write}
        hint={t.writeHint}
        rows={7}
        maxLength={4096}
        value={draft.text}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <div class="actions">
        {draftVariables(draft).map((name) => (
          <Button key={name} aria-label={t.insert(name)} onClick={() => insert(name)}>
            {`{{${name}}}`}
          </Button>
        ))}
      </div>
    </div>
  );
};

const Preview = ({ draft, found: { good } }: Pick<Props, "draft" | "found">) => {
  const t = batchesTexts().message;
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, Math.max(0, good.length - 1));
  const line = good[at];
  const values = line?.variables ?? {};
  const label = line ? t.previewOf(number(line.line)) : t.preview;
  const content = draft.kind === "text" ? { body: filledLine(draft.text, values) } : templateBubble(draft, values);
  return (
    <div class="message-preview">
      <header>
        <h3>{label}</h3>
        {good.length > 1 && (
          <div class="actions">
            <IconButton label={t.before} icon={ChevronLeft} disabled={at === 0} onClick={() => setChosen(at - 1)} />
            <IconButton
              label={t.after}
              icon={ChevronRight}
              disabled={at >= good.length - 1}
              onClick={() => setChosen(at + 1)}
            />
          </div>
        )}
      </header>
      {line && <p class="small soft mono">+{line.to}</p>}
      <Bubble label={label} {...content} />
    </div>
  );
};
