import { RotateCcw } from "lucide-preact";
import { useState } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { notify } from "../../parts/toasts.tsx";
import { type DeliveryFilters, retryOf } from "./filters.ts";
import { deliveriesTexts } from "./texts.ts";

/**
 * Sends all deliveries again that match the filters. One call takes 1,000, so calls follow until no dead letter is
 * left.
 */
export const RetryAll = ({ filters }: { filters: DeliveryFilters }) => {
  const [isAsking, setAsking] = useState(false);
  const [sent, setSent] = useState(0);
  const t = deliveriesTexts();
  const body = retryOf(filters);
  const act = useAct(async () => {
    if (!body) return;
    let total = 0;
    for (let count = -1; count !== 0; ) {
      count = (await gateway.events.retryDeliveries(body)).count;
      total += count;
      setSent(total);
      if (body.state === "WAITING") break; // they go on waiting until they arrive
    }
    setAsking(false);
    notify(t.retried(total));
    refresh("deliveries/");
  });
  if (!body || !may("events.write")) return null;
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setAsking(true)}>
        {t.retryAll}
      </Button>
      {isAsking && (
        <Confirm title={t.retryAllTitle} yes={t.retry} act={act} onNo={() => setAsking(false)}>
          <p>{t.retryAllHint}</p>
          {sent > 0 && <p role="status">{t.retriedSoFar(sent)}</p>}
        </Confirm>
      )}
    </>
  );
};
