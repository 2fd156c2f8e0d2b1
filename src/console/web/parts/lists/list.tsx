import { SearchX } from "lucide-preact";
import type { ComponentChildren, ComponentProps } from "preact";
import type { ListState } from "../../frame/address.ts";
import type { RowPage } from "../../frame/requests/endless-page.ts";
import type { Query } from "../../frame/requests/query.ts";
import { catalogue } from "../../frame/texts/languages.ts";
import { type PageName, pageNames } from "../../frame/texts/page-names.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../button.tsx";
import { PageHeader } from "../page-header.tsx";
import { Empty, Loaded } from "../states.tsx";
import { Filters, Pager } from "./filters.tsx";
import { showingOf } from "./showing.ts";
import { Table, type TableProps } from "./table.tsx";

const texts = catalogue({
  en: { continues: "Nothing matches on this page, but further entries follow." },
  pt: { continues: "Nada corresponde nesta página, mas há mais registros." },
  es: { continues: "Nada coincide en esta página, pero hay más entradas." },
});

type Nothing = ComponentProps<typeof Empty>;

/** The drawing of rows: as a table by its columns, or otherwise. */
type Drawn<Row> = Omit<TableProps<Row>, "label" | "rows"> | { draw: (rows: readonly Row[]) => ComponentChildren };

type ListProps<Row> = Drawn<Row> & {
  /** The name of the list. */
  label: string;
  /** The filters, and the place in the list. */
  state: Pick<ListState, "isFiltered"> & { filters: { cursor: string }; change(change: { cursor: string }): void };
  query: Query<RowPage<Row>>;
  /** The controls of the filters. */
  filters?: ComponentChildren;
  /** The number of placeholder lines until the list is loaded. */
  lines?: number;
  /** Stands in place of rows if there is no row yet, or no row at all. */
  empty: Nothing;
  /** Stands in place of rows if no row matches the filters. Without it, `empty` does. */
  notFound?: Nothing;
  /** Stands in place of rows if none of the rows that the server read matches. Has the words of the way on. */
  searched?: { title: string; hint?: string; goOn: string };
  /** The way to further rows of a list that grows; other lists have pages. */
  more?: ComponentChildren;
};

const rowsOf = <Row,>(props: ListProps<Row>, rows: readonly Row[]): ComponentChildren =>
  "draw" in props ? props.draw(rows) : <Table {...props} rows={rows} />;

const Found = <Row,>({ page, ...props }: ListProps<Row> & { page: RowPage<Row> }) => {
  const { state, empty, notFound = empty, more } = props;
  const { cursor } = state.filters;
  const turn = (to: string): void => state.change({ cursor: to });
  const showing = showingOf(page, state.isFiltered || cursor !== "");
  if (showing === "searched") {
    const { title, hint, goOn } = props.searched ?? { title: texts().continues, goOn: frameTexts().next };
    return (
      <Empty icon={SearchX} title={title} hint={hint}>
        <Button tone="primary" onClick={() => turn(page.nextCursor ?? "")}>
          {goOn}
        </Button>
      </Empty>
    );
  }
  return (
    <>
      {showing === "rows" ? rowsOf(props, page.items) : <Empty {...(showing === "empty" ? empty : notFound)} />}
      {more ?? <Pager cursor={cursor} nextCursor={page.nextCursor} onCursor={turn} />}
    </>
  );
};

/** A list with its filters, from the first question to the last page: loaded, failed, nothing yet, nothing found. */
export const List = <Row,>(props: ListProps<Row>) => (
  <>
    {props.filters && <Filters>{props.filters}</Filters>}
    <Loaded query={props.query} lines={props.lines}>
      {(page) => <Found {...props} page={page} />}
    </Loaded>
  </>
);

/** A page that is a list. `above`: what stands before the list. `children`: what stands after it, such as dialogs. */
export const ListPage = <Row,>({
  name,
  lead,
  actions,
  above,
  children,
  ...list
}: Omit<ListProps<Row>, "label"> &
  Drawn<Row> & {
    name: PageName;
    lead: string;
    label?: string;
    actions?: ComponentChildren;
    above?: ComponentChildren;
    children?: ComponentChildren;
  }) => {
  const title = pageNames()[name];
  return (
    <>
      <PageHeader title={title} lead={lead}>
        {actions}
      </PageHeader>
      {above}
      <List<Row> label={title} {...list} />
      {children}
    </>
  );
};
