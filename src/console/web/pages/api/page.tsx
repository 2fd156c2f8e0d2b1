import { href } from "../../frame/base.ts";
import { fetchThroughDoor } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type ApiName, type Description, operationsOf } from "./description.ts";
import { OperationList } from "./list.tsx";
import { OperationPage } from "./operation.tsx";

const descriptionAt = (api: ApiName): string => new URL(href(`/${api}/openapi.json`), location.origin).href;

/** The description of an API from the server. The page reads it when it opens. */
const useDescription = (api: ApiName) =>
  useQuery(`api description ${api}`, async (signal) => {
    const answer = await fetchThroughDoor(descriptionAt(api), { method: "GET", headers: new Headers(), signal });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return (await answer.json()) as Description;
  });

/** Both descriptions, with a form for each request that acts as the person in the chosen account. */
export const ApiPage = ({ id, tab }: PageProps) => {
  const api: ApiName = id === "platform" ? "platform" : "gateway";
  const query = useDescription(api);
  if (tab !== undefined && query.data === undefined)
    return (
      <Loaded query={query} lines={12}>
        {() => null}
      </Loaded>
    );
  const document = query.data;
  const operation = document && operationsOf(document).find(({ operationId }) => operationId === tab);
  return operation ? (
    <OperationPage key={operation.operationId} {...{ api, document, operation }} />
  ) : (
    <OperationList api={api} query={query} isUnknown={tab !== undefined} />
  );
};
