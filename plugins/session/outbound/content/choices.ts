import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";

const KIND = "choices";
/** An older menu is no longer answered, and neither is a menu behind this many newer ones in its chat. */
const MENU_TTL_MS = 3 * DAY_MS;
const MENUS_OF_A_CHAT = 3;

/** The orders that have buttons or rows. */
export type MenuOrder = Extract<SendOrder, { type: "button" | "list" | "cta_url" | "copy_code" | "carousel" }>;
type Carousel = Extract<MenuOrder, { type: "carousel" }>["content"];
type Option = { id: string; title: string; description?: string };
type Menu = { key: ProviderMessageId; until: number; options: { id: string; title: string }[] };
/** The chosen option: its id as the sender of the menu named it, and its title. */
export type Choice = { selectedId: string; text: string };

const MENUS: ReadonlySet<SendOrder["type"]> = new Set<MenuOrder["type"]>([
  "button",
  "list",
  "cta_url",
  "copy_code",
  "carousel",
]);
export const isMenu = (order: SendOrder): order is MenuOrder => MENUS.has(order.type);

const sectionsOf = (order: MenuOrder): { title?: string; options: Option[] }[] => {
  switch (order.type) {
    case "button":
      return [{ options: order.content.buttons.map(({ id, text }) => ({ id, title: text })) }];
    case "list":
      return order.content.sections.map(({ title, rows }) => ({ title, options: rows.map((row) => ({ ...row })) }));
    case "cta_url":
    case "copy_code":
    case "carousel":
      return [];
  }
};

/** The replies on cards, in their order. */
const repliesOf = ({ cards }: Carousel): Option[] =>
  cards.flatMap(({ buttons }) =>
    buttons.flatMap(({ type, id, text }) => (type === "reply" && id !== undefined ? [{ id, title: text }] : [])),
  );

const optionsOf = (order: MenuOrder): Option[] =>
  order.type === "carousel" ? repliesOf(order.content) : sectionsOf(order).flatMap(({ options }) => options);

/** Whether a person can answer a menu by an option: a link alone has none. */
export const hasOptions = (order: MenuOrder): boolean => optionsOf(order).length > 0;

/** The header of a menu: its text, or the address of its file. */
const headerOf = ({ content }: MenuOrder): string[] => {
  const header = "header" in content ? content.header : undefined;
  if (!header) return [];
  return header.type === "text" ? [`*${header.text ?? ""}*`] : [header.mediaUrl ?? ""];
};

/** The button that opens a page or copies a code, as a line. */
const linkOf = (order: MenuOrder): string[] => {
  if (order.type === "cta_url") return [`${order.content.buttonText}: ${order.content.url}`];
  return order.type === "copy_code" ? [`${order.content.buttonText}: ${order.content.code}`] : [];
};

type Line = (option: Option) => string;

/** The cards of a carousel, each with the address of its file. */
const cardsOf = (order: MenuOrder, line: Line): string[] =>
  order.type === "carousel"
    ? order.content.cards.map(({ header, text, footer, buttons }) => {
        const lines = buttons.map((one) =>
          one.type === "reply" ? line({ id: one.id ?? "", title: one.text }) : `${one.text}: ${one.url ?? one.code}`,
        );
        return [header.mediaUrl, text, ...lines, ...(footer ? [`_${footer}_`] : [])].join("\n");
      })
    : [];

/**
 * Buttons and lists as a text with numbered options, because the network's own do not render reliably for web clients.
 */
export const menuText = (order: MenuOrder): string => {
  let number = 0;
  const line: Line = ({ title, description }) => `${++number}. ${title}${description ? ` – ${description}` : ""}`;
  const blocks = sectionsOf(order).map(({ title, options }) =>
    [...(title === undefined ? [] : [`*${title}*`]), ...options.map(line)].join("\n"),
  );
  const { text, footer } = order.content;
  const cards = cardsOf(order, line);
  return [...headerOf(order), text, ...blocks, ...linkOf(order), ...cards, ...(footer ? [`_${footer}_`] : [])].join(
    "\n\n",
  );
};

/** The row that keeps a menu's options for the answers of its chat, beside those of earlier menus. */
export const menuRow = async (
  keyStore: KeyStore,
  { chat, key, order, now }: { chat: string; key: ProviderMessageId; order: MenuOrder; now: number },
): Promise<KeyRow> => {
  const before = (await menusOf(keyStore, [chat], now)).filter((menu) => menu.key !== key);
  const menu: Menu = {
    key,
    until: now + MENU_TTL_MS,
    options: optionsOf(order).map(({ id, title }) => ({ id, title })),
  };
  return { kind: KIND, id: chat, value: JSON.stringify([...before, menu].slice(-MENUS_OF_A_CHAT)), until: menu.until };
};

/** The menus of a chat that can still be answered, the newest last. */
const menusOf = async (keyStore: KeyStore, chats: readonly string[], now: number): Promise<Menu[]> => {
  const rows = await keyStore.read(KIND, chats);
  const menus = [...rows.values()].flatMap((value) => JSON.parse(value) as Menu[]); // written by menuRow alone
  return menus.filter(({ until }) => until > now).sort((one, other) => one.until - other.until);
};

/** A person's text in a chat; `quotedKey`: the message that the text replies to. */
type Said = { text: string; quotedProviderMessageId: string | undefined; now: number };

/**
 * The option that a text chooses: by its number ("2", "2."), or by its exact title. A text that replies to a menu is
 * compared with that menu alone, any other with the last menu of the chat. `chats`: all canonical keys of the chat.
 * Undefined if no option was chosen.
 */
export const choiceOf = async (
  keyStore: KeyStore,
  chats: readonly string[],
  { text, quotedProviderMessageId, now }: Said,
): Promise<Choice | undefined> => {
  const menus = await menusOf(keyStore, chats, now);
  const menu =
    quotedProviderMessageId === undefined ? menus.at(-1) : menus.find(({ key }) => key === quotedProviderMessageId);
  const said = text.trim();
  const number = /^(\d{1,3})[.)]?$/.exec(said)?.[1];
  const chosen =
    menu?.options.find(({ title }) => title.trim() === said) ??
    (number === undefined ? undefined : menu?.options[Number(number) - 1]);
  return chosen && { selectedId: chosen.id, text: chosen.title };
};
