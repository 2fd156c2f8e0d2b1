import { Elysia } from "elysia";
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import viewer from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };

/**
 * Nothing but what this server serves: a key that is typed into the page goes nowhere else. The icons are in the style
 * sheet.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headersOf = (type: string) => ({
  "content-type": type,
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "max-age=3600",
});

const page = (prefix: string, title: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/viewer.css">
</head>
<body>
<div id="viewer"></div>
<script src="${prefix}/docs/viewer.js"></script>
<script src="${prefix}/docs/start.js"></script>
</body>
</html>
`;

/**
 * The description names the server by its public address. The page may have been opened under another name, and may ask
 * none but that one: there its requests go. The validator would show the description to a server of the viewer's
 * authors.
 */
const start = (prefix: string): string => `fetch(${JSON.stringify(`${prefix}/openapi.json`)})
  .then((answer) => answer.json())
  .then((description) => {
    const spec = { ...description, servers: [{ url: location.origin + ${JSON.stringify(prefix)} }] };
    SwaggerUIBundle({ spec, dom_id: "#viewer", deepLinking: true, docExpansion: "none", validatorUrl: null });
  });
`;

/**
 * The viewer of a face's description: a page at /docs, whose every part this server serves. Its requests go to this
 * server, under the name that the page was opened by.
 */
export const docs = (prefix: string, title: string) =>
  new Elysia({ name: `docs:${title}`, detail: { hide: true } })
    .get("/docs", () => new Response(page(prefix, title), { headers: headersOf("text/html; charset=utf-8") }))
    .get("/docs/start.js", () => new Response(start(prefix), { headers: headersOf("text/javascript; charset=utf-8") }))
    .get(
      "/docs/viewer.js",
      () => new Response(Bun.file(viewer), { headers: headersOf("text/javascript; charset=utf-8") }),
    )
    .get("/docs/viewer.css", () => new Response(Bun.file(style), { headers: headersOf("text/css; charset=utf-8") }));
