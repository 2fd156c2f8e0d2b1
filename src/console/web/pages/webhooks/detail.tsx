import { RotateCcw } from "lucide-preact";
import type { SharedWebhook, WebhookHealth } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { webhookName } from "../../parts/messages/webhook-names.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { Actions } from "./actions.tsx";
import { newSecrets } from "./edit.tsx";
import { Figures, HealthBadge, Heartbeat, KindText } from "./health.tsx";
import { webhooksTexts } from "./texts.ts";
import { TrialCard } from "./trial.tsx";

const Configuration = ({ webhook }: { webhook: SharedWebhook }) => {
  const t = webhooksTexts();
  const names = Object.keys(webhook.headers);
  return (
    <Card title={t.configuration}>
      <Details
        items={[
          [t.phones, webhook.allPhones ? t.phonesAll : t.phonesLinked],
          [t.events, webhook.events.length === 0 ? t.eventsAll : webhook.events.join(", ")],
          [t.ordering, t.orderings[webhook.ordering]],
          [t.headers, names.length === 0 ? frameTexts().none : names.join(", ")],
        ]}
      />
    </Card>
  );
};

const RetryNow = ({ health: { webhookId, kind, phoneId, waiting } }: { health: WebhookHealth }) => {
  const t = webhooksTexts();
  const act = useAct(async () => {
    await (kind === "phone" ? gateway.phones.retryWebhook(phoneId ?? "") : gateway.webhooks.retry(webhookId));
    notify(t.retried);
    refresh("webhooks/");
  });
  if (waiting === 0) return null;
  return (
    <Button icon={RotateCcw} isBusy={act.isRunning} onClick={() => void act.run()}>
      {t.retry}
    </Button>
  );
};

const HealthCard = ({ health }: { health: WebhookHealth }) => {
  const t = webhooksTexts();
  const { webhookId, state, opensAt, lastFailedAt, dead, kind } = health;
  return (
    <Card
      title={t.deliveries}
      actions={
        <>
          {kind !== "account" && may("webhooks.write") && <RetryNow health={health} />}
          {dead > 0 && <ButtonLink path={`/deliveries?webhook=${webhookId}`}>{t.showFailed}</ButtonLink>}
          <ButtonLink path={`/deliveries?webhook=${webhookId}&state=all`}>{t.showDeliveries}</ButtonLink>
        </>
      }
    >
      <div class="stack">
        {t.stateHints[state] !== "" && (
          <Notice tone={state === "PAUSED" ? "info" : "warning"}>
            {t.stateHints[state]}
            {opensAt !== null && (
              <>
                {" "}
                {t.opens}: <When at={opensAt} />
              </>
            )}
          </Notice>
        )}
        <Heartbeat recent={health.recent} />
        <Figures health={health} />
        <p class="small soft">
          {t.lastFailed}: {lastFailedAt === null ? t.never : <When at={lastFailedAt} />}
        </p>
      </div>
    </Card>
  );
};

const NewSecret = ({ id }: { id: string }) => {
  const secret = newSecrets.get(id);
  if (secret === undefined) return null;
  return (
    <Notice tone="good">
      <p>{webhooksTexts().created}</p>
      <CopyLine text={secret} />
    </Notice>
  );
};

const One = ({ health, webhook }: { health: WebhookHealth; webhook: SharedWebhook | undefined }) => {
  const t = webhooksTexts();
  const isOurs = health.kind !== "account";
  return (
    <>
      <PageHeader title={webhookName(health)} back={{ path: "/webhooks", name: pageNames().webhooks }}>
        {webhook && may("webhooks.write") && <Actions health={health} webhook={webhook} />}
        {health.kind === "phone" && health.phoneId !== null && (
          <ButtonLink path={`/phones/${health.phoneId}`}>{t.openPhone}</ButtonLink>
        )}
      </PageHeader>
      <div class="under-title">
        <HealthBadge state={health.state} />{" "}
        <span class="small soft">
          <bdi class="mono">{health.url}</bdi> · <KindText health={health} />
        </span>
      </div>
      <div class="stack">
        <NewSecret id={health.webhookId} />
        {health.kind === "phone" && <Notice>{t.ofPhone}</Notice>}
        {!isOurs && <Notice>{t.ofPlatform}</Notice>}
        {isOurs && may("webhooks.write") && <TrialCard health={health} />}
        <HealthCard health={health} />
        {webhook && <Configuration webhook={webhook} />}
      </div>
    </>
  );
};

/** One webhook: its health, a test, its data, and the possible acts. */
export const WebhookPage = ({ id }: { id: string }) => {
  const query = useQuery(
    `webhooks/one/${id}`,
    async (signal) => {
      const { items } = await gateway.webhooks.listHealth({ webhookId: id }, { signal }).page();
      const [health] = items;
      const webhook = health?.kind === "shared" ? await gateway.webhooks.get(id, { signal }) : undefined;
      return { health, webhook };
    },
    { on: ["webhook:"], everyMs: 5000 },
  );
  return (
    <Loaded query={query} lines={8}>
      {({ health, webhook }) =>
        health === undefined ? (
          <Empty title={frameTexts().gone}>
            <ButtonLink path="/webhooks">{pageNames().webhooks}</ButtonLink>
          </Empty>
        ) : (
          <One health={health} webhook={webhook} />
        )
      }
    </Loaded>
  );
};
