import { FileText, Plus, RefreshCw } from "lucide-preact";
import type {
  PhoneType,
  Template,
  TemplateStatus,
  TemplateSync,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import type { RowPage } from "../../frame/requests/endless-page.ts";
import { inForm, refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { useTemplateTypes } from "../../parts/messages/template-phones.ts";
import { noPhones } from "../../parts/phones/no-phones.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { TemplateBadge } from "./state.tsx";
import { templatesTexts } from "./texts.ts";

const STATUSES = ["PENDING", "APPROVED", "REJECTED", "PAUSED"] as const satisfies readonly TemplateStatus[];
/** The API lists all templates at once; the page shows some of them at a time. */
const ON_A_PAGE = 50;
/** The number of phones of one answer. The page asks for all answers. */
const AT_ONCE = 200;

export const TemplateList = () => {
  const t = templatesTexts();
  const list = useListState({ status: "", phone: "", name: "" });
  const { status, phone, name, cursor } = list.filters;
  const types = useTemplateTypes();
  const templates = useQuery(
    `templates/list/${status}/${phone}`,
    (signal) => gateway.templates.list(given({ status, phoneId: phone }), { signal }).toArray(),
    { on: ["template:"], everyMs: 60_000 },
  );
  const official = types.data ?? [];
  const hasOfficial = types.data === undefined || official.length > 0;
  return (
    <ListPage
      name="templates"
      lead={t.lead}
      actions={official.length > 0 && may("templates.write") && <Acts types={official} chosen={phone} />}
      state={list}
      filters={
        <>
          <FilterSearch label={t.search} {...list.field("name")} />
          <FilterSelect
            label={t.state}
            {...list.field("status")}
            options={[["", t.states.all], ...STATUSES.map((one) => [one, t.states[one]] as const)]}
          />
          <PhoneFilter types={official} {...list.field("phone")} />
        </>
      }
      query={inForm(templates, (all) => pageOf(all, name, Math.max(0, Number(cursor) || 0)))}
      columns={columns()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/templates/${id}`}
      empty={hasOfficial ? { icon: FileText, title: t.empty, hint: t.emptyHint } : noPhones(t.noPhones, t.noPhonesHint)}
      notFound={{ icon: FileText, title: t.noneFound }}
    />
  );
};

/** The templates whose name has these letters, from a place on. */
const pageOf = (all: readonly Template[], letters: string, from: number): RowPage<Template> => {
  const found = all.filter(({ name }) => name.includes(letters.toLowerCase()));
  const next = from + ON_A_PAGE;
  return { items: found.slice(from, next), nextCursor: next < found.length ? String(next) : null };
};

/** The phones whose network the page asks: the chosen phone, or all phones with templates. */
const askedPhones = async (types: readonly PhoneType[], chosen: string): Promise<readonly string[]> => {
  if (chosen !== "") return [chosen];
  const found = await Promise.all(types.map((type) => gateway.phones.search({ type, limit: AT_ONCE }).toArray()));
  return found.flat().map(({ id }) => id);
};

const Acts = ({ types, chosen }: { types: readonly PhoneType[]; chosen: string }) => {
  const t = templatesTexts();
  const sync = useAct(async () => {
    const answers: TemplateSync[] = [];
    for (const id of await askedPhones(types, chosen)) answers.push(await gateway.templates.sync({ phoneId: id }));
    const sum = (of: "created" | "updated"): string => number(answers.reduce((all, one) => all + one[of], 0));
    notify(t.synced(sum("created"), sum("updated")));
    refresh("templates/");
  });
  return (
    <>
      {sync.error !== undefined && <Failure error={sync.error} />}
      <Button icon={RefreshCw} isBusy={sync.isRunning} onClick={() => void sync.run()}>
        {t.sync}
      </Button>
      <ButtonLink tone="primary" icon={Plus} path="/templates/new">
        {t.make}
      </ButtonLink>
    </>
  );
};

const columns = (): Column<Template>[] => {
  const t = templatesTexts();
  return [
    { title: t.name, isMain: true, cell: ({ name }) => name },
    { title: t.language, cell: ({ language }) => language },
    { title: t.category, cell: ({ category }) => t.categories[category] },
    { title: t.state, cell: ({ status }) => <TemplateBadge status={status} /> },
    { title: t.phone, isMinor: true, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
    { title: t.changed, isMinor: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
  ];
};
