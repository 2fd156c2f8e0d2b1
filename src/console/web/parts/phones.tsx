import type { Phone } from "../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../frame/client.ts";
import { catalogue } from "../frame/languages.ts";
import { type Query, useQuery } from "../frame/query.ts";
import { FilterChoice } from "./filters.tsx";
import { SearchSelect, Select } from "./form.tsx";
import { type Option, SEARCHED_FROM } from "./search-options.ts";

const texts = catalogue({
  en: { phone: "Phone", all: "All phones", choose: "Choose a phone" },
  pt: { phone: "Telefone", all: "Todos os telefones", choose: "Escolha um telefone" },
  es: { phone: "Teléfono", all: "Todos los teléfonos", choose: "Elige un teléfono" },
});

/** All of the account's phones, for choices and for the names of phones. */
export const usePhones = (): Query<Phone[]> =>
  useQuery("phones/all", (signal) => gateway.phones.list({}, { signal }).toArray(), { on: ["channel:"] });

/** How people name a phone: its label, else its number. */
export const phoneName = (phones: readonly Phone[] | undefined, id: string): string => {
  const phone = phones?.find((one) => one.id === id);
  return phone?.label || phone?.phoneNumber || id.slice(0, 8);
};

/** Phones as choices. Where there are many, their numbers are searched too. */
const choicesOf = (phones: readonly Phone[]): readonly Option[] =>
  phones.map(({ id, label, phoneNumber }) => {
    if (!label) return [id, phoneNumber ? `+${phoneNumber}` : id.slice(0, 8)];
    return [id, phones.length >= SEARCHED_FROM && phoneNumber ? `${label} (+${phoneNumber})` : label];
  });

/**
 * A phone among the fields of a form: a choice of a few, or a search. Without a `value` it begins with the first;
 * `isAsked`: with none, so that somebody chooses.
 */
export const PhoneSelect = ({
  phones,
  isAsked = false,
  onChoose,
  ...field
}: {
  phones: readonly Phone[];
  isAsked?: boolean;
  label: string;
  name?: string;
  value?: string;
  disabled?: boolean;
  onChoose?: (id: string) => void;
}) => {
  const choices = choicesOf(phones);
  const options = isAsked ? [["", texts().choose] as const, ...choices] : choices;
  if (options.length >= SEARCHED_FROM)
    return <SearchSelect {...field} options={options} {...(onChoose ? { onChoose } : {})} />;
  return <Select {...field} options={options} onChange={({ currentTarget }) => onChoose?.(currentTarget.value)} />;
};

/** A filter by phone. `isRequired`: one of them is always chosen. */
export const PhoneFilter = ({
  phones,
  value,
  onChange,
  isRequired = false,
}: {
  phones: readonly Phone[];
  value: string;
  onChange: (id: string) => void;
  isRequired?: boolean;
}) => {
  const t = texts();
  const options = choicesOf(phones);
  return (
    <FilterChoice
      label={t.phone}
      value={value}
      options={isRequired ? options : [["", t.all], ...options]}
      onChange={onChange}
    />
  );
};
