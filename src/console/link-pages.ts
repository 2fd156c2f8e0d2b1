import { type Answer, escaped } from "./page.ts";

const password = (id: string, rest: string): string =>
  `<label for="${id}">Password</label><input id="${id}" name="password" type="password" required maxlength="1024" ${rest}>`;
const NEW = 'minlength="8" autocomplete="new-password"';

/** The form posts to its own URL, which contains the link's token. */
const form = (fields: string, button: string): string =>
  `<form method="post">${fields}<button>${button}</button></form>`;

const BODIES = {
  "verify-email": {
    title: "Verify your e-mail address",
    body: form("<p>Show that this mailbox is yours.</p>", "Verify"),
  },
  "reset-password": { title: "Choose a new password", body: form(password("password", NEW), "Choose") },
  invitation: {
    title: "You are invited",
    body: `<h2>You have a user here</h2>${form(password("password", 'autocomplete="current-password"'), "Accept")}
<h2>You are new here</h2>${form(`<label for="name">Your name</label><input id="name" name="name" required maxlength="200" autocomplete="name">${password("new", NEW)}`, "Register and accept")}`,
  },
};

export type LinkPage = keyof typeof BODIES;

export const isLinkPage = (name: string): name is LinkPage => Object.hasOwn(BODIES, name);

/** The form of a link, with an error message after a refusal. */
export const linkForm = (
  name: LinkPage,
  fault?: { status: number; code: string; message: string; headers: Record<string, string> },
): Answer => {
  const { title, body } = BODIES[name];
  return {
    status: fault?.status ?? 200,
    headers: fault?.headers ?? {},
    page: { title, body: `${fault === undefined ? "" : `<p class="fault">${escaped(fault.message)}</p>`}${body}` },
    json: fault === undefined ? { status: "open" } : { error: { code: fault.code, message: fault.message } },
  };
};

/** The page after a success. */
export const linkDone = (says: string): Answer => ({
  status: 200,
  page: { title: "Done", body: `<p>${escaped(says)}</p>` },
  json: { status: "done" },
});
