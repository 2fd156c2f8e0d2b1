import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Card } from "../../parts/layout.tsx";
import { NewestOnly } from "../../parts/lists/in-steps.tsx";
import { Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { phoneTexts } from "./phone-texts.ts";

type EventName = keyof ReturnType<typeof phoneTexts>["events"];

const TYPES = [
  "channel:connected",
  "channel:disconnected",
  "channel:restricted",
  "channel:unrestricted",
  "channel:passkey-required",
].join();
const SHOWN = 20;

const TONES: Readonly<Partial<Record<EventName, string>>> = {
  "channel:connected": "good",
  "channel:unrestricted": "good",
  "channel:disconnected": "bad",
  "channel:restricted": "warning",
};

const reasonOf = (data: Record<string, unknown> | undefined): string | undefined => {
  const { reason } = (data?.["data"] ?? data ?? {}) as { reason?: unknown };
  return typeof reason === "string" ? reason : undefined;
};

/** The changes of the phone's state, newest first. */
export const History = ({ phone: { id } }: { phone: Phone }) => {
  const t = phoneTexts();
  const events = useQuery(
    `phones/history/${id}`,
    (signal) => gateway.events.list({ phoneId: id, types: TYPES, include: "data", limit: SHOWN }, { signal }).page(),
    { on: ["channel:"] },
  );
  if (!may("events.read")) return null;
  return (
    <Card title={t.historyTitle}>
      <Loaded query={events} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{t.noHistory}</p>
          ) : (
            <>
              <ol class="phone-history">
                {items.map(({ id: eventId, type, createdAt, data }) => {
                  const reason = reasonOf(data);
                  return (
                    <li key={eventId} class={TONES[type as EventName] ?? ""}>
                      <span>
                        {t.events[type as EventName] ?? type}
                        {reason && <span class="small soft"> {reason}</span>}
                      </span>
                      <When at={createdAt} isFull />
                    </li>
                  );
                })}
              </ol>
              <NewestOnly rows={items} most={SHOWN} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
};
