import type { ChargesApi, ReportedCharge } from "../../src/contract/abilities/charges.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { DAY_MS, iso, SECOND_MS } from "../../src/kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import type { Graph } from "../meta/graph.ts";
import { numberOf, textOf } from "../meta/json.ts";
import { askerOf } from "./credentials.ts";

/** The network's metrics: one line for each combination and day. */
const METRICS = '["COST","VOLUME"]';
const DIMENSIONS = '["PRICING_CATEGORY","PRICING_TYPE","TIER","COUNTRY","PHONE"]';
const MICROS = 1_000_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Meta's own count of the delivered messages: https://developers.facebook.com/docs/whatsapp/business-management-api/analytics */
export const wabaCharges = (host: ChannelHost, graph: Graph): ChargesApi => {
  const ask = askerOf(host, graph);
  return {
    account: () =>
      ask(
        ({ businessAccountId }) => ({ method: "GET", path: [businessAccountId], fields: ["currency", "timezone_id"] }),
        accountIn,
      ),
    reported: ({ fromMs, toMs }) =>
      ask(
        ({ businessAccountId }) => ({
          method: "GET",
          path: [businessAccountId],
          fields: [
            `pricing_analytics.start(${fromMs / SECOND_MS}).end(${toMs / SECOND_MS}).granularity(DAILY)` +
              `.metric_types(${METRICS}).dimensions(${DIMENSIONS})`,
          ],
          maxResponseBytes: MOST_BYTES,
        }),
        reportedIn,
      ),
  };
};

const accountIn = (answer: Json): Record<string, unknown> => {
  const currency = textOf(answer["currency"]);
  const zone = textOf(answer["timezone_id"]);
  return {
    ...(currency === undefined ? {} : { wabaCurrency: currency }),
    ...(zone === undefined ? {} : { wabaTimezoneId: zone }),
  };
};

/** Without the field, nothing was charged in the period. */
const reportedIn = (answer: Json): ReportedCharge[] =>
  listOf(recordOf(answer["pricing_analytics"])["data"]).flatMap((one) =>
    listOf(recordOf(one)["data_points"]).flatMap((point) => reportedOf(recordOf(point))),
  );

const reportedOf = (point: Json): ReportedCharge[] => {
  const start = numberOf(point["start"]);
  const cost = numberOf(point["cost"]);
  if (start === undefined) return [];
  return [
    {
      // it begins at midnight in the account's time zone: noon of it is that day in UTC as well
      day: iso(start * SECOND_MS + DAY_MS / 2).slice(0, 10),
      phoneNumber: (textOf(point["phone_number"]) ?? "").replace(/\D/g, ""),
      country: textOf(point["country"]) ?? "",
      category: textOf(point["pricing_category"]) ?? "",
      type: (textOf(point["pricing_type"]) ?? "").toLowerCase(),
      tier: textOf(point["tier"]) ?? null,
      count: numberOf(point["volume"]) ?? 0,
      micros: cost === undefined ? null : Math.round(cost * MICROS),
    },
  ];
};
