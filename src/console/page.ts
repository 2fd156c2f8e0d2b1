import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --strong: #0a7d4f; }
* { box-sizing: border-box; }
body { margin: 0; padding: 3rem 1.25rem; font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; font-size: 1.05rem; }
p { margin: 0 0 1rem; }
.brand { margin-bottom: 2rem; font-weight: 600; color: var(--strong); }
.fault { padding: .6rem .9rem; border-left: 4px solid #c62828; background: var(--soft); }
label { display: block; margin-bottom: .35rem; font-weight: 600; }
input, textarea { width: 100%; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .4rem; font: inherit; }
button { margin-top: 1rem; padding: .65rem 1.2rem; border: 0; border-radius: .4rem; background: var(--strong); color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: .25rem 0 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
dd code { display: block; padding: .5rem .75rem; border-radius: .4rem; background: var(--soft); overflow-wrap: anywhere; user-select: all; }
p code { padding: .1rem .3rem; border-radius: .25rem; background: var(--soft); }
pre { margin: 0 0 1rem; padding: .75rem; border-radius: .4rem; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
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

/** The content of a page; `body` is HTML. `language`: English unless given. */
export type Page = { title: string; body: string; language?: string };

/** A complete HTML page, without scripts or external resources. */
const htmlOf = ({ title, body, language = "en" }: Page): string =>
  `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)} · Recado</title><style>${STYLE}</style></head>
<body><main><p class="brand">Recado</p><h1>${escaped(title)}</h1>
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
