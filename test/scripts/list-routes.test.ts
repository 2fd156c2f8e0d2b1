import { expect, test } from "bun:test";
import { routeRows } from "../../scripts/list/routes.ts";
import { ISOLATED } from "../support/tenants/isolation.ts";

test("the list of routes says of each one who opens it, its body limit and what it can name", async () => {
  const [columns, ...rows] = await routeRows();
  expect(columns).toEqual(["api", "method", "path", "operationId", "opened by", "body in KiB", "isolation"]);
  const rowOf = (operationId: string) => rows.find((row) => row[3] === operationId)?.join(" ");
  expect(rowOf("getPhone")).toBe("gateway GET /v1/phones/{id} getPhone key 1024 id: channel");
  expect(rowOf("listMessages")).toContain(
    " key 1024 phoneId: channel, chatId: conversation, contact: contact or person",
  );
  expect(rowOf("health")).toBe("gateway GET /health health public 1024 none: says whether the server is alive");
  // a server without a test clock has not its route
  expect(rows).toHaveLength(ISOLATED.length - 1);
});
