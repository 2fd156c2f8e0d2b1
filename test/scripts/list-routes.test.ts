import { expect, test } from "bun:test";
import { routeRows } from "../../scripts/list/routes.ts";
import { ISOLATED } from "../support/tenants/isolation.ts";

test("the list of routes says of each who opens it, its right and limits, what it can name and what it records", async () => {
  const [columns, ...rows] = await routeRows();
  expect(columns).toEqual([
    "api",
    "method",
    "path",
    "operationId",
    "opened by",
    "a key needs",
    "a role needs",
    "limit",
    "body in KiB",
    "isolation",
    "acts",
  ]);
  const rowOf = (operationId: string) => rows.find((row) => row[3] === operationId)?.join(" ");
  expect(rowOf("getPhone")).toBe("gateway GET /v1/phones/{id} getPhone key phones.read   1024 id: channel ");
  expect(rowOf("createPairingLink")).toMatch(/ key phones.write   1024 id: channel pairing-link.create$/);
  expect(rowOf("sendMessage")).toMatch(/ key messages.write  a send 1024 .* none: daily work$/);
  expect(rowOf("closeAiConversation")).toContain(" key ai.write chats.write  1024 ");
  expect(rowOf("pauseBatch")).toContain(" credentials bulk-send.write  30 a minute 1024 batchId: batch ");
  expect(rowOf("addMember")).toContain(" credentials  members.write 10 a minute 1024 institutionId: account ");
  expect(rowOf("listMessages")).toContain(
    " key messages.read   1024 phoneId: channel, chatId: conversation, contact: contact or person",
  );
  expect(rowOf("health")).toBe("gateway GET /health health public    1024 none: says whether the server is alive ");
  // a server without a test clock has not its route
  expect(rows).toHaveLength(ISOLATED.length - 1);
});
