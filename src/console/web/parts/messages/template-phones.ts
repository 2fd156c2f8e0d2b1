import type { PhoneType } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Query, useQuery } from "../../frame/requests/query.ts";

/** Whether the network of a type of phones reviews templates: one phone of the type is asked. */
const hasTemplates = async (type: PhoneType, signal: AbortSignal): Promise<boolean> => {
  const { items } = await gateway.phones.search({ type, limit: 1 }, { signal }).page();
  const [phone] = items;
  return phone !== undefined && (await gateway.phones.getCapabilities(phone.id, { signal })).hasTemplates;
};

/** The types of the account's phones whose network reviews templates. */
export const useTemplateTypes = (): Query<PhoneType[]> =>
  useQuery(
    "phones/template-types",
    async (signal) => {
      const { phones } = await gateway.stats.now({ signal });
      const types = [...new Set(phones.map(({ type }) => type))];
      const asked = await Promise.all(types.map(async (type) => ((await hasTemplates(type, signal)) ? [type] : [])));
      return asked.flat();
    },
    { on: ["channel:"] },
  );
