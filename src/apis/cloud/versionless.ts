import { NEWEST_GRAPH } from "../../kernel/settings/graph-version.ts";
import { pathBelow, standIn } from "../shared/http/request.ts";

type Handle = (request: Request, pathname: string) => Response | Promise<Response>;

const VERSIONED = /^\/v\d+\.\d+(?:\/|$)/;

/**
 * Serves paths without a version too, as the network does: some clients lose it from their base URL. All versions are
 * the same. `release` ends the
 * hold on the request that stands in.
 */
export const withVersion =
  (handle: Handle, prefix: string, release: (request: Request) => void): Handle =>
  async (request, pathname) => {
    const below = pathBelow(prefix, request);
    if (below === "" || below === "/" || VERSIONED.test(below)) return handle(request, pathname);
    const url = new URL(request.url);
    url.pathname = `${prefix}/${NEWEST_GRAPH}${below}`;
    const inner = standIn(new Request(url.href, request), request);
    try {
      return await handle(inner, url.pathname);
    } finally {
      release(inner);
    }
  };
