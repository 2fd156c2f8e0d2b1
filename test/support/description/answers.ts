import { type Description, descriptionIn, type Sent } from "./description.ts";

/** Checks the answers of a world's servers against their own description. */
export type AnswerCheck = (request: { method: string; path: string }, sent: Sent) => Promise<void>;

/** An API. `madeFrom`: what its routes and schemas are made from; undefined if that is not known. */
type Api = { url: string; madeFrom: string | undefined };

/** The descriptions of this process: APIs that are made from the same have the same, but for the server's address. */
const known = new Map<string, Promise<Description>>();

/**
 * The check of an API's answers; `api`: the API at present. A description is fetched with the first answer of an API of
 * its kind. The check throws with the route and every fault. It accepts paths and methods that are not described.
 */
export const answerCheck = (api: () => Api): AnswerCheck => {
  // an API may have stopped before its last answer is checked: it is then what it was
  let latest: string | undefined;
  const description = (): Promise<Description> => {
    const { url, madeFrom = latest ?? url } = api();
    latest = madeFrom;
    const fetched = known.get(madeFrom) ?? descriptionAt(url);
    known.set(madeFrom, fetched);
    return fetched;
  };
  return async ({ method, path }, sent) => {
    const plain = new URL(path, "http://host").pathname;
    const described = await description();
    const route = described.routeOf(method, plain);
    if (!route) return;
    const faults = described.faultsOf({ ...route, method }, sent);
    if (faults.length === 0) return;
    const lines = faults.map(({ pointer, message }) => `  ${pointer} ${message}`).join("\n");
    const answer = `${method} ${path} (${route.operation.operationId}) answered ${sent.status}`;
    throw new Error(`${answer}, which its description does not say:\n${lines}\n${sent.text.slice(0, 2000)}`);
  };
};

const descriptionAt = async (url: string): Promise<Description> => {
  // sent as another client, because tests count requests by their address; unpacked, because unpacking costs 60 ms of
  // processor
  const headers = { "x-forwarded-for": "192.0.2.99", "accept-encoding": "identity" };
  const response = await fetch(`${url}/openapi.json`, { headers });
  if (!response.ok)
    throw new Error(`the description cannot be made, and npm run openapi says why (${response.status})`);
  return descriptionIn(await response.text());
};
