import type { NumberApi, Username } from "../../../src/contract/abilities/number.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { type Json, listOf } from "../../../src/kernel/texts/json.ts";
import { type Graph, type GraphCall, isSuccess } from "../../meta/graph.ts";
import { textOf } from "../../meta/json.ts";
import { askerOf } from "../credentials.ts";

const PIN_MISMATCH = 133005;
const ALREADY_VERIFIED = 136024;

/** The number itself at the network: its ownership, its registration and its username. */
export const wabaNumber = (host: ChannelHost, graph: Graph): NumberApi => {
  const ask = askerOf(host, graph);
  const edge = (name: string, call: Omit<GraphCall, "token" | "path">) => {
    return ({ phoneNumberId }: { phoneNumberId: string }) => ({ ...call, path: [phoneNumberId, name] });
  };
  return {
    async requestCode({ method, language }) {
      const body = { code_method: method, language };
      const result = await ask(edge("request_code", { method: "POST", body }), isSuccess);
      if (isRefusedWith(result, ALREADY_VERIFIED)) return { ok: true, value: "already" };
      return result.ok ? { ok: true, value: "sent" } : result;
    },
    verifyCode: (code) => ask(edge("verify_code", { method: "POST", body: { code } }), isSuccess),
    register: async (pin) => registered(await ask(({ phoneNumberId }) => registration(phoneNumberId, pin), isSuccess)),
    username: () => ask(edge("username", { method: "GET" }), usernameIn),
    claimUsername: (username, isTransfer) => {
      const body = { username, transfer_action: isTransfer ? "force_transfer" : "none" };
      return ask(edge("username", { method: "POST", body }), (json) => claimedIn(json, username));
    },
    releaseUsername: () => ask(edge("username", { method: "DELETE" }), isSuccess),
    usernameSuggestions: () =>
      ask(edge("username_suggestions", { method: "GET" }), (json) =>
        listOf(json["username_suggestions"] ?? json["data"]).flatMap((one) => textOf(one) ?? []),
      ),
  };
};

const RESERVED = "reserved";

const usernameIn = (json: Json): Username => ({
  username: textOf(json["username"]) ?? null,
  isReserved: textOf(json["status"])?.toLowerCase() === RESERVED,
});

/** The answer contains the status, but not always the name. */
const claimedIn = (json: Json, username: string): Username | undefined =>
  textOf(json["status"]) === undefined && !isSuccess(json) ? undefined : { ...usernameIn(json), username };

const isRefusedWith = (result: UpstreamResult<unknown>, code: number): boolean =>
  !result.ok && result.kind === "refused" && result.error.code === code;

/** The call that registers a number, without its token. */
export const registration = (numberId: string, pin: string): Omit<GraphCall, "token"> => ({
  method: "POST",
  path: [numberId, "register"],
  body: { messaging_product: "whatsapp", pin },
});

/** The outcome of a registration. */
export const registered = (result: UpstreamResult<true>): UpstreamResult<"registered" | "wrong-pin"> => {
  if (isRefusedWith(result, PIN_MISMATCH)) return { ok: true, value: "wrong-pin" };
  return result.ok ? { ok: true, value: "registered" } : result;
};
