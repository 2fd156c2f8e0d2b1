import { expect, test } from "bun:test";
import { eventRows } from "../../scripts/list/events.ts";
import { STREAM_EVENT_TYPES as GATEWAY_TYPES } from "../../src/apis/gateway/events/event-types.ts";
import { EVENT_NAMES } from "../../src/apis/platform/events/definitions.ts";
import { EVENT_TYPES } from "../../src/core/events/definitions/index.ts";

const [columns = [], ...rows] = eventRows();
const column = (name: string): string[] => rows.map((row) => row[columns.indexOf(name)] ?? "");
const namesIn = (name: string): string[] => [
  ...new Set(column(name).flatMap((names) => (names === "not published" ? [] : names.split(", ")))),
];

test("the list of events has every domain event, and every name that an API publishes one by", () => {
  expect(column("event")).toEqual(EVENT_TYPES);
  expect(namesIn("gateway").toSorted()).toEqual(GATEWAY_TYPES.filter((type) => type !== "call:*").toSorted());
  expect(namesIn("platform").toSorted()).toEqual(EVENT_NAMES.toSorted());
});

const SAID: Readonly<Record<string, string[]>> = {
  "message.received": ["chat", "by the event", "message:received, message:standby", "message.received"],
  "message.read": ["recipient", "outbound", "message:status", "message.read"],
  "group.status": ["group", "none", "group:status", "not published"],
  "message.priced": ["channel", "none", "not published", "not published"],
};

test.each(Object.keys(SAID))(
  "the list of events says of %s how it is ordered, its direction, and its names",
  (type) => {
    expect(rows.find(([name]) => name === type)?.slice(1, 5)).toEqual(SAID[type]);
  },
);
