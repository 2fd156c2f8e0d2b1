import type { CommonRouteOptions, RouteTable } from "../route-table.ts";
import { pathOf } from "./request.ts";

type Table = Pick<RouteTable<CommonRouteOptions>, "find">;
type Answering = { headers: Record<string, unknown> };

/**
 * Makes the hook that names the thing that a POST has made in `Location`: the request's own path and the id in the
 * answer, if that is a route. `answer` is the result of a handler with `status(201, …)` or `status(202, …)`; other
 * answers get no `Location`.
 */
export const locating =
  (table: () => Table) =>
  (request: Request, answer: unknown, { headers }: Answering): void => {
    const id = request.method === "POST" ? idMade(answer) : undefined;
    if (id === undefined) return;
    const path = `${pathOf(request).replace(/\/$/, "")}/${encodeURIComponent(id)}`;
    if (table().find("GET", path).name !== undefined) headers["location"] = path;
  };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const idMade = (answer: unknown): string | undefined => {
  if (!isRecord(answer) || (answer["code"] !== 201 && answer["code"] !== 202)) return undefined;
  const { response } = answer;
  const made = isRecord(response) && isRecord(response["data"]) ? response["data"] : response;
  return isRecord(made) ? [made["id"], made["messageId"]].find((one) => typeof one === "string") : undefined;
};
