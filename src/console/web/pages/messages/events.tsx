import type { MessageEvent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { DeliveryBadge, DeliveryNote } from "../../parts/messages/deliveries.tsx";
import { hostOf } from "../../parts/messages/webhook-names.ts";
import { When } from "../../parts/when.tsx";
import { messagesTexts } from "./texts.ts";

/** The events of a message that the account's webhooks got. */
export const MessageEvents = ({ events }: { events: readonly MessageEvent[] }) => {
  const t = messagesTexts();
  if (events.length === 0) return <p class="soft">{t.noEvents}</p>;
  return (
    <ul class="message-events">
      {events.map(({ id, api, type, status, createdAt, deliveries }) => (
        <li key={`${id} ${api}`}>
          <div class="step-head">
            <code>{status === null ? type : `${type} · ${status}`}</code>
            <When at={createdAt} isFull />
          </div>
          {deliveries.length === 0 && <p class="small soft">{t.noWebhook}</p>}
          {deliveries.map((delivery) => (
            <div class="event-delivery" key={delivery.id}>
              <DeliveryBadge state={delivery.state} />
              <div>
                <bdi>{delivery.webhookName || hostOf(delivery.url)}</bdi>
                <span class="small soft">
                  {" "}
                  {delivery.webhookName === null ? t.removedWebhook : hostOf(delivery.url)} ·{" "}
                  {t.tries(delivery.attempts)}
                  {delivery.lastStatusCode !== null && ` · HTTP ${delivery.lastStatusCode}`}
                </span>
                <DeliveryNote {...delivery} />
              </div>
              <a href={href(`/deliveries/${delivery.id}`)}>{t.openDelivery}</a>
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
};
