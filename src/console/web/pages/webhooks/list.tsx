import { Plus, Webhook } from "lucide-preact";
import { useState } from "preact/hooks";
import type { WebhookHealth } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import { webhookName } from "../../parts/messages/webhook-names.ts";
import { When } from "../../parts/when.tsx";
import { AddWebhook } from "./edit.tsx";
import { Figures, HealthBadge, Heartbeat, KindText } from "./health.tsx";
import { webhooksTexts } from "./texts.ts";

const Item = ({ health }: { health: WebhookHealth }) => {
  const t = webhooksTexts();
  return (
    <li class="card webhook">
      <div class="webhook-head">
        <div>
          <h2>
            <a class="row-link" href={href(`/webhooks/${health.webhookId}`)}>
              <bdi>{webhookName(health)}</bdi>
            </a>
          </h2>
          <p class="small soft">
            <bdi class="mono">{health.url}</bdi>
          </p>
          <p class="small soft">
            <KindText health={health} />
          </p>
        </div>
        <HealthBadge state={health.state} />
      </div>
      {t.stateHints[health.state] !== "" && (
        <p class="small">
          {t.stateHints[health.state]}
          {health.opensAt !== null && (
            <>
              {" "}
              {t.opens}: <When at={health.opensAt} />
            </>
          )}
        </p>
      )}
      <Heartbeat recent={health.recent} />
      <Figures health={health} />
    </li>
  );
};

export const WebhookList = () => {
  const [isAdding, setAdding] = useState(false);
  const query = useQuery("webhooks/list", () => gateway.webhooks.listHealth().toArray(), {
    on: ["webhook:"],
    everyMs: 10_000,
  });
  const t = webhooksTexts();
  const add = may("webhooks.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <ListPage
      name="webhooks"
      lead={t.lead}
      actions={(query.data?.length ?? 0) > 0 && add}
      state={useListState({})}
      query={inForm(query, wholeList)}
      lines={6}
      draw={(webhooks) => (
        <ul class="stack">
          {webhooks.map((health) => (
            <Item key={health.webhookId} health={health} />
          ))}
        </ul>
      )}
      empty={{ icon: Webhook, title: t.empty, hint: t.emptyHint, children: add }}
    >
      {isAdding && <AddWebhook onClose={() => setAdding(false)} />}
    </ListPage>
  );
};
