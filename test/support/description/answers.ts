import { type Description, descriptionIn, type Sent } from "./description.ts";

/** Checks the answers of a world's servers against their own description. */
export type AnswerCheck = (request: { method: string; path: string }, sent: Sent) => Promise<void>;

/**
 * The check of an API's answers; `url`: the API's address at present. The description is fetched with the first answer,
 * and again when the address has changed. The check throws with the route and every fault. It accepts paths and methods
 * that are not described.
 */
export const answerCheck = (url: () => string): AnswerCheck => {
  let fetched: { url: string; description: Promise<Description> } | undefined;
  const description = (): Promise<Description> => {
    const at = url();
    if (fetched?.url !== at) fetched = { url: at, description: descriptionAt(at) };
    return fetched.description;
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
