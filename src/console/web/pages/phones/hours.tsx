import type { BusinessHours, BusinessHoursRequest } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Field, Form, Select, TextArea, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { DAYS, datesIn, datesText, timesIn, timesText } from "./hours-form.ts";
import { hoursTexts } from "./hours-texts.ts";

const KEY = "phones/hours";

const saveHours = (phoneId: string | undefined, body: BusinessHoursRequest) =>
  phoneId === undefined ? gateway.businessHours.set(body) : gateway.phones.setBusinessHours(phoneId, body);
const removeHours = (phoneId: string | undefined) =>
  phoneId === undefined ? gateway.businessHours.delete() : gateway.phones.deleteBusinessHours(phoneId);

/** The business hours of the account, or of one phone: whether it is open, and a form for them. */
export const HoursCard = ({ phoneId }: { phoneId?: string }) => {
  const t = hoursTexts();
  const query = useQuery(
    `${KEY}/${phoneId ?? ""}`,
    (signal) =>
      phoneId === undefined
        ? gateway.businessHours.get({ signal })
        : gateway.phones.getBusinessHours(phoneId, { signal }),
    { everyMs: 60_000 },
  );
  return (
    <Card title={t.title} hint={phoneId === undefined ? t.hint : t.phoneHint}>
      <Loaded query={query}>{(found) => <Hours found={found} phoneId={phoneId} />}</Loaded>
    </Card>
  );
};

const Hours = ({ found, phoneId }: { found: BusinessHours; phoneId: string | undefined }) => {
  const t = hoursTexts();
  const isOwn = found.source === (phoneId === undefined ? "ACCOUNT" : "CHANNEL");
  const remove = useAct(async () => {
    await removeHours(phoneId);
    refresh(KEY);
    notify(t.removed);
  });
  return (
    <div class="stack">
      <p role="status">
        <Badge tone={found.isOpen ? "good" : "neutral"}>{found.isOpen ? t.open : t.closed}</Badge>{" "}
        {found.opensAt !== null && <span class="soft">{t.opens(dateTime(found.opensAt))}</span>}{" "}
        <span class="soft">{t.sources[found.source]}</span>
      </p>
      {may("phones.write") && (
        <details>
          <summary>{t.change}</summary>
          <HoursForm found={found} phoneId={phoneId} />
          {isOwn && (
            <>
              {remove.error !== undefined && <Failure error={remove.error} />}
              <Button isBusy={remove.isRunning} onClick={() => void remove.run()}>
                {phoneId === undefined ? t.remove : t.removeOwn}
              </Button>
            </>
          )}
        </details>
      )}
    </div>
  );
};

const HoursForm = ({ found: { hours }, phoneId }: { found: BusinessHours; phoneId: string | undefined }) => {
  const t = hoursTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const timesOf = (day: (typeof DAYS)[number]) =>
      touched.has(day) || hours === null ? timesIn(textIn(form, day)) : hours.weekly[day];
    await saveHours(phoneId, {
      timeZone: textIn(form, "timeZone"),
      weekly: Object.fromEntries(DAYS.map((day) => [day, timesOf(day)])),
      holidays: textIn(form, "holidays") as BusinessHoursRequest["holidays"] & string,
      dates: datesIn(textIn(form, "dates")),
    });
    refresh(KEY);
    notify(t.saved);
  });
  return (
    <Form act={act} submit={t.save}>
      <Field
        name="timeZone"
        label={t.zone}
        defaultValue={hours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
      />
      {DAYS.map((day) => (
        <Field
          key={day}
          name={day}
          label={t.days[day]}
          defaultValue={timesText(hours?.weekly[day] ?? [])}
          placeholder="09:00-12:00, 13:00-18:00"
          isOptional
        />
      ))}
      <p class="hint">{t.timesHint}</p>
      <Select
        name="holidays"
        label={t.holidays}
        defaultValue={hours?.holidays ?? "NATIONAL"}
        options={Object.entries(t.which)}
      />
      <TextArea
        name="dates"
        label={t.dates}
        hint={t.datesHint}
        rows={3}
        defaultValue={datesText(hours?.dates ?? [])}
        isOptional
      />
    </Form>
  );
};
