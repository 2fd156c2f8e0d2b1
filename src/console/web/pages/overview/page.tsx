import { Send } from "lucide-preact";
import { useLocation } from "preact-iso";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { account, isOperator, may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { LimitsCard, RestrictionsCard } from "./limits.tsx";
import { LagCard, MessagesCard } from "./pictures.tsx";
import { useNow, useSeries } from "./queries.ts";
import { isRange, RANGES, type Range } from "./range.ts";
import { ServerCard } from "./server.tsx";
import { StatesCard } from "./states.tsx";
import { NextSteps } from "./steps.tsx";
import { overviewTexts } from "./texts.ts";
import { Tiles } from "./tiles.tsx";
import { Update } from "./update.tsx";
import { WaitingCard } from "./waiting.tsx";
import { Warnings } from "./warnings.tsx";

const Ranges = ({ range }: { range: Range }) => {
  const t = overviewTexts();
  return (
    <nav class="overview-ranges" aria-label={t.range}>
      {(Object.keys(RANGES) as Range[]).map((one) => (
        <a
          key={one}
          href={href(one === "24h" ? "/" : `/?range=${one}`)}
          {...(one === range ? { "aria-current": "true" as const } : {})}
        >
          {t.ranges[one]}
        </a>
      ))}
    </nav>
  );
};

/** The link to a new batch, if a phone can send it. */
const NewBatch = () => {
  const now = useNow();
  return now.data === undefined || now.data.phones.length === 0 ? null : (
    <ButtonLink icon={Send} path="/batches/new">
      {overviewTexts().newBatch}
    </ButtonLink>
  );
};

/** The activity of the chosen account, at a glance. */
const OfAccount = ({ range }: { range: Range }) => {
  const series = useSeries(range);
  const now = useNow();
  const own = useQuery("overview/account", (signal) => gateway.account.get({ signal }), {
    on: ["channel:"],
    everyMs: 15_000,
  });
  return (
    <div class="stack">
      {own.data && series.data && <NextSteps limits={own.data.limits} deliveries={series.data.total.deliveries} />}
      {may("chats.read") && <WaitingCard />}
      <Tiles series={series} now={now} />
      <MessagesCard series={series} range={range} />
      <div class="grid overview-grid">
        <LagCard series={series} />
        <div class="stack">
          <StatesCard now={now} />
          {now.data?.phones.some(({ status }) => status === "RESTRICTED") && <RestrictionsCard />}
          {own.data && <LimitsCard account={own.data} />}
        </div>
      </div>
    </div>
  );
};

export const OverviewPage = () => {
  const { range: asked = "" } = useLocation().query;
  const range = isRange(asked) ? asked : "24h";
  return (
    <>
      <PageHeader title={pageNames().overview} {...(account.value ? { lead: account.value.name } : {})}>
        {account.value && may("messages.write") && <NewBatch />}
        <Ranges range={range} />
      </PageHeader>
      <div class="stack">
        {account.value && may("messages.read") && <OfAccount range={range} />}
        {isOperator.value && <Update />}
        {isOperator.value && <Warnings />}
        {isOperator.value && <ServerCard />}
      </div>
    </>
  );
};
