import { RotateCcw } from "lucide-preact";
import type { SentRequest, WebhookDeliveryDetails } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/copy.tsx";
import { Identifier } from "../../parts/identifier.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { Attempts, DeliveryBadge, DeliveryNote } from "../../parts/messages/deliveries.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Failure, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { deliveriesTexts } from "./texts.ts";

/** JSON with its lines; any other text unchanged. */
const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const Request = ({ request }: { request: SentRequest }) => {
  const t = deliveriesTexts();
  const headers = request.headers.map(({ name, value }) => `${name}: ${value ?? `•••• (${t.secret})`}`);
  return (
    <div class="stack">
      <CodeBlock label={t.headers} text={[`${request.method} ${request.url}`, ...headers].join("\n")} />
      <CodeBlock label={t.body} text={pretty(request.body)} />
    </div>
  );
};

const About = ({ delivery }: { delivery: WebhookDeliveryDetails }) => {
  const t = deliveriesTexts();
  const { id, eventId, messageId, webhookId, webhookName, url, api, phoneId } = delivery;
  return (
    <div class="stack">
      <Details
        items={[
          [
            t.webhook,
            webhookName === null ? (
              t.removed
            ) : (
              <a href={href(`/webhooks/${webhookId}`)}>{webhookName || t.openWebhook}</a>
            ),
          ],
          [t.address, <bdi class="mono">{url}</bdi>],
          ...(messageId === null
            ? []
            : [[t.message, <a href={href(`/messages/${messageId}`)}>{t.openMessage}</a>] as const]),
          ...(phoneId === null
            ? []
            : [
                [
                  pageNames().phones,
                  <a href={href(`/phones/${phoneId}`)}>
                    <PhoneName id={phoneId} />
                  </a>,
                ] as const,
              ]),
          [t.api, api],
        ]}
      />
      <Identifier name={t.event} value={eventId} />
      <Identifier name={t.id} value={id} />
    </div>
  );
};

const One = ({ delivery }: { delivery: WebhookDeliveryDetails }) => {
  const t = deliveriesTexts();
  const { id, type, state, tries, request, messageId } = delivery;
  const again = useAct(async () => {
    const { status } = await gateway.events.retryDelivery(id);
    notify(status === "held" ? t.retriedHeld : t.retriedNow);
    refresh("deliveries/");
  });
  return (
    <>
      <PageHeader title={t.title(type)} back={{ path: "/deliveries", name: pageNames().deliveries }}>
        {messageId !== null && <ButtonLink path={`/messages/${messageId}`}>{t.openMessage}</ButtonLink>}
        {state !== "DELIVERED" && may("events.write") && (
          <Button tone="primary" icon={RotateCcw} isBusy={again.isRunning} onClick={() => void again.run()}>
            {t.retry}
          </Button>
        )}
      </PageHeader>
      <div class="under-title">
        <DeliveryBadge state={state} />
        <DeliveryNote {...delivery} />
      </div>
      {again.error !== undefined && <Failure error={again.error} />}
      <div class="life">
        <Card title={t.attempts}>
          <Attempts tries={tries} />
        </Card>
        <Card title={t.details}>
          <About delivery={delivery} />
        </Card>
      </div>
      <div class="after">
        <Card title={t.request} hint={t.requestHint}>
          {request === null ? <p class="soft">{t.noRequest}</p> : <Request request={request} />}
        </Card>
      </div>
    </>
  );
};

/** One delivery: each attempt with the answer, and the request. */
export const DeliveryPage = ({ id }: { id: string }) => {
  const query = useQuery(`deliveries/one/${id}`, (signal) => gateway.events.getDelivery(id, { signal }), {
    on: ["webhook:"],
    everyMs: 3000,
  });
  return (
    <Loaded query={query} lines={8}>
      {(delivery) => <One delivery={delivery} />}
    </Loaded>
  );
};
