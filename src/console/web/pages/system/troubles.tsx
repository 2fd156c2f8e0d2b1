import { BellRing } from "lucide-preact";
import type { ListTroublesResult } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { systemTexts } from "./texts.ts";

type Way = keyof ListTroublesResult["ways"];

const setWays = (ways: ListTroublesResult["ways"]): Way[] =>
  (["mail", "url", "telegram"] as const).filter((way) => ways[way]);

const TestAlert = () => {
  const t = systemTexts();
  const test = useAct(async () => {
    const { sent } = await admin.alerts.test();
    for (const { way, isSent, reason } of sent)
      notify(isSent ? t.testSent(t.ways[way]) : t.testFailed(t.ways[way], reason ?? ""));
  });
  return (
    <>
      <Button icon={BellRing} isBusy={test.isRunning} onClick={() => void test.run()}>
        {t.testAlert}
      </Button>
      {test.error !== undefined && <Failure error={test.error} />}
    </>
  );
};

const Troubles = ({ items, ways }: ListTroublesResult) => {
  const t = systemTexts();
  const notified = setWays(ways);
  return (
    <div class="stack">
      {items.length === 0 ? (
        <p class="soft">{t.noTroubles}</p>
      ) : (
        <ul class="findings">
          {items.map(({ kind, subject, title, text, since }) => (
            <li key={`${kind} ${subject}`} class="finding warning" lang="en">
              <h3>{title}</h3>
              <p>{text}</p>
              {since !== null && (
                <p class="soft small">
                  {t.since} <When at={since} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {notified.length === 0 ? (
        <Notice tone="info">{t.notifiedByNone}</Notice>
      ) : (
        <p class="soft">
          {t.notifiedBy}: {notified.map((way) => t.ways[way]).join(", ")}
        </p>
      )}
    </div>
  );
};

/** The troubles of phones, webhooks and jobs, and the people who are notified. */
export const TroublesCard = () => {
  const query = useQuery("system troubles", () => admin.troubles.list().page(), {
    on: ["phone:", "webhook:"],
    everyMs: 60_000,
  });
  const hasWay = query.data !== undefined && setWays(query.data.ways).length > 0;
  return (
    <Card title={systemTexts().troubles} actions={hasWay && <TestAlert />}>
      <Loaded query={query} lines={3}>
        {(troubles) => <Troubles {...troubles} />}
      </Loaded>
    </Card>
  );
};
