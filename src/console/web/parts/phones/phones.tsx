import { effect, signal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Phone, PhoneCapabilities } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Query, useQuery } from "../../frame/requests/query.ts";
import { session } from "../../frame/session.ts";
import { SEARCHED_FROM } from "../forms/search-options.ts";

/** Names of phones by their ids, as far as pages show them; null for a deleted phone. A name never changes. */
const names = signal<ReadonlyMap<string, string | null>>(new Map());
effect(() => {
  if (session.value === null) names.value = new Map();
});

const know = (named: Iterable<readonly [id: string, name: string | null]>): void => {
  names.value = new Map([...names.peek(), ...named]);
};

/** The maximum number of ids of a question. */
const AT_ONCE = 100;
const wanted = new Set<string>();

/** Asks for all names that a page wants, in one question. */
const askNames = async (): Promise<void> => {
  const ids = [...wanted];
  wanted.clear();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const asked = ids.slice(at, at + AT_ONCE);
    const { items } = await gateway.phones.search({ ids: asked.join(","), limit: AT_ONCE }).page();
    const found = new Map(items.map(({ id, label }) => [id, label]));
    know(asked.map((id) => [id, found.get(id) ?? null]));
  }
};

const want = (id: string): void => {
  if (id === "" || names.peek().has(id) || wanted.has(id)) return;
  // after a failed question, the next page that shows the ids asks again
  if (wanted.size === 0) setTimeout(() => void askNames().catch(() => {}), 0);
  wanted.add(id);
};

/** The name of a phone for people: its label, else the beginning of its id. */
export const usePhoneName = (id: string): string => {
  const name = names.value.get(id);
  useEffect(() => want(id), [id, name]);
  return name ?? id.slice(0, 8);
};

export const PhoneName = ({ id }: { id: string }) => <>{usePhoneName(id)}</>;

export type FoundPhones = { items: readonly Phone[]; hasMore: boolean };

/** The number of lines that a choice shows at once. */
const LINES = 50;

const newestFirst = (one: Phone, other: Phone): number => Date.parse(other.createdAt) - Date.parse(one.createdAt);

/**
 * The newest of the account's phones whose name or number has these words. `types`: only these types of phones. Without
 * words the list is renewed after events.
 */
export const usePhonesFound = (q = "", types?: readonly Phone["type"][]): Query<FoundPhones> => {
  const query = useQuery(
    `phones/found/${types?.join() ?? "all"}/${q}`,
    async (signal): Promise<FoundPhones> => {
      const words = q === "" ? { limit: SEARCHED_FROM - 1 } : { q, limit: LINES };
      const asked = types?.map((type) => ({ ...words, type })) ?? [words];
      const pages = await Promise.all(asked.map((one) => gateway.phones.search(one, { signal }).page()));
      return {
        items: pages.flatMap(({ items }) => items).toSorted(newestFirst),
        hasMore: pages.some(({ nextCursor }) => nextCursor !== null),
      };
    },
    { on: q === "" ? ["channel:"] : [] },
  );
  // a phone that is chosen among these is called by its name at once
  useLayoutEffect(() => {
    if (query.data) know(query.data.items.map(({ id, label }) => [id, label]));
  }, [query.data]);
  return query;
};

/** The number of phones, as far as pages ask; undefined until it is known. */
export const useHowMany = (): "none" | "one" | "several" | undefined => {
  const { data } = usePhonesFound();
  if (data === undefined) return undefined;
  if (data.items.length === 0) return "none";
  return data.items.length === 1 && !data.hasMore ? "one" : "several";
};

/** One phone; undefined without a choice, and until it is known. */
export const usePhone = (id: string): Phone | undefined =>
  useQuery(
    id === "" ? "phones/none" : `phones/one/${id}`,
    (signal) => (id === "" ? Promise.resolve(undefined) : gateway.phones.get(id, { signal })),
    { on: id === "" ? [] : ["channel:"] },
  ).data;

/** The capabilities of a phone's network; undefined without a phone, and until they are known. */
export const useCapabilities = (id: string): PhoneCapabilities | undefined =>
  useQuery(`capabilities/${id}`, async (signal) =>
    id === "" ? undefined : gateway.phones.getCapabilities(id, { signal }),
  ).data;
