import { useEffect, useState } from "preact/hooks";
import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { BatchForecast } from "../../../../../clients/typescript/src/generated/platform.ts";
import { type Act, useAct } from "../../frame/requests/query.ts";
import { dateTime, number, span } from "../../frame/texts/format.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Details } from "../../parts/layout.tsx";
import { Failure, Notice, Skeleton } from "../../parts/states.tsx";
import { isPaired } from "../phones/kinds.ts";
import type { Draft } from "./draft.ts";
import { fallbackTexts } from "./fallback/texts.ts";
import { amountOf, Refused } from "./forecast.tsx";
import { forecastOf } from "./hand-over.ts";
import type { Checked } from "./mapping.ts";
import { RefusedText } from "./refused.tsx";
import { batchesTexts } from "./texts.ts";

type Props = {
  draft: Draft;
  found: Checked;
  phone: Phone | undefined;
  start: Act<[]>;
  progress: { done: number; all: number } | undefined;
  onClose: () => void;
};

/** Asks once before a batch. Says the number of recipients, the phone, the duration, the cost and the risks. */
export const AskToStart = ({ draft, found, phone, start, progress, onClose }: Props) => {
  const t = batchesTexts().send;
  const forecast = useForecast(draft, found);
  const isRefused = forecast.data?.refused.some(({ isWhole }) => isWhole) ?? false;
  const people = t.ask.people(found.good.length);
  const close = (): void => {
    if (!start.isRunning) onClose();
  };
  return (
    <Dialog title={draft.isLater ? t.ask.planTitle : t.ask.title} onClose={close}>
      <div class="stack">
        <Forecast forecast={forecast} phone={phone} people={people} isLater={draft.isLater} />
        {isRefused && <Notice tone="bad">{t.forecast.refused}</Notice>}
        {phone && isPaired(phone) && <Notice tone="warning">{t.ask.banRisk}</Notice>}
        <RefusedText error={start.error} />
        {start.isRunning && progress && <p role="status">{t.making(number(progress.done), number(progress.all))}</p>}
      </div>
      <div class="dialog-actions">
        <Button onClick={close}>{frameTexts().back}</Button>
        <Button
          tone="primary"
          isBusy={start.isRunning}
          disabled={isRefused || !forecast.isKnown}
          onClick={() => void start.run()}
        >
          {draft.isLater ? t.ask.planYes(people) : t.ask.yes(people)}
        </Button>
      </div>
    </Dialog>
  );
};

type Forecasted = { data: BatchForecast | undefined; error: unknown; isKnown: boolean };

const useForecast = (draft: Draft, found: Checked): Forecasted => {
  const [data, setData] = useState<BatchForecast>();
  const act = useAct(async () => setData(await forecastOf(draft, found)));
  useEffect(() => void act.run(), []);
  return { data, error: act.error, isKnown: data !== undefined || act.error !== undefined };
};

type FactsProps = { phone: Phone | undefined; people: string; isLater: boolean };

const Forecast = ({ forecast: { data, error, isKnown }, ...rest }: { forecast: Forecasted } & FactsProps) => (
  <>
    {!isKnown && <Skeleton lines={4} />}
    {error !== undefined && <Failure error={error} />}
    {data && <Facts forecast={data} {...rest} />}
  </>
);

const Facts = ({
  forecast: { startsAt, endsAt, latestEndsAt, cost, fallbackCost, refused },
  phone,
  people,
  isLater,
}: { forecast: BatchForecast } & FactsProps) => {
  const [t, other] = [batchesTexts().send, fallbackTexts()];
  const [begin, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  const number = phone?.phoneNumber ? `+${phone.phoneNumber}` : "";
  const items = [
    [t.ask.to, people],
    [t.ask.from, [phone?.label, number].filter(Boolean).join(", ")],
    ...(isLater ? [[t.ask.starts, dateTime(begin)] as const] : []),
    [t.ask.takes, t.ask.about(span(end - begin), dateTime(end))],
    [t.ask.costs, cost.isCharged ? t.ask.amount(amountOf(cost.amountMicros, cost.currency)) : t.ask.free],
    ...(fallbackCost?.isCharged
      ? [[other.costs, other.amount(amountOf(fallbackCost.amountMicros, fallbackCost.currency))] as const]
      : []),
  ] as const;
  return (
    <>
      <Details items={items} />
      {cost.isCharged && cost.unrated > 0 && <p>{t.unrated(t.messages(cost.unrated))}</p>}
      {latestEndsAt !== null && latestEndsAt !== endsAt && (
        <p>{t.forecast.latest(dateTime(Date.parse(latestEndsAt)))}</p>
      )}
      {refused.length > 0 && <Refused refused={refused} />}
    </>
  );
};
