import type { Server } from "bun";
import { respond } from "../graph/requests/answers.ts";
import type { JournalEntry } from "../graph/requests/journal.ts";
import { serveSimulator } from "../graph/serve.ts";
import { type Fields, fieldsOf, jsonOf } from "../graph/shape.ts";
import { changeCustomer, createCustomer } from "./customers.ts";
import type { Fault, Faults, Operation } from "./faults.ts";
import { createPayment, deletePayment, identificationField, listOf, paymentOf, pixQrCode } from "./payments.ts";
import { type Asked, type Payment, Refusal, type State, unknown } from "./state.ts";

type Parts = { apiKey: string; faults: Faults; onChange(payment: Payment, event: string): Promise<unknown> };
type Call = { id: string; query: URLSearchParams; body: Fields };
type Route = { operation: Operation; run(state: State, call: Call): Fields | Promise<Fields>; event?: string };

const under = (query: URLSearchParams) => (one: Fields) =>
  ["externalReference", "cpfCnpj", "status"].every((name) => !query.has(name) || one[name] === query.get(name));

const ROUTES: Readonly<Record<string, Route>> = {
  "GET customers": { operation: "read", run: ({ customers }, { query }) => listOf(customers.values(), under(query)) },
  "POST customers": { operation: "customer.save", run: (state, { body }) => createCustomer(state, body) },
  "PUT customers/:id": { operation: "customer.save", run: (state, { id, body }) => changeCustomer(state, id, body) },
  "GET payments": { operation: "read", run: ({ payments }, { query }) => listOf(payments.values(), under(query)) },
  "POST payments": {
    operation: "charge.create",
    run: (state, { body }) => createPayment(state, body),
    event: "PAYMENT_CREATED",
  },
  "GET payments/:id": { operation: "read", run: (state, { id }) => paymentOf(state, id) },
  "DELETE payments/:id": {
    operation: "charge.delete",
    run: (state, { id }) => deletePayment(state, id),
    event: "PAYMENT_DELETED",
  },
  "GET payments/:id/pixQrCode": { operation: "read", run: (state, { id }) => pixQrCode(state, id) },
  "GET payments/:id/identificationField": { operation: "read", run: (state, { id }) => identificationField(state, id) },
};

export const serveProcessor = (state: State, parts: Parts): Server<undefined> =>
  serveSimulator(
    async () => new Response(null, { status: 404 }),
    async (request, url) => {
      const text = await request.text();
      const asked: Asked = {
        method: request.method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(request.headers),
        body: text === "" ? undefined : jsonOf(text),
        status: null,
      };
      state.asked.push(asked);
      try {
        const { body, fault } = await answer(state, parts, asked, url);
        return await responseOf(asked, body, fault);
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown;
        return responseOf(
          asked,
          { errors: [{ code: thrown.code, description: thrown.message }] },
          { kind: "status", status: thrown.status },
        );
      }
    },
  );

const answer = async (
  state: State,
  { apiKey, faults, onChange }: Parts,
  asked: Asked,
  url: URL,
): Promise<{ body: Fields; fault?: Fault | undefined }> => {
  checkHeaders(asked, apiKey);
  const [, version, path = "", id = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const route = ROUTES[`${asked.method} ${[path, ...(id === "" ? [] : [":id"]), ...rest].join("/")}`];
  if (version !== "v3" || !route) throw unknown();
  const fault = faults.take(route.operation);
  if (fault && !("isDone" in fault && fault.isDone)) return { body: { errors: [] }, fault };
  const body = await route.run(state, { id, query: url.searchParams, body: fieldsOf(asked.body) });
  if (route.event) await onChange(body as Payment, route.event);
  return { body: route.event === "PAYMENT_DELETED" ? { deleted: true, id } : structuredClone(body), fault };
};

const checkHeaders = ({ method, headers }: Asked, apiKey: string): void => {
  // Bun gives a server no body of a GET
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  if (method === "GET" && hasBody) throw new Refusal(403, "forbidden", "A GET request with a body.");
  if (!headers["user-agent"]) throw new Refusal(400, "invalid_user_agent", "O header User-Agent é obrigatório.");
  if (headers["access_token"] !== apiKey)
    throw new Refusal(401, "invalid_access_token", "A chave de API fornecida é inválida.");
  if (method !== "GET" && method !== "DELETE" && !headers["content-type"]?.startsWith("application/json"))
    throw new Refusal(400, "invalid_content_type", "O Content-Type deve ser application/json.");
};

const responseOf = async (asked: Asked, body: Fields, fault: Fault | undefined): Promise<Response> => {
  const entry: JournalEntry = { ...asked, at: 0 };
  if (fault?.kind === "lost") return respond({ kind: "reset" }, entry);
  if (fault?.kind === "hang") return respond({ kind: "hang" }, entry);
  if (fault?.kind === "garbage") return respond({ kind: "page", status: 200 }, entry);
  asked.status = fault?.status ?? 200;
  return Response.json(body, { status: asked.status });
};
