import type { Following, HttpNoAnswer, HttpRequest } from "../../contract/ports/http.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The headers that another host than the first may see. */
const HARMLESS: ReadonlySet<string> = new Set(["accept", "user-agent"]);

type Request = Pick<HttpRequest, "url" | "method" | "headers" | "timeoutMs"> & Following;
type Answer = { ok: true; status: number; headers: Record<string, string> };
type Sending<Asked, Answered> = {
  /** The time for all addresses together. */
  totalMs: number;
  /** Asks one address, and checks it. */
  send: (request: Asked) => Promise<Answered | HttpNoAnswer>;
  /** Gives up an answer whose body nobody reads. */
  leave: (answer: Answered) => void;
};

/** Sends a request, and follows as many redirects as it allows. */
export const following = async <Asked extends Request, Answered extends Answer>(
  request: Asked,
  { totalMs, send, leave }: Sending<Asked, Answered>,
): Promise<Answered | HttpNoAnswer> => {
  const startedAtMs = performance.now();
  const spentMs = () => performance.now() - startedAtMs;
  const most = request.method === "GET" ? (request.maxRedirects ?? 0) : 0;
  let asked = request;
  let answer = await send(asked);
  for (let followed = 0; answer.ok && followed < most; followed++) {
    const url = redirectOf(answer, asked.url);
    if (url === undefined) break;
    leave(answer);
    const refusal = request.refusalOf?.(url);
    if (refusal !== undefined)
      return { ok: false, failure: "blocked", message: refusal, mayHaveArrived: true, durationMs: spentMs() };
    asked = { ...asked, ...headersFor(asked, url), url, timeoutMs: Math.max(totalMs - spentMs(), 1) };
    answer = await send(asked);
  }
  if (asked === request) return answer;
  const durationMs = spentMs();
  // the first address was asked, whatever became of the last one
  return answer.ok ? { ...answer, durationMs, finalUrl: asked.url } : { ...answer, durationMs, mayHaveArrived: true };
};

const redirectOf = ({ status, headers }: Answer, from: string): string | undefined => {
  const location = headers["location"];
  return REDIRECTS.has(status) && location !== undefined ? URL.parse(location, from)?.href : undefined;
};

const headersFor = ({ url: from, headers = {} }: Request, url: string): Pick<Request, "headers"> =>
  URL.parse(from)?.origin === URL.parse(url)?.origin
    ? {}
    : { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase()))) };
