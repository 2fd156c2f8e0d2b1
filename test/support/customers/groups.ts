import { beforeEach } from "bun:test";
import { useCustomer } from "../use-world.ts";
import { type Answer, untilTrue, type World } from "../world.ts";
import type { Customer } from "./customer.ts";

/** A customer's acts with groups. */
export type GroupUser = {
  call(path: string, options?: { method?: string; body?: unknown; key?: string }): Promise<Answer>;
  create(more?: object): Promise<Answer>;
  /** An existing group, by its view. */
  group(more?: object): Promise<any>;
  /** A call that the upstream reports later, so many times. Resolves after all effects. */
  followed(path: string, options: { method: string; body?: unknown }, update?: number): Promise<Answer>;
  /** Lets people join a group by its link. Resolves after all effects. */
  joined(group: { upstreamGroupId: string }, ...waIds: string[]): Promise<void>;
};

export const NOBODY = "00000000-0000-4000-8000-000000000000";

export const groupUser = (w: World, c: Customer): GroupUser => {
  const call: GroupUser["call"] = (path, options = {}) => w.gateway(`/v1/groups${path}`, { key: c.key, ...options });
  const create = (more: object = {}) => call("", { body: { phoneId: c.phone.id, subject: "Clube do livro", ...more } });
  return {
    call,
    create,
    async group(more) {
      const { status, body, text } = await create(more);
      if (status !== 201) throw new Error(`the group was not made: ${status} ${text}`);
      await w.settle();
      return body;
    },
    async followed(path, options, update = 1) {
      const before = w.graph.webhooks.journal.length;
      const answer = await call(path, options);
      await untilTrue(() => w.graph.webhooks.journal.length >= before + update);
      await w.graph.webhooks.settled();
      await w.settle();
      return answer;
    },
    async joined({ upstreamGroupId }, ...waIds) {
      for (const waId of waIds) await w.graph.groups.join(upstreamGroupId, waId);
      await w.settle();
    },
  };
};

/**
 * A world for the tests of a file, whose network reports groups at once, with a new customer for every test and their
 * calls about groups.
 */
export const useGroups = () => {
  const { w, c } = useCustomer();
  beforeEach(() => {
    w.graph.configure({ groupUpdate: "at-once" });
    w.graph.clearFailures();
  });
  return { w, c, g: groupUser(w, c) };
};

/** The request that the upstream has accepted and holds back. Waits for it. */
export const heldRequest = async (w: World, c: Customer): Promise<string> => {
  await untilTrue(() => heldOf(w, c).length > 0);
  return heldOf(w, c)[0] ?? "";
};

/** All requests of the customer's phone that it holds back, oldest first. */
export const heldOf = (w: World, { phone }: Customer): string[] =>
  w.graph.groups.held.filter(({ phoneNumberId }) => phoneNumberId === phone.phoneNumberId).map(({ id }) => id);
