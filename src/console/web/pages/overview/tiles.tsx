import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { money, number, percent } from "../../frame/texts/format.ts";
import { Stat } from "../../parts/layout.tsx";
import { Failure, Skeleton } from "../../parts/states.tsx";
import type { NowQuery, SeriesQuery } from "./queries.ts";
import { overviewTexts } from "./texts.ts";

/** The number up to which the server counts waiting things. */
const COUNTED_UP_TO = 10_000;
const upTo = (count: number): string => (count >= COUNTED_UP_TO ? `${number(COUNTED_UP_TO)}+` : number(count));

const PhonesTile = ({ phones }: { phones: readonly { status: string; count: number }[] }) => {
  const t = overviewTexts();
  const sum = (of: readonly { count: number }[]): number => of.reduce((total, { count }) => total + count, 0);
  const all = sum(phones);
  const open = sum(phones.filter(({ status }) => status === "CONNECTED" || status === "RESTRICTED"));
  const note = all === 0 ? t.phonesNone : open === all ? t.phonesAll : t.phonesAway(number(all - open));
  const tone = all > 0 && open < all ? { tone: "warning" as const } : {};
  return <Stat name={t.phones} value={`${number(open)} / ${number(all)}`} note={note} path="/phones" {...tone} />;
};

/** The cost of this month so far. */
const CostTile = () => {
  const t = overviewTexts();
  const cost = useQuery("overview/cost", (signal) => gateway.billing.getCurrent({ signal }), { everyMs: 60_000 });
  if (!cost.data) return null;
  const { costCents, wabaPassthroughCents } = cost.data;
  const reais = (cents: number): string => money(cents / 100, "BRL");
  return <Stat name={t.cost} value={reais(costCents)} note={t.costHint(reais(wabaPassthroughCents))} path="/billing" />;
};

/** The numbers of the account, each a link to the page that explains it. */
export const Tiles = ({ series, now }: { series: SeriesQuery; now: NowQuery }) => {
  const t = overviewTexts();
  const error = series.error ?? now.error;
  if (error !== undefined)
    return (
      <Failure
        error={error}
        onAgain={() => {
          series.reload();
          now.reload();
        }}
      />
    );
  if (!series.data || !now.data) return <Skeleton lines={3} />;
  const { sent, received, failed } = series.data.total.messages;
  const { phones, messages, deliveries } = now.data;
  const failedNote = sent + failed > 0 ? { note: t.failedShare(percent(failed / Math.max(1, sent + failed))) } : {};
  return (
    <div class="stats overview-tiles">
      <PhonesTile phones={phones} />
      <Stat name={t.sent} value={number(sent)} path="/messages?direction=outbound" />
      <Stat name={t.received} value={number(received)} path="/messages?direction=inbound" />
      <Stat
        name={t.failed}
        value={number(failed)}
        path="/messages?status=FAILED"
        {...failedNote}
        {...(failed > 0 ? { tone: "bad" as const } : {})}
      />
      <Stat name={t.queued} value={upTo(messages.queued)} note={t.queuedHint} path="/messages?status=QUEUED" />
      <Stat
        name={t.waiting}
        value={upTo(deliveries.waiting)}
        note={t.waitingHint}
        path="/deliveries?state=WAITING"
        {...(deliveries.waiting > 0 ? { tone: "warning" as const } : {})}
      />
      <Stat
        name={t.dead}
        value={upTo(deliveries.dead)}
        note={t.deadHint}
        path="/deliveries?state=DEAD"
        {...(deliveries.dead > 0 ? { tone: "bad" as const } : {})}
      />
      {may("billing.read") && <CostTile />}
    </div>
  );
};
