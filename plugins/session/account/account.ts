import type { BusinessProfilesApi } from "../../../src/contract/abilities/business-profiles.ts";
import type { CatalogApi } from "../../../src/contract/abilities/catalog.ts";
import type { PeopleApi } from "../../../src/contract/abilities/people.ts";
import type { PrivacyApi } from "../../../src/contract/abilities/privacy.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { ActiveSocket } from "../active-socket.ts";
import type { AppState } from "../app-state/sync.ts";
import { createCatalog } from "../business/catalog.ts";
import { createBusinessProfiles } from "../business/profiles.ts";
import type { Numbers } from "../outbound/numbers.ts";
import { createPeople } from "./people.ts";
import { createPrivacy } from "./privacy.ts";
import type { Watching } from "./watching.ts";

/** What a session reads and changes of its account, and reads of others. */
export type Account = {
  people: PeopleApi;
  privacy: PrivacyApi;
  businessProfiles: BusinessProfilesApi;
  catalog: CatalogApi;
};

type Deps = {
  activeSocket(): ActiveSocket | undefined;
  numbers: Numbers;
  watching: Watching;
  appState: Pick<AppState, "set">;
};

export const createAccount = (host: ChannelHost, { activeSocket, numbers, watching, appState }: Deps): Account => {
  const people = createPeople(host, { activeSocket, numbers, watching, appState });
  return {
    people,
    privacy: createPrivacy(activeSocket),
    businessProfiles: createBusinessProfiles({ activeSocket, numbers, people }),
    catalog: createCatalog({ activeSocket, numbers }),
  };
};
