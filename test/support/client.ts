import type { Server } from "./processes/process.ts";
import { pauses } from "./waiting.ts";

/**
 * The requests of a test to a server in another process: JSON in and out, in the type that the test expects. Each
 * throws for any status but 2xx.
 */
export const clientOf = ({ url }: Pick<Server, "url">, adminToken: string) => {
  const ask = async <View>(
    path: string,
    credential: Record<string, string>,
    body?: object,
    method = body === undefined ? "GET" : "POST",
  ): Promise<View> => {
    const headers = { "content-type": "application/json", ...credential };
    // connections are not kept, because a killed server's connection could make the client send a request twice
    const answer = await fetch(`${url}/gateway${path}`, {
      method,
      headers,
      keepalive: false,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as View;
  };
  /** To `/v1/admin`; a body makes it a POST. */
  const admin = <View = object>(path: string, body?: object) =>
    ask<View>(`/v1/admin${path}`, { "x-admin-token": adminToken }, body);
  return {
    admin,
    /** To the gateway with an account's key. */
    gateway: <View = object>(path: string, key: string, body?: object, method?: string) =>
      ask<View>(path, { "x-api-key": key }, body, method),
    remove: (path: string, key: string) => ask<unknown>(path, { "x-api-key": key }, undefined, "DELETE"),
    health: () => ask<object>("/health", {}),
    /** Resolves once the server takes no more connections. */
    async refused(): Promise<void> {
      for (const pause = pauses(); ; await pause()) {
        const isAnswered = await fetch(`${url}/gateway/health`, { keepalive: false }).then(
          (answer) => answer.text().then(() => true),
          () => false,
        );
        if (!isAnswered) return;
      }
    },
    async account(): Promise<{ id: string; key: string }> {
      const { id } = await admin<{ id: string }>("/accounts", { name: "An account" });
      const { key } = await admin<{ key: string }>(`/accounts/${id}/api-keys`, { name: "key" });
      return { id, key };
    },
  };
};
