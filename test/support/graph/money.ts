import { businessAccountOf, type Call, type Effect, ok } from "./call.ts";
import { badParameter } from "./errors.ts";
import type { Fields } from "./shape.ts";
import type { State } from "./state.ts";

/** An account's data about money: its currency, and Meta's own counts. By default those of a Brazilian account. */
export type Money = { currency?: string; timezoneId?: string; points?: readonly Fields[] };

/** The field of Meta's count, with its parameters in parentheses, in Graph's spelling. */
const ANALYTICS = /^pricing_analytics\.start\((\d+)\)\.end\((\d+)\)\.granularity\(DAILY\)((?:\.\w+\(.*\))*)$/;

/** `GET /{account}?fields=`: fields that it does not have are refused, as Graph refuses them. */
export const getAccount = (call: Call): Effect => {
  const { id } = businessAccountOf(call);
  const { currency = "BRL", timezoneId = "25", points = [] } = call.state.money.get(id) ?? {};
  const fields = splitFields(call.query.get("fields") ?? "id").map((field): Fields => {
    if (field === "id") return {};
    if (field === "currency") return { currency };
    if (field === "timezone_id") return { timezone_id: timezoneId };
    const [, start, end] = ANALYTICS.exec(field) ?? [];
    if (start === undefined || Number(end) <= Number(start))
      throw badParameter(`Tried accessing nonexisting field (${field})`);
    const inside = points.filter(
      (point) => Number(point["start"]) >= Number(start) && Number(point["end"]) <= Number(end),
    );
    return inside.length === 0 ? {} : { pricing_analytics: { data: [{ data_points: inside }] } };
  });
  return { operation: "account.read", run: () => ok(Object.assign({ id }, ...fields)) };
};

/** Commas inside parentheses and brackets belong to a field. */
const splitFields = (text: string): string[] => {
  const fields: string[] = [""];
  let depth = 0;
  for (const char of text) {
    if ("([".includes(char)) depth++;
    if (")]".includes(char)) depth--;
    if (char === "," && depth === 0) fields.push("");
    else fields[fields.length - 1] += char;
  }
  return fields;
};

export const setMoney = (state: State, accountId: string, money: Money): void => void state.money.set(accountId, money);
