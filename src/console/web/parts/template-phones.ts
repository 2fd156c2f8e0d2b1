import type { Phone } from "../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../frame/client.ts";
import { type Query, useQuery } from "../frame/query.ts";
import { usePhones } from "./phones.tsx";

/** The types of phones whose network reviews templates: one phone of each type is asked. */
const templateTypes = async (phones: readonly Phone[], signal: AbortSignal): Promise<string[]> => {
  const firstOf = new Map(phones.map(({ type, id }) => [type, id]));
  const asked = await Promise.all(
    [...firstOf].map(async ([type, id]) => {
      const { hasTemplates } = await gateway.phones.getCapabilities(id, { signal });
      return hasTemplates ? [type] : [];
    }),
  );
  return asked.flat();
};

/** The account's phones, and those of them whose network reviews templates. */
export const useTemplatePhones = (): Query<{ all: Phone[]; official: Phone[] }> => {
  const phones = usePhones();
  const types = useQuery(
    `phones/template-types/${[...new Set(phones.data?.map(({ type }) => type))].toSorted().join()}`,
    (signal) => templateTypes(phones.data ?? [], signal),
  );
  const all = phones.data;
  const known = types.data;
  return {
    ...phones,
    error: phones.error ?? types.error,
    data: all && known && { all, official: all.filter(({ type }) => known.includes(type)) },
    reload() {
      phones.reload();
      types.reload();
    },
  };
};
