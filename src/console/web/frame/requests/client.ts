import { Recado, RecadoAdmin, RecadoPlatform } from "../../../../../clients/typescript/src/client.ts";
import type { Fetch } from "../../../../../clients/typescript/src/http.ts";
import { href } from "../base.ts";
import { account, CONSOLE_HEADER, session } from "../session.ts";
import { askProof, wantsProof } from "./proof.ts";

/** Sends requests with the cookie of the session, for an account; by default for the chosen one. */
const fetchFor =
  (accountId?: string): Fetch =>
  async (url, init) => {
    const headers = new Headers(init.headers);
    headers.delete("x-api-key");
    headers.delete("x-admin-token");
    for (const [name, value] of Object.entries(CONSOLE_HEADER)) headers.set(name, value);
    const acting = accountId ?? account.value?.id;
    if (acting !== undefined) headers.set("x-recado-account", acting);
    const answer = await fetch(url, { ...init, headers });
    if (answer.status === 401) session.value = null; // the session has ended, and the sign-in page follows
    return (await wantsProof(answer)) && (await askProof()) ? fetch(url, { ...init, headers }) : answer;
  };

const doorTo = (api: "gateway" | "platform", accountId?: string) => ({
  url: new URL(href(`/${api}`), location.origin).href,
  fetch: fetchFor(accountId),
});

/** The gateway API, as the person in the chosen account. */
export const gateway = new Recado({ apiKey: "", ...doorTo("gateway") });
/** The operator's part of the gateway API. */
export const admin = new RecadoAdmin({ adminToken: "", ...doorTo("gateway") });
/** The platform API, as the person in the chosen account. */
export const platform = new RecadoPlatform(doorTo("platform"));

/** The gateway API in another account than the chosen one, for an operator. */
export const gatewayIn = (accountId: string): Recado => new Recado({ apiKey: "", ...doorTo("gateway", accountId) });
/** Sends a request unchanged through a door, in the chosen account. */
export const fetchThroughDoor: Fetch = fetchFor();
