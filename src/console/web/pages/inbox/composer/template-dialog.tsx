import { FileText } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Template } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { needsOf } from "../../../../../contract/content/template-needs.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { useAct, useQuery } from "../../../frame/requests/query.ts";
import { ButtonLink } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/forms/dialog.tsx";
import { Form, Select } from "../../../parts/forms/form.tsx";
import { BubbleCards } from "../../../parts/messages/bubble.tsx";
import { SendOptions, sendOptionsIn } from "../../../parts/messages/send-options.tsx";
import { bubbleOf, filledTemplate } from "../../../parts/messages/template-parts.ts";
import { TemplateValueFields } from "../../../parts/messages/template-value-fields.tsx";
import { bodyValues, cardValues, type TypedValues, templateContent } from "../../../parts/messages/template-values.ts";
import { Empty, Loaded } from "../../../parts/states.tsx";
import type { Chat } from "../data.ts";
import { inboxTexts } from "../texts.ts";
import { partsOf } from "./template-text.ts";

/** Chooses an approved template of the phone, fills it in, and sends it. */
export const TemplateDialog = ({ chat, onClose, onSent }: { chat: Chat; onClose: () => void; onSent: () => void }) => {
  const t = inboxTexts();
  const query = useQuery(`templates/${chat.phoneId}/approved`, (signal) =>
    gateway.templates.list({ phoneId: chat.phoneId, status: "APPROVED" }, { signal }).page(),
  );
  return (
    <Dialog title={t.templateTitle} onClose={onClose}>
      <Loaded query={query}>
        {(all) => {
          const [first] = all;
          if (!first)
            return (
              <Empty icon={FileText} title={t.noTemplates} hint={t.noTemplatesHint}>
                <ButtonLink path="/templates">{t.toTemplates}</ButtonLink>
              </Empty>
            );
          return <Filling chat={chat} templates={all} first={first} onClose={onClose} onSent={onSent} />;
        }}
      </Loaded>
    </Dialog>
  );
};

type FillingProps = {
  chat: Chat;
  templates: readonly Template[];
  first: Template;
  onClose: () => void;
  onSent: () => void;
};

const Filling = ({ chat, templates, first, onClose, onSent }: FillingProps) => {
  const t = inboxTexts();
  const [id, setId] = useState(first.id);
  const [values, setValues] = useState<TypedValues>({});
  const template = templates.find((one) => one.id === id) ?? first;
  const { head, body, foot } = partsOf(template);
  const needs = needsOf(template.components);
  const act = useAct(async (form: FormData) => {
    const { name, language } = template;
    const content = { name, language, ...templateContent(needs, values) };
    await gateway.chats.answer(chat.id, { type: "template", content, ...sendOptionsIn(form) });
    onSent();
    onClose();
  });
  return (
    <Form act={act} submit={t.send} onCancel={onClose}>
      <Select
        label={t.template}
        value={template.id}
        options={templates.map((one) => [one.id, `${one.name} (${one.language})`] as const)}
        onChange={({ currentTarget }) => {
          setId(currentTarget.value);
          setValues({});
        }}
      />
      <TemplateValueFields needs={needs} values={values} onChange={setValues} />
      <SendOptions phoneId={chat.phoneId} />
      <div class="template-preview" role="group" aria-label={t.preview}>
        <div class="speech">
          {head !== "" && <p class="template-head">{head}</p>}
          <p class="words" dir="auto">
            {filledTemplate(body, bodyValues(needs, values))}
          </p>
          {foot !== "" && <p class="small soft">{foot}</p>}
        </div>
        <BubbleCards cards={bubbleOf(template.components, {}, cardValues(needs, values)).cards ?? []} />
      </div>
    </Form>
  );
};
