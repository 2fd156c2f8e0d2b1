import { assetResponse, iconResponse, programPage } from "./assets.ts";
import { isLinkPage } from "./link-pages.ts";

const ASSETS = "/assets/";

const wantsPage = (request: Request): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  (request.headers.get("accept")?.includes("text/html") ?? false);

/**
 * The program of the console: its files, and one page for every address that a browser opens. Undefined for requests
 * that the server answers itself: links of mails, and requests for JSON.
 */
export const program = async (request: Request, path: string, prefix: string): Promise<Response | undefined> => {
  if (path.startsWith(ASSETS)) return assetResponse(request, path.slice(ASSETS.length));
  if (path === "/icon.svg") return iconResponse();
  if (!wantsPage(request) || isLinkPage(path.slice(1))) return undefined;
  return programPage(prefix, "main");
};
