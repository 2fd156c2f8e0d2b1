import { expect, test } from "bun:test";
import type { BrokerLink } from "../../../src/adapters/brokers/broker.ts";
import { createLinks, type Links } from "../../../src/adapters/brokers/links.ts";
import { messageOf } from "../../../src/adapters/http/transfer.ts";
import { untilTrue } from "../../support/waiting.ts";

type TestLink = BrokerLink & { isOpen: boolean };

/** Connections that open at once, and those that were opened. */
const connecting = () => {
  const opened: TestLink[] = [];
  const open = async (): Promise<BrokerLink> => {
    const link: TestLink = { isOpen: true, publish: async () => "", close: () => void (link.isOpen = false) };
    opened.push(link);
    return link;
  };
  return { opened, open };
};

const used = (links: Links, key: string, open: () => Promise<BrokerLink>) => links.run(key, open, async (link) => link);
const never = (): Promise<never> => new Promise(() => {});

test("a connection is shared by all who use its key, also while it is opened", async () => {
  const links = createLinks({ max: 2, idleMs: 60_000 });
  const { opened, open } = connecting();
  const both = await Promise.all([used(links, "a", open), used(links, "a", open)]);
  expect([opened.length, both[0] === both[1]]).toEqual([1, true]);
  expect(await used(links, "a", open)).toBe(opened[0] as BrokerLink);
  links.close();
  expect(opened[0]?.isOpen).toBe(false);
});

test("a lost connection is replaced at the next use; one that could not be opened is not kept", async () => {
  const links = createLinks({ max: 2, idleMs: 60_000 });
  const { opened, open } = connecting();
  await used(links, "a", open);
  opened[0]?.close({ isUnused: true });
  expect(await used(links, "a", open)).toBe(opened[1] as BrokerLink);
  expect(await used(links, "b", () => Promise.reject(new Error("away"))).catch(messageOf)).toBe("away");
  expect(links.size).toBe(1);
  links.close();
});

test("of too many, the one that is unused for the longest time is closed, and none that is in use", async () => {
  const links = createLinks({ max: 2, idleMs: 60_000 });
  const { opened, open } = connecting();
  for (const key of ["a", "b", "a", "c"]) await used(links, key, open);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, false, true]);
  for (const key of ["a", "c"]) void links.run(key, open, never);
  await used(links, "d", open);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, false, true, true]);
  await used(links, "e", open);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, false, true, false, true]);
  links.close();
});

test("an unused connection is closed after its time", async () => {
  const links = createLinks({ max: 2, idleMs: 1 });
  const { opened, open } = connecting();
  await used(links, "a", open);
  await untilTrue(() => links.size === 0);
  expect(opened[0]?.isOpen).toBe(false);
});

test("what is dropped or closed while it is opened is closed when it is open", async () => {
  const links = createLinks({ max: 2, idleMs: 60_000 });
  const { opened, open } = connecting();
  const gate = Promise.withResolvers<void>();
  const opening = used(links, "a", () => gate.promise.then(open));
  links.drop("a");
  gate.resolve();
  await opening;
  expect([opened[0]?.isOpen, links.size]).toEqual([false, 0]);
  links.close();
  expect(await used(links, "a", open).catch(messageOf)).toBe("the server stops");
  expect(opened.length).toBe(1);
});
