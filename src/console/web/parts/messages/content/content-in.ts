import { momentOf } from "../../forms/local-time.ts";
import { recipientIn } from "../../people/contact-names.ts";
import type { FormKind } from "./kinds.ts";

/** What precedes the names of a content's fields: a refusal names them so. */
const PREFIX = "content.";

/** The field for whether a person may choose several answers of a poll. */
export const SEVERAL = "several";

type Branch = { [name: string]: Branch | string };

/** Puts a value where its name says, such as `options.0`. */
const put = (tree: Branch, [name = "", ...rest]: readonly string[], value: string): void => {
  if (rest.length === 0) tree[name] = value;
  else {
    const branch = (tree[name] ??= {});
    if (typeof branch !== "string") put(branch, rest, value);
  }
};

/** The filled fields of a content as a tree. Empty ones are not in it. */
const treeOf = (form: FormData): Branch => {
  const tree: Branch = {};
  form.forEach((value, name) => {
    if (name.startsWith(PREFIX) && typeof value === "string" && value.trim() !== "")
      put(tree, name.slice(PREFIX.length).split("."), value.trim());
  });
  return tree;
};

const branchOf = (value: Branch | string | undefined): Branch => (typeof value === "object" ? value : {});

/** The entries below a name, in the order of the form. */
const rowsOf = (value: Branch | string | undefined): Branch[] => Object.values(branchOf(value)).map(branchOf);

/** A moment of a field in the form of the API; the typed text if it is no time, so that the API refuses it. */
const momentText = (value: Branch | string | undefined): string | undefined =>
  typeof value === "string" ? (momentOf(value)?.toISOString() ?? value) : undefined;

/** TABLE: what becomes of the filled fields of each type. Programs know a button by its place, which nobody types. */
const CONTENT: Record<FormKind, (filled: Branch, form: FormData) => Record<string, unknown>> = {
  poll: (filled, form) => {
    const options = Object.values(branchOf(filled["options"]));
    return { ...filled, options, ...(form.has(SEVERAL) ? { maxSelections: options.length } : {}) };
  },
  event: ({ startsAt, endsAt, ...filled }, form) => ({
    ...filled,
    startsAt: momentText(startsAt),
    ...(endsAt === undefined ? {} : { endsAt: momentText(endsAt) }),
    extraGuestsAllowed: form.has(`${PREFIX}extraGuestsAllowed`),
  }),
  location: ({ latitude, longitude, ...filled }) => ({
    ...filled,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }),
  contact: ({ contacts }) => ({
    contacts: rowsOf(contacts).map(({ phone, ...card }) => ({
      ...card,
      phone: typeof phone === "string" ? recipientIn(phone) : "",
    })),
  }),
  button: ({ buttons, ...filled }) => ({
    ...filled,
    buttons: rowsOf(buttons).map((button, at) => ({ id: String(at + 1), ...button })),
  }),
  list: ({ sections, ...filled }) => ({
    ...filled,
    sections: rowsOf(sections).map(({ rows, ...section }, place) => ({
      ...section,
      rows: rowsOf(rows).map((row, at) => ({ id: `${place + 1}.${at + 1}`, ...row })),
    })),
  }),
  carousel: ({ cards, ...filled }) => ({
    ...filled,
    cards: rowsOf(cards).map(({ buttons, ...card }, place) => ({
      ...card,
      buttons: rowsOf(buttons).map((button, at) =>
        button["type"] === "reply" ? { id: `${place + 1}.${at + 1}`, ...button } : button,
      ),
    })),
  }),
  cta_url: (filled) => filled,
  copy_code: (filled) => filled,
};

/** The content of a message that a form has filled in. */
export const contentIn = (kind: FormKind, form: FormData): Record<string, unknown> => CONTENT[kind](treeOf(form), form);
