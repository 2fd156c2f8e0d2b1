import { OneOf } from "../../../kernel/schema.ts";

/** The APIs that publish events, by the names of their audiences. */
const EVENT_APIS = ["gateway", "platform", "cloud", "evolution", "waha", "chatwoot"] as const;
export const EventApi = OneOf(EVENT_APIS, { title: "EventApi" });

/** @throws Error for an audience that no API registers: a row of another version of Recado */
export const requireEventApi = (audience: string): (typeof EVENT_APIS)[number] => {
  const api = EVENT_APIS.find((name) => name === audience);
  if (api === undefined) throw new Error(`no API has the audience ${audience}`);
  return api;
};
