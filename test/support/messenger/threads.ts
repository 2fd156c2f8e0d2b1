import { Refusal } from "./errors.ts";
import type { Fields, Page, Person } from "./state.ts";

/** The app of the page's channel, and Meta's own inbox of pages. */
const OUR_APP = "990602627938098";
export const PAGE_INBOX = "263902037430900";

const HELD = [10, 2018300] as const;

/** Whether another app leads the conversation with a person. */
const isHeld = ({ leaders }: Pick<Page, "leaders">, psid: string): boolean =>
  (leaders.get(psid) ?? OUR_APP) !== OUR_APP;

export const requireLead = (page: Page, { psid }: Person): void => {
  if (isHeld(page, psid)) throw new Refusal(...HELD);
};

/** https://developers.facebook.com/docs/messenger-platform/conversation-routing */
export const passThread = (page: Page, person: Person, { target_app_id: target = PAGE_INBOX }: Fields): object => {
  requireLead(page, person);
  page.leaders.set(person.psid, String(target));
  return { success: true };
};

export const takeThread = (page: Page, { psid }: Person): object => {
  if (!page.mayTake) throw new Refusal(27);
  page.leaders.set(psid, OUR_APP);
  return { success: true };
};

/** Only the app that leads a conversation releases it. */
export const releaseThread = (page: Page, { psid }: Person): object => {
  if (page.leaders.get(psid) !== OUR_APP) throw new Refusal(...HELD);
  page.leaders.delete(psid);
  return { success: true };
};

/**
 * The lists of an envelope. What happens in a conversation that another app leads comes as `standby`, and a tap without
 * its payload; the reports of a change of leaders come in the ordinary list.
 */
export const listsOf = (page: Page, items: readonly Fields[]): { messaging?: Fields[]; standby?: Fields[] } => {
  const isStandby = (item: Fields) =>
    !Object.keys(item).some((name) => name.endsWith("_thread_control")) &&
    [item["sender"]?.id, item["recipient"]?.id].some((id) => isHeld(page, String(id)));
  const [messaging, standby] = [items.filter((item) => !isStandby(item)), items.filter(isStandby).map(withoutPayload)];
  return { ...(messaging.length > 0 ? { messaging } : {}), ...(standby.length > 0 ? { standby } : {}) };
};

const withoutPayload = (item: Fields): Fields => {
  if (item["postback"] === undefined) return item;
  const { payload: _payload, ...postback } = item["postback"];
  return { ...item, postback };
};
