import { describe, expect, test } from "bun:test";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import { fieldSamples } from "../../support/graph/webhooks/field-samples.ts";
import {
  accountDetails,
  eventsOf,
  NUMBER_ID,
  OWN_NUMBER,
  parse,
  USER,
  WABA,
} from "../../support/networks/waba-envelope.ts";

const GROUP = "Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD";
const AT = 1_749_416_383_000;
const ERROR = {
  code: 131_204,
  title: "Too many participants",
  message: "Too many participants",
  error_data: { details: "The group is full." },
};
const updates = (field: string, more: object) =>
  eventsOf(field, { groups: [{ timestamp: "1749416383", group_id: GROUP, ...more }] });
const update = (field: string, more: object) => updates(field, more)[0];
/** The update without what every one has. */
const said = (event: ChannelEvent | undefined) => {
  if (event?.kind !== "group") return event;
  const { kind: _kind, at, nativeId, ...rest } = event;
  expect([at, nativeId]).toEqual([AT, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  return rest as unknown;
};

describe("group_lifecycle_update", () => {
  const lifecycle = (more: object) => said(update("group_lifecycle_update", more));

  test("a group that was made comes with all that is said of it", () => {
    const group = {
      type: "group_create",
      request_id: "dh1N",
      subject: "Clube",
      description: "Às quintas",
      invite_link: "https://chat.whatsapp.com/L",
    };
    const fields = {
      what: "created",
      groupId: GROUP,
      requestId: "dh1N",
      subject: "Clube",
      description: "Às quintas",
      inviteLink: "https://chat.whatsapp.com/L",
    };
    expect(lifecycle({ ...group, join_approval_mode: "approval_required" })).toEqual({
      ...fields,
      joinApprovalMode: "APPROVAL_REQUIRED",
    });
    expect(lifecycle({ type: "group_create" })).toEqual({ what: "created", groupId: GROUP });
  });

  test("one that could not be made or deleted comes with the network's reason", () => {
    const error = {
      code: 131_204,
      error_subcode: null,
      message: "Too many participants",
      error_user_msg: "The group is full.",
    };
    expect(
      lifecycle({ group_id: undefined, type: "group_create", request_id: "dh1N", subject: "Clube", errors: [ERROR] }),
    ).toEqual({ what: "failed", requestId: "dh1N", error });
    expect(lifecycle({ type: "group_delete", request_id: "dh1N", errors: [{}] })).toMatchObject({
      what: "failed",
      groupId: GROUP,
      isDeletion: true,
      error: { code: null },
    });
  });

  test("one that was made without its picture comes with the picture's reason", () => {
    const said = eventsOf("group_lifecycle_update", {
      groups: [{ group_id: GROUP, type: "group_create", profile_picture: { errors: [ERROR] } }],
    });
    expect(said).toMatchObject([
      { what: "created", groupId: GROUP },
      { what: "failed", groupId: GROUP },
    ]);
  });

  test("one that was deleted", () => {
    expect(lifecycle({ type: "group_delete", request_id: "dh1N" })).toEqual({ what: "deleted", groupId: GROUP });
  });
});

describe("group_participants_update", () => {
  const participants = (more: object) => said(update("group_participants_update", more));

  test("who joins, by number, or by user id where there is no number", () => {
    const added_participants = [
      { wa_id: USER, user_id: "US.1" },
      { user_id: "uUS.2" },
      { wa_id: 5_511_999_990_001 },
      {},
    ];
    expect(participants({ type: "group_participants_add", reason: "invite_link", added_participants })).toEqual({
      what: "participants",
      groupId: GROUP,
      action: "join",
      waIds: [USER, "US.2", "5511999990001"],
    });
  });

  test("who leaves, and whom the business took out, also where the sample calls it the making of a group", () => {
    const removed = { removed_participants: [{ input: "+1 650 555-1234" }, { input: "US.2" }] };
    const fields = { what: "participants", groupId: GROUP, waIds: [USER, "US.2"] };
    expect(participants({ type: "group_create", initiated_by: "business", ...removed })).toEqual({
      ...fields,
      action: "remove",
    });
    expect(participants({ type: "group_participants_remove", initiated_by: "participant", ...removed })).toEqual({
      ...fields,
      action: "leave",
    });
  });

  test("what was done in part, and each reason of the rest once", () => {
    const more = {
      errors: [ERROR],
      removed_participants: [{ input: USER }],
      failed_participants: [
        { input: "1", errors: [ERROR] },
        { input: "2", errors: [{ code: 7, message: "no" }] },
      ],
    };
    const removal = { type: "group_participants_remove", initiated_by: "business", ...more };
    expect(updates("group_participants_update", removal).map(said)).toMatchObject([
      { what: "participants", action: "remove", waIds: [USER] },
      { what: "failed", error: { code: 131_204 } },
      { what: "failed", error: { code: 7 } },
    ]);
    expect(
      participants({ type: "group_participants_remove", errors: [ERROR], removed_participants: [] }),
    ).toMatchObject({ what: "failed" });
  });

  test("who went and who came in one update, each with an id of its own", () => {
    const both = { removed_participants: [{ input: "US.2" }], added_participants: [{ wa_id: USER }] };
    const events = updates("group_participants_update", { initiated_by: "participant", ...both });
    expect(events.map(said)).toEqual([
      { what: "participants", groupId: GROUP, action: "leave", waIds: ["US.2"] },
      { what: "participants", groupId: GROUP, action: "join", waIds: [USER] },
    ]);
    expect(new Set(events.map((event) => "nativeId" in event && event.nativeId)).size).toBe(2);
    expect(updates("group_participants_update", { initiated_by: "participant", ...both })).toEqual(events);
  });

  test("join requests are listed on request, never published", () => {
    expect(participants({ type: "group_join_request_created", join_request_id: "J", wa_id: USER })).toEqual({
      kind: "unknown",
      at: AT,
      what: "group_participants_update group_join_request_created",
    });
  });
});

describe("group_settings_update", () => {
  const settings = (more: object) => said(update("group_settings_update", { type: "group_settings_update", ...more }));

  test("what changed, an emptied description too; a picture is nothing of ours", () => {
    expect(
      settings({ group_subject: { text: "Novo", update_successful: true }, group_description: { text: "" } }),
    ).toEqual({
      what: "settings",
      groupId: GROUP,
      subject: "Novo",
      description: "",
    });
    expect(settings({ profile_picture: { mime_type: "image/jpeg", update_successful: true } })).toMatchObject({
      kind: "unknown",
    });
  });

  test("what could not be changed, and what could beside it", () => {
    const refused = { text: "Novo", update_successful: false, errors: [ERROR] };
    expect(settings({ group_subject: refused })).toMatchObject({
      what: "failed",
      groupId: GROUP,
      error: { code: 131_204 },
    });
    const parts = { group_subject: refused, group_description: { text: "x", update_successful: true } };
    expect(updates("group_settings_update", parts).map(said)).toMatchObject([
      { what: "settings", groupId: GROUP, description: "x" },
      { what: "failed", groupId: GROUP, error: { code: 131_204 } },
    ]);
    const picture = { update_successful: false, errors: [{ code: 7, message: "no" }] };
    expect(updates("group_settings_update", { group_subject: refused, profile_picture: picture })).toMatchObject([
      { what: "failed", error: { code: 131_204 } },
      { what: "failed", error: { code: 7 } },
    ]);
  });
});

describe("group_status_update", () => {
  test("suspended, and no longer", () => {
    expect(said(update("group_status_update", { type: "group_suspend" }))).toEqual({
      what: "suspended",
      groupId: GROUP,
    });
    expect(said(update("group_status_update", { type: "group_suspend_cleared" }))).toEqual({
      what: "unsuspended",
      groupId: GROUP,
    });
  });
});

describe("all of them", () => {
  const FIELDS = [
    "group_lifecycle_update",
    "group_participants_update",
    "group_settings_update",
    "group_status_update",
  ];

  test("several groups of one envelope come in their order", () => {
    const groups = ["a", "b", "a"].map((group_id) => ({ group_id, type: "group_suspend" }));
    expect(eventsOf("group_status_update", { groups }).map((event) => "groupId" in event && event.groupId)).toEqual([
      "a",
      "b",
      "a",
    ]);
  });

  test("the same update has the same id, and another update another", () => {
    const idOf = (more: object) => {
      const event = update("group_status_update", { type: "group_suspend", ...more });
      return event?.kind === "group" ? event.nativeId : undefined;
    };
    expect(idOf({})).toBe(idOf({}) ?? "");
    expect(
      new Set([
        idOf({}),
        idOf({ timestamp: "1749416384" }),
        idOf({ type: "group_suspend_cleared" }),
        idOf({ group_id: "b" }),
      ]).size,
    ).toBe(4);
  });

  test.each(FIELDS)("%s without a number, a group or a known type is unknown and breaks nothing", (field) => {
    const unknown = { kind: "unknown" };
    expect(
      accountDetails(field, { groups: [{ group_id: GROUP, type: "group_suspend" }] }).map(({ event }) => event),
    ).toMatchObject([unknown]);
    for (const groups of [
      undefined,
      [],
      {},
      [null],
      [7],
      [{ group_id: GROUP }],
      [{ type: "group_create" }],
      [{ group_id: GROUP, type: { a: 1 } }],
    ])
      for (const event of eventsOf(field, { groups })) expect(event).toMatchObject(unknown);
  });

  test("every sample of Meta's documents is understood, but for join requests", () => {
    const owner = { businessAccountId: WABA, phoneNumberId: NUMBER_ID, displayPhoneNumber: OWN_NUMBER, user: USER };
    const samples = fieldSamples(owner).filter(({ name }) => name.startsWith("group_"));
    const kinds = samples.map(({ name, change }) => [
      name,
      parse({ object: "whatsapp_business_account", entry: [{ id: WABA, changes: [change] }] })[0]?.event.kind,
    ]);
    expect(kinds.filter(([, kind]) => kind !== "group").map(([name]) => name)).toEqual([
      "group_participants_update group_join_request_created",
      "group_participants_update group_join_request_revoked",
    ]);
    expect(kinds.length).toBeGreaterThan(7);
  });
});
