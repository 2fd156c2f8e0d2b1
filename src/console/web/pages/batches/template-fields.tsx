import { useEffect } from "preact/hooks";
import { needsOf } from "../../../../contract/content/template-needs.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Select } from "../../parts/forms/form.tsx";
import { examplesOf } from "../../parts/messages/template-parts.ts";
import { TemplateValueFields } from "../../parts/messages/template-value-fields.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { NO_VALUES, type TemplateDraft } from "./fallback/draft.ts";
import { batchesTexts } from "./texts.ts";

type Props = { draft: TemplateDraft; onChange: (change: Partial<TemplateDraft>) => void };

/** The template of a batch or of its fallback, and the fields for its values. */
export const TemplateFields = ({ draft, onChange }: Props) => {
  const t = batchesTexts().message;
  const { phoneId, template } = draft;
  const approved = useQuery(
    `templates/approved/${phoneId}`,
    (signal) => gateway.templates.list({ phoneId, status: "APPROVED" }, { signal }).toArray(),
    { on: ["template:"] },
  );
  const { wantedTemplate } = draft;
  useEffect(() => {
    const wanted = approved.data?.find(({ id }) => id === wantedTemplate);
    if (wanted) onChange({ template: wanted, wantedTemplate: "" });
  }, [approved.data, wantedTemplate]);
  return (
    <Loaded query={approved} lines={2}>
      {(found) =>
        found.length === 0 ? (
          <Notice tone="warning">
            <p>{t.noTemplates}</p>
            <ButtonLink path="/templates/new">{t.toTemplates}</ButtonLink>
          </Notice>
        ) : (
          <>
            <Select
              label={t.chooseTemplate}
              value={template?.id ?? ""}
              options={[["", "–"], ...found.map(({ id, name, language }) => [id, `${name} (${language})`] as const)]}
              onChange={({ currentTarget }) =>
                onChange({ template: found.find(({ id }) => id === currentTarget.value), values: NO_VALUES })
              }
            />
            {template && <Values draft={draft} onChange={onChange} />}
          </>
        )
      }
    </Loaded>
  );
};

const Values = ({ draft, onChange }: Props) => {
  const t = batchesTexts().message;
  const components = draft.template?.components ?? [];
  return (
    <TemplateValueFields
      needs={needsOf(components)}
      values={draft.values}
      examples={examplesOf(components)}
      variableHint={t.valueHint}
      onChange={(values) => onChange({ values })}
    />
  );
};
