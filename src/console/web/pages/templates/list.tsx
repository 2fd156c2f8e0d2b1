import { FileText, Plus, RefreshCw, Smartphone } from "lucide-preact";
import type {
  PhoneType,
  Template,
  TemplateStatus,
  TemplateSync,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { useTemplateTypes } from "../../parts/messages/template-phones.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Empty, Failure, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { TemplateBadge } from "./state.tsx";
import { templatesTexts } from "./texts.ts";

const STATUSES = ["PENDING", "APPROVED", "REJECTED", "PAUSED"] as const satisfies readonly TemplateStatus[];
/** The API lists all templates at once; the page shows some of them at a time. */
const ON_A_PAGE = 50;
/** As many phones as one answer has; all answers are asked for. */
const AT_ONCE = 200;

export const TemplateList = () => {
  const t = templatesTexts();
  const [filters, setFilters] = useFilters({ status: "", phone: "", name: "", cursor: "" });
  const { status, phone, name, cursor } = filters;
  const types = useTemplateTypes();
  const templates = useQuery(
    `templates/list/${status}/${phone}`,
    (signal) =>
      gateway.templates
        .list(
          {
            ...(status === "" ? {} : { status: status as TemplateStatus }),
            ...(phone === "" ? {} : { phoneId: phone }),
          },
          { signal },
        )
        .toArray(),
    { on: ["template:"], everyMs: 60_000 },
  );
  const official = types.data ?? [];
  return (
    <>
      <PageHeader title={pageNames().templates} lead={t.lead}>
        {official.length > 0 && may("templates.write") && <Acts types={official} chosen={phone} />}
      </PageHeader>
      <Filters>
        <FilterSearch label={t.search} value={name} onChange={(next) => setFilters({ name: next })} />
        <FilterSelect
          label={t.state}
          value={status}
          options={[["", t.states.all], ...STATUSES.map((one) => [one, t.states[one]] as const)]}
          onChange={(next) => setFilters({ status: next })}
        />
        <PhoneFilter types={official} value={phone} onChange={(next) => setFilters({ phone: next })} />
      </Filters>
      <Loaded query={templates}>
        {(all) => (
          <Found
            templates={all.filter((one) => one.name.includes(name.toLowerCase()))}
            hasOfficial={types.data === undefined || official.length > 0}
            isFiltered={status !== "" || phone !== "" || name !== ""}
            from={Number(cursor) || 0}
            onFrom={(from) => setFilters({ cursor: from })}
          />
        )}
      </Loaded>
    </>
  );
};

/** The phones whose network is asked: the chosen one, or all that have templates. */
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

const Found = ({
  templates,
  hasOfficial,
  isFiltered,
  from,
  onFrom,
}: {
  templates: readonly Template[];
  hasOfficial: boolean;
  isFiltered: boolean;
  from: number;
  onFrom: (from: string) => void;
}) => {
  const t = templatesTexts();
  if (templates.length === 0 && isFiltered) return <Empty icon={FileText} title={t.noneFound} />;
  if (templates.length === 0 && !hasOfficial)
    return (
      <Empty icon={Smartphone} title={t.noPhones} hint={t.noPhonesHint}>
        <ButtonLink path="/phones">{t.toPhones}</ButtonLink>
      </Empty>
    );
  if (templates.length === 0) return <Empty icon={FileText} title={t.empty} hint={t.emptyHint} />;
  const next = from + ON_A_PAGE;
  return (
    <>
      <TemplateTable templates={templates.slice(from, next)} />
      <Pager
        cursor={from > 0 ? String(from) : ""}
        nextCursor={next < templates.length ? String(next) : null}
        onCursor={onFrom}
      />
    </>
  );
};

const TemplateTable = ({ templates }: { templates: readonly Template[] }) => {
  const t = templatesTexts();
  return (
    <Table
      label={pageNames().templates}
      rows={templates}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/templates/${id}`}
      columns={[
        { title: t.name, isMain: true, cell: ({ name }) => name },
        { title: t.language, cell: ({ language }) => language },
        { title: t.category, cell: ({ category }) => t.categories[category] },
        { title: t.state, cell: ({ status }) => <TemplateBadge status={status} /> },
        { title: t.phone, isMinor: true, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
        { title: t.changed, isMinor: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
      ]}
    />
  );
};
