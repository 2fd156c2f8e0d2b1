import { useEffect } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/forms/form.tsx";
import { examplesOf, needsOf } from "../../parts/messages/template-parts.ts";
import { Loaded, Notice } from "../../parts/states.tsx";
import { type Draft, NO_VALUES, type TemplateValues } from "./draft.ts";
import { batchesTexts } from "./texts.ts";

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

/** The template of a batch, and the fields for its values. */
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
  const { values } = draft;
  const components = draft.template?.components ?? [];
  const { variables, media, urls } = needsOf(components);
  const examples = examplesOf(components);
  const change = (changed: Partial<TemplateValues>): void => onChange({ values: { ...values, ...changed } });
  return (
    <>
      {variables.map((name) => (
        <Field
          key={name}
          label={t.value(`{{${name}}}`)}
          hint={t.valueHint}
          placeholder={examples[name] ?? ""}
          maxLength={1024}
          value={values.variables[name] ?? ""}
          onInput={({ currentTarget }) => change({ variables: { ...values.variables, [name]: currentTarget.value } })}
        />
      ))}
      {media && (
        <Field
          label={t.media}
          type="url"
          placeholder="https://"
          value={values.media}
          onInput={({ currentTarget }) => change({ media: currentTarget.value })}
        />
      )}
      {urls.map(({ index, text }) => (
        <Field
          key={index}
          label={t.button(text)}
          hint={t.valueHint}
          maxLength={2000}
          value={values.urls[index] ?? ""}
          onInput={({ currentTarget }) => change({ urls: { ...values.urls, [index]: currentTarget.value } })}
        />
      ))}
    </>
  );
};
