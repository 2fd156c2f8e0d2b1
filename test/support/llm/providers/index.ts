import { HOSTED } from "./hosted.ts";
import { OWN } from "./own.ts";
import type { Provider } from "./server.ts";
import { SOUNDS } from "./sounds.ts";

export {
  ANSWER,
  BARE_TOOL,
  CALLED,
  PROVIDER_KEY,
  type Provider,
  type Sounds,
  type StartedProvider,
  soundPath,
  startProvider,
  THOUGHT,
  TOOL,
} from "./server.ts";

/** The fifteen providers that an agent is tried with. */
export const PROVIDERS: readonly Provider[] = [...HOSTED, ...OWN].map((provider) => {
  const sounds = SOUNDS[provider.name];
  return sounds ? { ...provider, sounds } : provider;
});
