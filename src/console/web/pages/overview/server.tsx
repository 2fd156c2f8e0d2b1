import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Card, Stat } from "../../parts/layout.tsx";
import { overviewTexts } from "./texts.ts";

/** The whole server, for its operators. */
export const ServerCard = () => {
  const t = overviewTexts();
  const server = useQuery("overview/server", (signal) => admin.stats.get({ signal }), { everyMs: 30_000 });
  if (!server.data) return null;
  const { accounts, phones, today, jobs, deliveries, invoices } = server.data;
  const note = accounts.suspended > 0 ? { note: t.suspended(number(accounts.suspended)) } : {};
  return (
    <Card title={t.server} hint={t.serverHint}>
      <div class="stats overview-server">
        <Stat name={t.accounts} value={number(accounts.total)} path="/accounts" {...note} />
        <Stat name={t.phones} value={`${number(phones.connected)} / ${number(phones.total)}`} />
        <Stat name={t.sentToday} value={number(today.sent)} />
        <Stat name={t.jobs} value={number(jobs.waiting)} path="/system" />
        <Stat
          name={t.dead}
          value={number(deliveries.dead)}
          {...(deliveries.dead > 0 ? { tone: "bad" as const } : {})}
        />
        <Stat name={t.unpaid} value={number(invoices.unpaid)} path="/accounts" />
      </div>
    </Card>
  );
};
