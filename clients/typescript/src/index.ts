export { Recado, RecadoAdmin, RecadoPlatform } from "./client.ts";
export { RecadoConnectionError, RecadoError, type RecadoErrorCode, WebhookVerificationError } from "./errors.ts";
export type * as Gateway from "./generated/gateway.ts";
export type * as Platform from "./generated/platform.ts";
export type { Connection, Fetch, RequestOptions, Upload } from "./http.ts";
export type { Pages } from "./pages.ts";
export type { StreamGap, StreamOptions } from "./stream.ts";
export { platformWebhooks, type VerifyOptions, type WebhookHeaders, webhooks } from "./webhooks.ts";
