import { chatwootAudience } from "./apis/chatwoot/audience.ts";
import { cloudAudience } from "./apis/cloud/audience.ts";
import { evolutionAudience } from "./apis/evolution/webhooks/render.ts";
import { viewsOf } from "./apis/gateway/events/event-views.ts";
import { gatewayAudience } from "./apis/gateway/events/render.ts";
import { platformAudience } from "./apis/platform/events/render.ts";
import { wahaAudience } from "./apis/waha/events/render.ts";
import type { Env } from "./core/env.ts";
import { type Audiences, createAudiences } from "./core/events/audience.ts";
import type { Addresses } from "./kernel/network/addresses.ts";

/** LIST: the audiences of events, one for each API. */
export const audiencesOf = (env: () => Env, urls: () => Addresses): Audiences =>
  createAudiences([
    gatewayAudience((kind) => viewsOf(env().registry, kind, urls().gatewayUrl)),
    platformAudience(() => urls().platformUrl),
    cloudAudience(),
    evolutionAudience(() => urls().evolutionUrl ?? "", env),
    wahaAudience(env),
    chatwootAudience(),
  ]);
