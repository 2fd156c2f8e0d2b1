import type { Recado } from "./recado.ts";

/** A read that a customer, the console or an administrator makes. `ask` throws for a status other than 2xx. */
export type Question = { what: string; ask(): Promise<unknown> };

type Parameter = { $ref?: string; in?: string; name?: string; required?: boolean };
type Operation = { parameters?: Parameter[]; responses: Record<string, { content?: Record<string, unknown> }> };
type Description = {
  paths: Record<string, { get?: Operation }>;
  components: { parameters: Record<string, Parameter> };
};
/** A page of the gateway, or of the platform; each field may be missing. */
type Page = { items?: unknown; nextCursor?: unknown; data?: unknown; meta?: { total?: number; limit?: number } };
type Get = (path: string) => Promise<Page | undefined>;

/** The place of a deep page: by cursor so many pages behind the first one, by number behind this share of the rows. */
const PAGES_BEHIND = 50;
const SHARE_BEHIND = 0.95;
/** A common word of the messages, and the beginning of most numbers. */
const SEARCHED = ["pedido", "5511"];
/** These ask a network, never end, or look at the machine. */
const LEFT_OUT = /stream$|pairing|health|doctor|capabilities|identit|\/qr|backup/;

/**
 * Every read of an API that needs only ids of the lists above it: its first page, a deep page, and a search. Reads that
 * this database cannot answer are left out.
 */
export const questionsOf = async (
  recado: Pick<Recado, "call" | "ask">,
  { api, key }: { api: "gateway" | "platform"; key: string },
): Promise<Question[]> => {
  const caller = api === "gateway" ? recado.call : recado.ask;
  const ask = (path: string) => caller<Page>(path, path.startsWith("/v1/admin/") ? {} : { key });
  const get: Get = (path) => ask(path).catch(() => undefined);
  const { paths, components } = await caller<Description>("/openapi.json");
  const firstPages = new Map<string, Page>();
  const found: Question[] = [];
  const note = (path: string, page: Page | undefined) => {
    if (page) found.push({ what: `${api} GET ${path}`, ask: () => ask(path) });
  };
  const reads = Object.entries(paths).flatMap(([path, { get: operation }]) => (operation ? [{ path, operation }] : []));
  for (const { path, operation } of reads.toSorted((a, b) => a.path.length - b.path.length)) {
    const named = queryOf(operation, components.parameters);
    const filled = filledIn(path, firstPages);
    const isJson = operation.responses["200"]?.content?.["application/json"] !== undefined;
    if (!filled || !isJson || LEFT_OUT.test(path) || named.some(({ required }) => required)) continue;
    const first = await get(filled);
    if (!first) continue;
    firstPages.set(path, first);
    note(filled, first);
    const deep = await deepPage(filled, first, get);
    if (deep !== undefined) note(deep, first);
    const search = named.find(({ name }) => name === "q" || name === "search")?.name;
    for (const text of search === undefined ? [] : SEARCHED) {
      const searched = withQuery(filled, search ?? "", text);
      note(searched, await get(searched));
    }
  }
  return found;
};

const queryOf = ({ parameters = [] }: Operation, shared: Record<string, Parameter>): Parameter[] =>
  parameters
    .map((one) => shared[one.$ref?.split("/").at(-1) ?? ""] ?? one)
    .filter(({ in: place }) => place === "query");

const withQuery = (path: string, name: string, value: string | number): string =>
  `${path}?${new URLSearchParams({ [name]: String(value) }).toString()}`;

/** The path with the first id of the list above it; undefined if the list is empty. */
const filledIn = (path: string, firstPages: ReadonlyMap<string, Page>): string | undefined => {
  const [above = "", ...rest] = path.split(/\/\{\w+\}/);
  if (rest.length === 0) return path;
  const { items, data } = firstPages.get(above) ?? {};
  const [first] = (Array.isArray(items) ? items : Array.isArray(data) ? data : []) as { id?: string }[];
  return rest.length > 1 || first?.id === undefined ? undefined : `${above}/${first.id}${rest[0]}`;
};

/** The path of a page far behind the first one; undefined if the list is short. */
const deepPage = async (path: string, first: Page, get: Get): Promise<string | undefined> => {
  const { total = 0, limit = 1 } = first.meta ?? {};
  if (total > 2 * limit) return withQuery(path, "page", Math.ceil((total * SHARE_BEHIND) / limit));
  let { nextCursor } = first;
  for (let turned = 1; turned < PAGES_BEHIND && typeof nextCursor === "string"; turned++)
    nextCursor = (await get(withQuery(path, "cursor", nextCursor)))?.nextCursor ?? nextCursor;
  return typeof nextCursor === "string" ? withQuery(path, "cursor", nextCursor) : undefined;
};
