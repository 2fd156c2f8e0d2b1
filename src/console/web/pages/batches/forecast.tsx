import type { BatchForecast, ForecastCost } from "../../../../../clients/typescript/src/generated/platform.ts";
import { dateTime, money, number } from "../../frame/texts/format.ts";
import { Notice } from "../../parts/states.tsx";
import type { Tried } from "./hand-over.ts";
import { batchesTexts } from "./texts.ts";

/** The results of a dry run: the excluded recipients, the price by country, and the time. */
export const ForecastText = ({ tried: { valid, forecast } }: { tried: Tried }) => {
  const t = batchesTexts().send;
  const isRefused = valid === undefined;
  return (
    <Notice tone={isRefused ? "bad" : "good"}>
      <p>{isRefused ? t.forecast.refused : t.tried(t.messages(valid))}</p>
      {forecast.refused.length > 0 && <Refused refused={forecast.refused} />}
      {forecast.cost.isCharged && <Cost cost={forecast.cost} />}
      <p>{t.ends(dateTime(Date.parse(forecast.endsAt)))}</p>
      {forecast.latestEndsAt !== null && forecast.latestEndsAt !== forecast.endsAt && (
        <p>{t.forecast.latest(dateTime(Date.parse(forecast.latestEndsAt)))}</p>
      )}
    </Notice>
  );
};

export const Refused = ({ refused }: Pick<BatchForecast, "refused">) => {
  const t = batchesTexts().send.forecast;
  return (
    <ul>
      {refused.map(({ code, count }) => (
        <li key={code}>{t.reasons[code](number(count))}</li>
      ))}
    </ul>
  );
};

export const amountOf = (micros: number, currency: string): string => money(micros / 1_000_000, currency || "BRL");

const Cost = ({ cost: { amountMicros, currency, unrated, byCountry } }: { cost: ForecastCost }) => {
  const t = batchesTexts().send;
  return (
    <>
      <p>{t.cost(amountOf(amountMicros, currency))}</p>
      {byCountry.length > 1 && (
        <ul>
          {byCountry.map(({ country, count, amountMicros: micros }) => (
            <li key={country}>{t.forecast.country(country, t.messages(count), amountOf(micros, currency))}</li>
          ))}
        </ul>
      )}
      {unrated > 0 && <p>{t.unrated(t.messages(unrated))}</p>}
    </>
  );
};
