import { Elysia } from "elysia";
import type { WahaAuth } from "./auth.ts";
import { refuse } from "./errors.ts";
import { routeOptions } from "./route-options.ts";

/** TABLE: the routes of WAHA that this API lacks, with what to do instead. */
const MISSING: Readonly<Record<string, string>> = {
  "GET /api/screenshot": "there is no browser",
  "POST /api/send/buttons/reply": "buttons of others are answered with a text",
  "POST /api/:session/events/:id/cancel": "events are not cancelled",
  "GET /api/:session/auth/captcha": "there is no browser",
  "POST /api/:session/auth/captcha": "there is no browser",
  "POST /api/:session/auth/authorize-code": "codes are typed on the phone",
  "POST /api/sessions/:session/stop": "a session stays connected until it is logged out or deleted",
  "GET /api/:session/presence": "presences are not kept: they come as presence.update",
  "GET /api/:session/status/new-message-id": "one status goes to all contacts at once",
  "POST /api/:session/channels/search/by-view": "channels are not searched: look at one by its link",
  "POST /api/:session/channels/search/by-text": "channels are not searched: look at one by its link",
  "GET /api/:session/channels/search/views": "channels are not searched: look at one by its link",
  "GET /api/:session/channels/search/countries": "channels are not searched: look at one by its link",
  "GET /api/:session/channels/search/categories": "channels are not searched: look at one by its link",
  "POST /api/:session/media/convert/voice": "voice notes are converted when they are sent",
  "POST /api/:session/media/convert/video": "videos are not converted",
  "GET /api/server/environment": "see the settings of the server",
  "POST /api/server/stop": "the operator stops the server",
  "GET /api/keys": "use the keys of the gateway API",
  "POST /api/keys": "use the keys of the gateway API",
  "PUT /api/keys/:id": "use the keys of the gateway API",
  "DELETE /api/keys/:id": "use the keys of the gateway API",
  "GET /api/apps": "connect Chatwoot by PUT /v1/phones/{id}/chatwoot of the gateway API",
  "POST /api/apps": "connect Chatwoot by PUT /v1/phones/{id}/chatwoot of the gateway API",
};

/** The routes of WAHA that this API lacks. They say so to callers with a key. */
export const missing = (auth: WahaAuth) => {
  const app = new Elysia().use(auth);
  for (const [name, instead] of Object.entries(MISSING)) {
    const [method = "", path = ""] = name.split(" ");
    const shown = path.replaceAll(/:(\w+)/g, "{$1}");
    const answer = () => refuse(501, { message: `Recado does not have ${shown}: ${instead}.` });
    app.route(method, path, answer, { detail: { ...routeOptions({ scope: "phones.read" }) } });
  }
  return app;
};
