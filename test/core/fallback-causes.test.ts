import { expect, test } from "bun:test";
import { CREDENTIAL_FAILURES, type FailureCode } from "../../src/contract/outcome.ts";
import { reasonAfterFailure } from "../../src/core/messaging/fallback/fallback-causes.ts";

const reasonOf = (code: string) =>
  reasonAfterFailure({ failedReason: `[${code}] refused` }, { reasons: ["lost", "restricted"] });

test("a phone that has lost its credentials is a reason for a fallback, on every network", () => {
  expect([...CREDENTIAL_FAILURES].map((code) => [code, reasonOf(code)])).toEqual(
    [...CREDENTIAL_FAILURES].map((code) => [code, "lost"]),
  );
  expect(CREDENTIAL_FAILURES.size).toBeGreaterThan(2);
});

test("a fault of the message, or a reason that was not asked for, is no reason for a fallback", () => {
  const codes: FailureCode[] = ["UPSTREAM_BAD_REQUEST", "OUTCOME_UNKNOWN"];
  expect(codes.map(reasonOf)).toEqual([undefined, undefined]);
});
