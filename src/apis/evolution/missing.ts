import { Elysia } from "elysia";
import type { EvolutionAuth } from "./auth.ts";
import { refuse } from "./errors.ts";
import { routeOptions } from "./route-options.ts";

/** TABLE: the routes of Evolution that this API lacks, with what to do instead. A star stands for any last part. */
const MISSING: Readonly<Record<string, string>> = {
  "/call/offer": "calls are not made by this API",
  "/baileys/*": "the calls of its socket are no calls of Recado",
  "/websocket/*": "use a webhook, or the event stream of the gateway API",
  "/rabbitmq/*": "give a shared webhook of the gateway API an amqp address",
  "/sqs/*": "use a webhook",
  "/nats/*": "give a shared webhook of the gateway API a nats address",
  "/pusher/*": "use a webhook",
  "/kafka/*": "use a webhook",
  "/chatwoot/*": "connect Chatwoot by PUT /v1/phones/{id}/chatwoot of the gateway API",
  "/typebot/*": "connect Typebot by the Cloud API compatible API",
  "/openai/*": "use an agent of the gateway API",
  "/dify/*": "let your program answer its webhook",
  "/flowise/*": "let your program answer its webhook",
  "/n8n/*": "let your workflow answer its webhook",
  "/evoai/*": "let your program answer its webhook",
  "/evolutionBot/*": "let your program answer its webhook",
};

/** The routes of Evolution that this API lacks. They say so to callers with a key. */
export const missing = (auth: EvolutionAuth) => {
  const app = new Elysia().use(auth);
  for (const [path, instead] of Object.entries(MISSING)) {
    const at = path.endsWith("/*") ? `${path.slice(0, -1)}:act/:instance` : `${path}/:instance`;
    const answer = () => refuse(501, { message: [`Recado does not have ${path}: ${instead}.`] });
    for (const method of ["GET", "POST", "DELETE"] as const)
      app.route(method, at, answer, { detail: { ...routeOptions({ scope: "phones.read" }) } });
  }
  return app;
};
