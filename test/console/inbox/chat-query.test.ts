import { describe, expect, test } from "bun:test";
import { chatQuery, NO_FILTERS } from "../../../src/console/web/pages/inbox/chat-query.ts";

const CARLA = { ...NO_FILTERS, assignee: "carla" };
const asked = (view: string) => chatQuery({ ...CARLA, view }, "olga");

describe("the colleague who was chosen in another view", () => {
  test("does not take the place of the person in Mine, nor of nobody in Unassigned", () => {
    expect([asked("mine").assignee, asked("unassigned").assignee]).toEqual(["olga", "nobody"]);
  });

  test("counts in the views that have no assignee of their own", () => {
    for (const view of ["open", "unread", "agent", "snoozed", "closed"]) expect(asked(view).assignee).toBe("carla");
  });
});

test("a wait asks for the longest wait first; without filters only the view counts", () => {
  expect(chatQuery({ ...NO_FILTERS, wait: "4" }, "olga")).toEqual({
    state: "OPEN",
    snoozed: false,
    waitingHours: 4,
    sort: "waiting",
  });
  expect(chatQuery(NO_FILTERS, "olga")).toEqual({ state: "OPEN", snoozed: false });
});
