import { describe, expect, test } from "bun:test";
import type { ChannelId, TenantId } from "../../../src/kernel/ids.ts";
import * as templates from "../../../src/store/tables/messaging/templates.ts";
import * as tenants from "../../../src/store/tables/tenancy/tenants.ts";
import * as users from "../../../src/store/tables/tenancy/users.ts";
import { type Plans, planOf, testPlans } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const tenant = { tenantId: "t" as TenantId };
const channel = "c" as ChannelId;

const PLANS: Plans = {
  "templates of a tenant": [(tx) => templates.listTemplates(tx, tenant), "templates_by_tenant (tenant_id=?)"],
  "templates of a tenant, of a channel": [
    (tx) => templates.listTemplates(tx, tenant, { channelId: "c", status: "APPROVED", name: "n" }),
    "templates_by_",
  ],
  "templates of a channel, a page": [
    (tx) => templates.pageOfTemplates(tx, tenant, { channelId: channel, limit: 9, offset: 0 }),
    "templates_by_",
  ],
  "a template": [(tx) => templates.findTemplate(tx, tenant, "t"), "templates_1 (id=?)"],
  "a template by its name": [
    (tx) => templates.findTemplateByName(tx, channel, { name: "n", language: "l" }),
    "templates_by_name (channel_id=? AND name=? AND language=?)",
  ],
  "a template by its native id": [
    (tx) => templates.findTemplateByNativeId(tx, channel, "n"),
    "templates_by_native_id (channel_id=? AND native_id=?)",
  ],
  "the change of a template": [
    (tx) => templates.updateTemplate(tx, "t", ["DRAFT"], { status: "PENDING" }),
    "templates_1 (id=?)",
  ],
  "the end of a template": [(tx) => templates.deleteTemplate(tx, tenant, "t"), "templates_1 (id=?)"],
  "the templates of a channel that is gone": [(tx) => templates.deleteTemplatesOf(tx, channel), "channel_id=?"],
  "templates that are being submitted": [(tx) => templates.takeBackDrafts(tx), "templates_in_flight"],
  "a template that is being submitted": [(tx) => templates.takeBackDrafts(tx, { id: "t" }), "(id=?)"],
  "tenants, next page": [
    (tx) => tenants.listTenants(tx, { status: undefined, cursor: "t", limit: 9 }),
    "tenants_1 (id<?)",
  ],
  "members of an institution": [(tx) => users.listMembers(tx, tenant.tenantId), "members_by_tenant (tenant_id=?)"],
  "institutions of a user": [(tx) => users.listInstitutionsOf(tx, "u"), "members_1 (user_id=?)", "tenants_1 (id=?)"],
  "a user by e-mail": [(tx) => users.findUserByEmail(tx, "e"), "users_email_key_unique (email_key=?)"],
};

describe("the query for", () => {
  testPlans(temp, PLANS);

  test("tenants, first page walks in order and so stops at its limit", async () => {
    expect(
      await planOf(temp, (tx) => tenants.listTenants(tx, { status: undefined, cursor: undefined, limit: 9 })),
    ).toEqual(["SCAN tenants USING INDEX sqlite_autoindex_tenants_1"]);
  });
});
