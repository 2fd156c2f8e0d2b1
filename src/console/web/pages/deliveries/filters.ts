import type { ListDeliveriesQuery, RetryDeliveries } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { given } from "../../frame/filters.ts";
import { sinceOf } from "../../parts/lists/since.ts";

/** The filters of the list in the address. The failed deliveries come first, because they need somebody. */
export const NO_FILTERS = { state: "DEAD", webhook: "", phone: "", message: "", type: "", period: "", cursor: "" };
export type DeliveryFilters = typeof NO_FILTERS;

/** The tabs of the list; `all` is no state. */
export const TABS = ["DEAD", "WAITING", "HELD", "DELIVERED", "all"] as const;
export type Tab = (typeof TABS)[number];
export const tabOf = ({ state }: DeliveryFilters): Tab => TABS.find((one) => one === state) ?? "all";

/** The filters that listing and sending again share. */
const sharedOf = ({ webhook, phone, message, type, period }: DeliveryFilters) =>
  given<Omit<RetryDeliveries, "state">>({
    webhookId: webhook,
    phoneId: phone,
    messageId: message,
    type,
    since: sinceOf(period),
  });

export const deliveryQuery = (filters: DeliveryFilters): ListDeliveriesQuery => {
  const tab = tabOf(filters);
  const place = { limit: 50, state: tab === "all" ? "" : tab, cursor: filters.cursor };
  return { ...sharedOf(filters), ...given<ListDeliveriesQuery>(place) };
};

/** The deliveries to send again for these filters; undefined for a tab whose deliveries cannot be sent again. */
export const retryOf = (filters: DeliveryFilters) => {
  const tab = tabOf(filters);
  return tab === "DEAD" || tab === "WAITING" ? { state: tab, ...sharedOf(filters) } : undefined;
};
