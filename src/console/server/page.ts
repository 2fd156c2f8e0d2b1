import { createHash } from "node:crypto";

/** The look of the console, for pages that need no program. */
const STYLE = `
:root { color-scheme: light dark; --canvas: light-dark(#f6f7f6, #131615); --surface: light-dark(#fff, #1a1e1c); --sunken: light-dark(#eef1ef, #101312); --line: light-dark(#dde3df, #303835); --line-strong: light-dark(#8a958f, #6f7a75); --text: light-dark(#18211d, #e8edea); --soft: light-dark(#57635d, #a3afa9); --accent: light-dark(#0a7d4f, #3ecf8e); --on-accent: light-dark(#fff, #06281a); --bad: light-dark(#b3261e, #ff9389); --bad-soft: light-dark(#fce8e6, #431c19); }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--canvas); color: var(--text); font: .9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
main.narrow { max-width: 26rem; margin-top: 8vh; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.2; }
h2 { margin: 2rem 0 .75rem; font-size: 1.05rem; }
p { margin: 0 0 1rem; }
.brand { margin: 0 0 1.25rem; font-weight: 700; color: var(--accent); }
.fault { padding: .6rem .9rem; border-radius: .5rem; background: var(--bad-soft); color: var(--bad); }
label { display: block; margin: 1rem 0 .35rem; font-weight: 600; }
input, textarea { width: 100%; padding: .5rem .75rem; border: 1px solid var(--line-strong); border-radius: .5rem; background: transparent; color: inherit; font: inherit; }
button, .button { display: inline-block; margin-top: 1rem; padding: .5rem 1rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.narrow button, .narrow .button { width: 100%; text-align: center; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: .25rem 0 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
dd code { display: block; padding: .5rem .75rem; border-radius: .5rem; background: var(--sunken); overflow-wrap: anywhere; user-select: all; }
p code { padding: .1rem .3rem; border-radius: .25rem; background: var(--sunken); }
pre { margin: 0 0 1rem; padding: .75rem; border-radius: .5rem; background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The headers of every page: no scripts or resources, no frames, no caching, and no referrer. */
const HEADERS = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Escapes text for HTML content and quoted attributes. */
export const escaped = (text: string): string => Bun.escapeHTML(text);

/**
 * The content of a page; `body` is HTML. `language`: English unless given. `isNarrow`: the page is a form of a few
 * fields.
 */
export type Page = { title: string; body: string; language?: string; isNarrow?: boolean };

/** A complete HTML page, without scripts or external resources. */
const htmlOf = ({ title, body, language = "en", isNarrow = false }: Page): string =>
  `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)} · Recado</title><style>${STYLE}</style></head>
<body><main${isNarrow ? ' class="narrow"' : ""}><p class="brand">Recado</p><h1>${escaped(title)}</h1>
${body}
</main></body>
</html>
`;

/** One response as a page and as JSON. */
export type Answer = { status: number; headers?: Record<string, string>; page: Page; json: object };

const wantsJson = (request: Request): boolean => request.headers.get("accept")?.includes("application/json") ?? false;

/** The response in the client's format: a page, or JSON for `Accept: application/json`. */
export const respond = (request: Request, { status, headers = {}, page, json }: Answer): Response => {
  const init = { status, headers: { ...HEADERS, ...headers } };
  if (wantsJson(request)) return Response.json(json, init);
  return new Response(htmlOf(page), {
    ...init,
    headers: { ...init.headers, "content-type": "text/html; charset=utf-8" },
  });
};
