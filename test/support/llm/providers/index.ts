import { HOSTED } from "./hosted.ts";
import { OWN } from "./own.ts";

export {
  ANSWER,
  BARE_TOOL,
  CALLED,
  PROVIDER_KEY,
  type Provider,
  type StartedProvider,
  startProvider,
  THOUGHT,
  TOOL,
} from "./server.ts";

/** The fifteen providers that an agent is tried with. */
export const PROVIDERS = [...HOSTED, ...OWN];
