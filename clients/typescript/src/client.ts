import {
  ADMIN_ROUTES,
  AdminResources,
  type EventsResource,
  GATEWAY_ROUTES,
  GatewayResources,
} from "./generated/gateway.ts";
import { PLATFORM_ROUTES, PlatformResources } from "./generated/platform.ts";
import { type Connection, createTransport } from "./http.ts";
import { attachRoutes } from "./routes.ts";
import { type StreamOptions, streamEvents } from "./stream.ts";

type Streaming = {
  /**
   * The events of the account as they happen, and a `gap` where some are missing. A lost connection is opened again, and
   * the stream goes on where it stopped. Ends with `options.signal`.
   */
  stream(options?: StreamOptions): ReturnType<typeof streamEvents>;
};

/** The gateway API, with the key of an account: phones, messages, webhooks, events. */
export class Recado extends GatewayResources {
  declare readonly events: EventsResource & Streaming;

  constructor({ apiKey, ...connection }: Connection & { apiKey: string }) {
    super();
    const transport = createTransport(connection, { "x-api-key": apiKey });
    attachRoutes(this, GATEWAY_ROUTES, transport);
    this.events.stream = (options) => streamEvents(transport, options);
  }
}

/** The operator's part of the gateway API, with the admin token: accounts, plans, keys, jobs. */
export class RecadoAdmin extends AdminResources {
  constructor({ adminToken, ...connection }: Connection & { adminToken: string }) {
    super();
    attachRoutes(this, ADMIN_ROUTES, createTransport(connection, { "x-admin-token": adminToken }));
  }
}

/** The platform API, with an API key or the token of a user: channels, conversations, contacts, batches. */
export class RecadoPlatform extends PlatformResources {
  constructor({ token, ...connection }: Connection & { token?: string }) {
    super();
    const credential = token === undefined ? {} : { authorization: `Bearer ${token}` };
    attachRoutes(this, PLATFORM_ROUTES, createTransport(connection, credential));
  }
}
