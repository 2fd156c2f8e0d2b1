import { useCustomer } from "../use-world.ts";
import type { Answer, World } from "../world.ts";
import { type Customer, receivedBy, TO } from "./customer.ts";

export const SDP = "v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\n";
export const NOBODY = "00000000-0000-4000-8000-000000000000";
export const RING_MS = 5000;

type Options = { method?: string; body?: object; key?: string; raw?: string; headers?: Record<string, string> };

/** A customer's acts with calls, and the events that they get. */
export const callsOf = (w: World, c: Customer) => {
  const ask = (path: string, { key = c.key, ...options }: Options = {}): Promise<Answer> =>
    w.gateway(`/v1/calls${path}`, { key, ...options });
  const post = (path: string, body?: object): Promise<Answer> =>
    ask(path, { method: "POST", ...(body ? { body } : {}) });
  const place = (more: object = {}): Promise<Answer> =>
    ask("", { body: { phoneId: c.phone.id, to: TO, sdpOffer: SDP, ...more } });
  return {
    ask,
    post,
    place,
    /** Lets `user` be called. */
    permit: (user = TO, status: "temporary" | "permanent" = "temporary") =>
      w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user, status }),
    /** A call to a user who allowed calls, and the network's id of it. */
    async placed(): Promise<{ id: string; wacid: string }> {
      w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user: TO, status: "temporary" });
      const { status, body, text } = await place();
      if (status !== 201) throw new Error(`the call was not placed: ${status} ${text}`);
      return { id: body.id, wacid: body.upstreamCallId };
    },
    /** A call of a user that rings here, with its event. */
    async offered(from = TO): Promise<{ id: string; wacid: string; offer: any }> {
      const { id: wacid } = await w.graph.calls.offer({ to: c.phone.phoneNumberId, from });
      await w.settle();
      const offer = receivedBy(c.hook, "call:offer").find(({ upstreamCallId }) => upstreamCallId === wacid);
      if (!offer) throw new Error("no event has the offer");
      return { id: offer.callId, wacid, offer };
    },
    get: async (id: string): Promise<any> => (await ask(`/${encodeURIComponent(id)}`)).body,
    statusOf: async (id: string): Promise<string> => (await ask(`/${id}`)).body.status,
    /** The types of the events of calls, in order. */
    received: (): string[] =>
      c.hook.arrived.map(({ body }) => body.type as string).filter((type) => type.startsWith("call:")),
    /** The orders to the network about calls, in order. */
    acts: (): string[] =>
      w.graph.journal
        .filter(({ method, path }) => method === "POST" && path.endsWith(`/${c.phone.phoneNumberId}/calls`))
        .map(({ body }) => (body as { action: string }).action),
  };
};

/** A world for the tests of a file, a new customer for every test, and their acts with calls. */
export const useCalls = () => {
  const { w, c } = useCustomer();
  return { w, c, calls: callsOf(w, c) };
};
