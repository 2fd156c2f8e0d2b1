import { Elysia } from "elysia";
import { type Allowance, allowAddress, secondsUntilReset } from "../../../core/tenancy/accounts/limits.ts";
import type { TenancyEnv } from "../../../core/tenancy/env.ts";
import { newId } from "../../../kernel/ids.ts";
import type { ApiEnv } from "../api-env.ts";
import type { Fault } from "../http/faults.ts";
import { isOfLongTarget, isPlainPath, LONG_TARGET, NOT_PLAIN } from "../http/paths.ts";
import { addressOf, isTooLarge, nameRequest, noteBodyTerms } from "../http/request.ts";
import { type CommonRouteOptions, type Found, linkOf, type NeededLink } from "../route-table.ts";

type FrameEnv = TenancyEnv & ApiEnv;
export type Headers = Record<string, string | number | string[] | undefined>;

/** A request before its body is read. `headers`: those of the answer. */
export type Arrival<Options> = {
  request: Request;
  requestId: string;
  address: string;
  headers: Headers;
  route: Found<Options>;
};

/** A sender whom the API knows. What they say is used in the order of these fields. */
export type Known = {
  /** Counts the request. */
  allow?(): Allowance | Promise<Allowance>;
  /** The refusal by the state of an account whose refused requests count. */
  closed?: Response | undefined;
  /**
   * Gives handlers the principal of a request within its limits, or refuses a sender who lacks a right to the route.
   */
  admit(): Response | undefined | Promise<Response | undefined>;
};

/** A sender without good credentials, whose requests count by address. `door`: the door of bad ones, for the log. */
export type Stranger = { stranger: Response; door: string | undefined };

/** The sender of a request. `refused`: the request counts nowhere. */
export type Sender = Known | Stranger | { refused: Response };

/** A full minute: `isStranger`: that of an address. */
export type Exceeded = { retryAfterSeconds: number; isStranger: boolean };

/** What distinguishes the frame of one API from that of another. */
export type FrameTerms<Options> = {
  api: string;
  find(request: Request): Found<Options>;
  /** How many requests of an address without good credentials are taken in a minute. It is read at each of them. */
  strangersPerMinute(): number;
  /** Requests that need no credentials count as those of strangers, and every answer states the window it counts in. */
  limitsAnybody?: boolean;
  /** The headers that state the window in which a request counts. */
  windowHeaders?(allowance: Allowance): Headers;
  /** The headers of every answer besides the id of the request. */
  headersFor?(requestId: string): Headers;
  /** Finds out who sends a request; undefined where its headers need no credentials. */
  recognise(arrival: Arrival<Options>): Promise<Sender | undefined>;
  refuseFault(fault: Fault, arrival: Arrival<Options>): Response;
  refuseExceeded(exceeded: Exceeded, arrival: Arrival<Options>): Response;
  /** The API's own checks of a known sender's request, once its path and its body can be taken. */
  check?(arrival: Arrival<Options>): Response | undefined | Promise<Response | undefined>;
  /** The live link that a known sender's request needs. Without it `linkOf` decides. It is asked in a cluster alone. */
  linkFor?(arrival: Arrival<Options>): NeededLink | undefined | Promise<NeededLink | undefined>;
};

/**
 * The first hook of every request of an API. Checks in this order, before the body is read: the credentials, the
 * account's state, the limits, the sender's rights, the path, the body's length, and what the API adds. Then a request
 * that needs the link of another node continues there.
 */
export const requestFrame = <Options extends CommonRouteOptions>(env: FrameEnv, terms: FrameTerms<Options>) =>
  new Elysia({ name: `${terms.api}.frame` }).onRequest(async ({ request, set: { headers } }) => {
    const requestId = nameRequest(request, () => newId(env));
    Object.assign(headers, { "x-request-id": requestId }, terms.headersFor?.(requestId));
    const route = terms.find(request);
    const { maxBodyBytes } = route.routeOptions;
    noteBodyTerms(request, { maxBodyBytes, receiver: `${terms.api} ${route.pattern}` });
    const arrival = { request, requestId, address: addressOf(request), headers, route };
    const sender = isOfLongTarget(request) ? undefined : await terms.recognise(arrival);
    const refusal = (await refusalOf(env, terms, { arrival, sender })) ?? refusalOfForm(terms, arrival);
    if (refusal || !isKnown(sender)) return refusal;
    env.intake.trust(request);
    const ofApi = await terms.check?.(arrival);
    if (ofApi) return ofApi;
    if (!env.elsewhere) return undefined;
    const link = terms.linkFor ? await terms.linkFor(arrival) : linkOf(route);
    return link && env.elsewhere({ request, requestId, link });
  });

const isKnown = (sender: Sender | undefined): sender is Known => sender !== undefined && "admit" in sender;

type Sent<Options, Who> = { arrival: Arrival<Options>; sender: Who };

/** The refusal of a request by its sender; undefined where it may continue. */
const refusalOf = async <Options>(
  env: FrameEnv,
  terms: FrameTerms<Options>,
  { arrival, sender }: Sent<Options, Sender | undefined>,
): Promise<Response | undefined> => {
  if (isKnown(sender)) return refusalOfKnown(env, terms, { arrival, sender });
  if (sender && "refused" in sender) return sender.refused;
  return sender || terms.limitsAnybody ? refusalOfStranger(env, terms, { arrival, sender }) : undefined;
};

const refusalOfKnown = async <Options>(
  env: FrameEnv,
  terms: FrameTerms<Options>,
  { arrival, sender }: Sent<Options, Known>,
): Promise<Response | undefined> => {
  const allowance = await sender.allow?.();
  if (allowance) Object.assign(arrival.headers, terms.windowHeaders?.(allowance));
  if (sender.closed) return sender.closed;
  if (!allowance?.isExceeded) return sender.admit();
  return terms.refuseExceeded({ retryAfterSeconds: secondsUntilReset(env, allowance), isStranger: false }, arrival);
};

const refusalOfStranger = <Options>(
  env: FrameEnv,
  terms: FrameTerms<Options>,
  { arrival, sender }: Sent<Options, Stranger | undefined>,
): Response | undefined => {
  const allowance = countStranger(env, terms, { address: arrival.address, door: sender?.door });
  if (terms.limitsAnybody) Object.assign(arrival.headers, terms.windowHeaders?.(allowance));
  if (!allowance.isExceeded) return sender?.stranger;
  return terms.refuseExceeded({ retryAfterSeconds: secondsUntilReset(env, allowance), isStranger: true }, arrival);
};

/** Counts a request by its address, so that keys cannot be guessed, and logs bad credentials. */
export const countStranger = (
  env: FrameEnv,
  { api, strangersPerMinute }: { api: string; strangersPerMinute(): number },
  { address, door }: { address: string; door?: string | undefined },
): Allowance => {
  if (door !== undefined) env.refusals.note({ door, address });
  return allowAddress(env, { at: api, address, perMinute: strangersPerMinute() });
};

/** The refusal of a request whose path or body cannot be taken from any sender. */
const refusalOfForm = <Options extends CommonRouteOptions>(
  terms: FrameTerms<Options>,
  arrival: Arrival<Options>,
): Response | undefined => {
  const { request, route } = arrival;
  if (isOfLongTarget(request)) return terms.refuseFault(LONG_TARGET, arrival);
  if (!isPlainPath(request)) return terms.refuseFault(NOT_PLAIN, arrival);
  const isLong = isTooLarge(request, route.routeOptions.maxBodyBytes);
  return isLong ? terms.refuseFault({ kind: "too-large" }, arrival) : undefined;
};
