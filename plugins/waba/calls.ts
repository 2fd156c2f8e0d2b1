import type { CallPermission, CallsApi } from "../../src/contract/abilities/calls.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type Graph, isSuccess } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { recipientOf } from "./address.ts";
import { askerOf } from "./credentials.ts";
import { millisecondsOf } from "./inbound/change.ts";

/** The duration of a permission that is not permanent. */
const PERMISSION_MS = 7 * DAY_MS;

/** The signalling of calls over the number. */
export const wabaCalls = (host: ChannelHost, graph: Graph): CallsApi => {
  const ask = askerOf(host, graph);
  const post = <T>(body: Json, read: (json: Json) => T | undefined) =>
    ask(
      ({ phoneNumberId }) => ({
        method: "POST",
        path: [phoneNumberId, "calls"],
        body: { messaging_product: "whatsapp", ...body },
      }),
      read,
    );
  const act = (action: string, nativeId: string, more: Json = {}) =>
    post({ call_id: nativeId, action, ...more }, isSuccess);

  return {
    connect: ({ to, sdpOffer, callId }) =>
      post(
        {
          ...recipientOf(to),
          action: "connect",
          session: { sdp_type: "offer", sdp: sdpOffer },
          biz_opaque_callback_data: callId,
        },
        (json) => ({
          nativeId: textOf(recordOf(listOf(json["calls"])[0])["id"]),
        }),
      ),
    async accept(nativeId, sdpAnswer) {
      const session = { session: { sdp_type: "answer", sdp: sdpAnswer } };
      const prepared = await act("pre_accept", nativeId, session);
      return prepared.ok ? act("accept", nativeId, session) : prepared;
    },
    reject: (nativeId) => act("reject", nativeId),
    terminate: (nativeId) => act("terminate", nativeId),
    permission: (to) =>
      ask(
        ({ phoneNumberId }) => ({ method: "GET", path: [phoneNumberId, "call_permissions"], query: personOf(to) }),
        permissionIn,
      ),
  };
};

const personOf = (key: string): Record<string, string> => {
  const person = recipientOf(key);
  return "to" in person ? { user_wa_id: person.to } : person;
};

/** The network names the end of a permission that is not permanent, from which its beginning follows. */
const permissionIn = (json: Json): CallPermission | undefined => {
  const { status, expiration_time: expiration } = recordOf(json["permission"]);
  const expiresAt = millisecondsOf(expiration);
  if (textOf(status) === undefined) return undefined;
  if (status === "permanent") return { granted: true, grantedAt: null, expiresAt: null };
  if (status !== "temporary") return { granted: false, grantedAt: null, expiresAt: null };
  return {
    granted: true,
    grantedAt: expiresAt > 0 ? expiresAt - PERMISSION_MS : null,
    expiresAt: expiresAt > 0 ? expiresAt : null,
  };
};
