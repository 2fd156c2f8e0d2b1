import type { ChannelHost } from "../../src/contract/plugin.ts";
import { SECOND_MS } from "../../src/kernel/clock.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import { cut, textOf } from "../meta/json.ts";
import { psidOf } from "./address.ts";
import type { Page } from "./calls.ts";

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_NAME_LENGTH = 200;
/** More people than a page answers between two starts of most servers. */
const MAX_PEOPLE = 10_000;

/** The names of people, which no webhook brings. `end`: no name is told any more. */
export type Names = { learn(page: Page, to: string): Promise<void>; end(): void };

/**
 * Asks for the name of each person once, after the page has answered them:
 * https://developers.facebook.com/docs/messenger-platform/identity/user-profile. A refusal is no fault: the person's
 * privacy, or the app's rights, may forbid it. Never throws.
 */
export const learnNames = (host: Pick<ChannelHost, "emit" | "clock" | "log" | "channelId">): Names => {
  const asked = new Set<string>();
  let isEnded = false;
  return {
    async learn({ graph, accessToken: token }, to) {
      const psid = psidOf(to);
      if (isEnded || asked.has(psid) || asked.size >= MAX_PEOPLE) return;
      asked.add(psid);
      const result = await graph({ method: "GET", path: [psid], token, fields: ["name"], timeoutMs: TIMEOUT_MS });
      const name = result.ok ? textOf(result.json["name"]) : undefined;
      if (name === undefined || isEnded) return;
      try {
        await host.emit({
          kind: "known",
          at: host.clock.now(),
          identity: { uid: psid },
          name: cut(name, MAX_NAME_LENGTH),
        });
      } catch (thrown) {
        host.log.warn({ channelId: host.channelId, reason: reasonOf(thrown) }, "the name of a person was not stored");
      }
    },
    end() {
      isEnded = true;
    },
  };
};
