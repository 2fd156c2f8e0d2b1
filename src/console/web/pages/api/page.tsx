import { Download } from "lucide-preact";
import { href } from "../../frame/base.ts";
import { fetchThroughDoor } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { isOperator } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Tabs } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type ApiName, baseUrlOf, type Description, type Operation, operationsOf } from "./description.ts";
import { OperationList } from "./list.tsx";
import { OperationPage } from "./operation.tsx";
import { apiTexts } from "./texts.ts";

const descriptionAt = (api: ApiName): string => new URL(href(`/${api}/openapi.json`), location.origin).href;

/** The description of an API, as the server serves it: read when the page is opened. */
const useDescription = (api: ApiName) =>
  useQuery(`api description ${api}`, async (signal) => {
    const answer = await fetchThroughDoor(descriptionAt(api), { method: "GET", headers: new Headers(), signal });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return (await answer.json()) as Description;
  });

/** Where upstreams call, and what only the operator may do, is nothing to try for others. */
const isForPerson = ({ tag }: Operation): boolean => tag !== "receivers" && (tag !== "admin" || isOperator.value);

const Downloads = ({ api, document }: { api: ApiName; document: Description }) => (
  <a class="button" href={`${baseUrlOf(document)}/openapi.json`} download={`recado-${api}.json`}>
    <Download size={16} aria-hidden="true" />
    <span>{apiTexts().download}</span>
  </a>
);

/** Both descriptions, with a form for each request that acts as the person in the chosen account. */
export const ApiPage = ({ id, tab }: PageProps) => {
  const t = apiTexts();
  const api: ApiName = id === "platform" ? "platform" : "gateway";
  const query = useDescription(api);
  const found = (document: Description) =>
    operationsOf(document).find(({ operationId }) => tab !== undefined && operationId === tab);
  return (
    <Loaded query={query} lines={12}>
      {(document) => {
        const operation = found(document);
        if (operation) return <OperationPage key={operation.operationId} {...{ api, document, operation }} />;
        return (
          <>
            <PageHeader title={pageNames().api} lead={t.lead}>
              <Downloads api={api} document={document} />
            </PageHeader>
            <Tabs
              label={t.tabs}
              tabs={[
                { name: t.gateway, path: "/api" },
                { name: t.platform, path: "/api/platform" },
              ]}
              current={api === "gateway" ? "/api" : "/api/platform"}
            />
            {tab !== undefined && <Empty title={t.unknown} hint={t.unknownHint} />}
            <OperationList
              api={api}
              tags={document.tags ?? []}
              operations={operationsOf(document).filter(isForPerson)}
            />
          </>
        );
      }}
    </Loaded>
  );
};
