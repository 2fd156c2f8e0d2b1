import type { Query } from "./http.ts";

/** A list, which is asked for page by page while it is read. */
export class Pages<Item, Page = unknown> implements AsyncIterable<Item> {
  readonly #ask: (query: Query) => Promise<unknown>;
  readonly #query: Query;
  readonly #cursorName: string;

  constructor(ask: (query: Query) => Promise<unknown>, query: Query = {}, cursorName = "cursor") {
    this.#ask = ask;
    this.#query = query;
    this.#cursorName = cursorName;
  }

  /** The first page, as the server answers it. */
  page(): Promise<Page> {
    return this.#ask(this.#query) as Promise<Page>;
  }

  /** Page after page, as the server answers them. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let query: Query | undefined = this.#query;
    while (query) {
      const page: unknown = await this.#ask(query);
      yield page as Page;
      query = this.#after(page, query);
    }
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* itemsOf(page) as Item[];
  }

  /** The first items of the list; all of them where no limit is given. */
  async toArray({ limit = Infinity }: { limit?: number } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }

  /** The query of the page after this one; undefined at the end. */
  #after(page: unknown, query: Query): Query | undefined {
    const { nextCursor, meta } = page as { nextCursor?: string | null; meta?: { hasMore?: boolean } };
    // a cursor that does not move would be asked for again and again
    if (nextCursor && nextCursor !== query[this.#cursorName]) return { ...query, [this.#cursorName]: nextCursor };
    return meta?.hasMore ? { ...query, page: Number(query["page"] ?? 1) + 1 } : undefined;
  }
}

/** The items of a page: the page itself, or the list in it. */
const itemsOf = (page: unknown): unknown[] => {
  const values: unknown[] = Object.values(page as object);
  return [page, ...values].find((value): value is unknown[] => Array.isArray(value)) ?? [];
};
