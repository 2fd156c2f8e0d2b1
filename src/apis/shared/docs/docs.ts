import { Elysia } from "elysia";
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import viewer from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { readAsset } from "../../../kernel/assets.ts";

/** Allows only this server's resources, so that a key in the page is sent nowhere else. Icons are `data:` URLs. */
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
 * Sends the page's requests to the host at which it was opened: the policy allows no other, and the description names
 * the public host. The validator is off, because it would send the description to a server of the viewer's authors.
 */
const start = (prefix: string): string => `fetch(${JSON.stringify(`${prefix}/openapi.json`)})
  .then((answer) => answer.json())
  .then((description) => {
    const spec = { ...description, servers: [{ url: location.origin + ${JSON.stringify(prefix)} }] };
    SwaggerUIBundle({ spec, dom_id: "#viewer", deepLinking: true, docExpansion: "none", validatorUrl: null });
  });
`;

/** Serves Swagger UI for an API's description at /docs, with all its files from this server. */
export const docs = (prefix: string, title: string) =>
  new Elysia({ name: `docs:${title}`, detail: { hide: true } })
    .get("/docs", () => new Response(page(prefix, title), { headers: headersOf("text/html; charset=utf-8") }))
    .get("/docs/start.js", () => new Response(start(prefix), { headers: headersOf("text/javascript; charset=utf-8") }))
    .get(
      "/docs/viewer.js",
      async () => new Response(await readAsset(viewer), { headers: headersOf("text/javascript; charset=utf-8") }),
    )
    .get(
      "/docs/viewer.css",
      async () => new Response(await readAsset(style), { headers: headersOf("text/css; charset=utf-8") }),
    );
