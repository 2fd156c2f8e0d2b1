import type { Phone } from "../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../frame/client.ts";
import { catalogue } from "../frame/languages.ts";
import { type Query, useQuery } from "../frame/query.ts";
import { FilterSelect } from "./filters.tsx";

const texts = catalogue({
  en: { phone: "Phone", all: "All phones" },
  pt: { phone: "Telefone", all: "Todos os telefones" },
  es: { phone: "Teléfono", all: "Todos los teléfonos" },
});

/** As many as a choice can hold. */
const MOST = 500;

/** The account's phones, for choices and for the names of phones. */
export const usePhones = (): Query<Phone[]> =>
  useQuery("phones/all", (signal) => gateway.phones.list({}, { signal }).toArray({ limit: MOST }), {
    on: ["channel:"],
  });

/** How people name a phone: its label, else its number. */
export const phoneName = (phones: readonly Phone[] | undefined, id: string): string => {
  const phone = phones?.find((one) => one.id === id);
  return phone?.label || phone?.phoneNumber || id.slice(0, 8);
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
  const options = phones.map(({ id }) => [id, phoneName(phones, id)] as const);
  return (
    <FilterSelect
      label={t.phone}
      value={value}
      options={isRequired ? options : [["", t.all], ...options]}
      onChange={onChange}
    />
  );
};
