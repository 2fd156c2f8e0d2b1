import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, entriesOf, graphBench, NUMBER_ID, USER } from "../fixture.ts";
import { fieldSamples } from "./field-samples.ts";

const bench = graphBench();
const OWNER = {
  businessAccountId: ACCOUNT_ID,
  phoneNumberId: NUMBER_ID,
  displayPhoneNumber: "+55 11 4000-0000",
  user: USER,
};

/** The fields of the contract beside `messages`. */
const FIELDS =
  `account_alerts account_review_update account_update business_capability_update business_username_update business_username_updates calls flows
  group_lifecycle_update group_participants_update group_settings_update group_status_update history message_template_components_update
  message_template_quality_update message_template_status_update phone_number_name_update phone_number_quality_update security smb_app_state_sync
  smb_message_echoes template_category_update user_id_update user_preferences`.split(/\s+/);

describe("the samples", () => {
  const samples = fieldSamples(OWNER);

  test("are of every field and event, each under a name of its own", () => {
    expect([...new Set(samples.map(({ change }) => change.field))].toSorted((a, b) => a.localeCompare(b))).toEqual(
      FIELDS,
    );
    expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
    const events = (field: string) => samples.filter(({ change }) => change.field === field).length;
    expect([
      events("account_update"),
      events("message_template_status_update"),
      events("flows"),
      events("phone_number_quality_update"),
    ]).toEqual([17, 14, 6, 6]);
  });

  test("arrive as they stand, and name the number wherever its field does", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    for (const { change } of samples) await graph.inbound.field(change);
    expect(hooks.map((hook) => entriesOf(hook)[0])).toEqual(
      samples.map(({ change: { field, value } }) => ({ id: ACCOUNT_ID, changes: [{ field, value }] })),
    );
    expect(hooks.filter((hook) => hook.raw.includes(NUMBER_ID)).length).toBeGreaterThan(20);
  });

  test("have their time where it is given", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const [sample] = samples;
    if (sample) await graph.inbound.field({ ...sample.change, at: 1_739_321_024_500 });
    expect(entriesOf(hooks[0])).toMatchObject([{ time: 1_739_321_024 }]);
  });
});
