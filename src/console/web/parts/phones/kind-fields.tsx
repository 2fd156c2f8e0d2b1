import type { FormField, PhoneKind } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Query, useQuery } from "../../frame/requests/query.ts";
import { catalogue, language } from "../../frame/texts/languages.ts";
import { Field, Select, textIn } from "../forms/form.tsx";

const texts = catalogue({
  en: { usual: "As usual", helpOf: (field: string) => `Where to find it: ${field}` },
  pt: { usual: "O padrão", helpOf: (field: string) => `Onde encontrar: ${field}` },
  es: { usual: "Lo habitual", helpOf: (field: string) => `Dónde encontrarlo: ${field}` },
});

type Words = PhoneKind["label"];

/** A text of the server in the person's language. */
export const inLanguage = (words: Words): string => words[language.value];

/** The kinds of phones that the server has. */
export const useKinds = (): Query<readonly PhoneKind[]> =>
  useQuery("phones/kinds", async (signal) => (await gateway.phones.listKinds({}, { signal }).page()).items);

/** The fields of a kind, as its adapter says. `prefix` keeps their names apart from other fields of the form. */
export const KindFields = ({ fields, prefix = "" }: { fields: readonly FormField[]; prefix?: string }) =>
  fields.map((field) => <KindField key={field.name} field={field} name={prefix + field.name} />);

const KindField = ({ field, name }: { field: FormField; name: string }) => {
  const said = { label: inLanguage(field.label), hint: field.help ? inLanguage(field.help) : undefined };
  const control =
    field.choices === null ? (
      <Field
        {...said}
        name={name}
        isOptional={!field.isRequired}
        {...(field.isSecret ? { type: "password" as const, autocomplete: "off" } : {})}
        {...(field.maxLength === null ? {} : { maxLength: field.maxLength })}
      />
    ) : (
      <Select
        {...said}
        name={name}
        options={[
          ...(field.isRequired ? [] : [["", texts().usual] as const]),
          ...field.choices.map(({ value, label }) => [value, label ? inLanguage(label) : value] as const),
        ]}
      />
    );
  return (
    <>
      {control}
      {field.helpUrl !== null && (
        <p class="hint">
          <a href={field.helpUrl} target="_blank" rel="noreferrer">
            {texts().helpOf(inLanguage(field.label))}
          </a>
        </p>
      )}
    </>
  );
};

/** The filled fields of a kind in a sent form, by their names in a request. */
export const filledIn = (form: FormData, fields: readonly FormField[], prefix = ""): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name }) => [name, textIn(form, prefix + name)] as const).filter(([, value]) => value !== ""),
  );
