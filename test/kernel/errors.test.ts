import { describe, expect, test } from "bun:test";
import { AppError, CORE_CODES, invalid, reasonOf } from "../../src/kernel/errors.ts";
import { issue } from "../../src/kernel/schema.ts";

describe("AppError", () => {
  test("carries its code and details, and a default message when it is given none", () => {
    const error = new AppError("CHANNEL_NOT_FOUND");
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "AppError",
      code: "CHANNEL_NOT_FOUND",
      details: {},
      issues: [],
      message: "channel not found",
    });
    expect(error.retryAfterSeconds).toBeUndefined();
    const received = new AppError("DAY_LIMIT_REACHED", {
      message: "No more today.",
      details: { limit: 5 },
      retryAfterSeconds: 60,
    });
    expect([received.message, received.details, received.retryAfterSeconds]).toEqual([
      "No more today.",
      { limit: 5 },
      60,
    ]);
  });

  test("its cause is kept for logs and never part of its JSON", () => {
    const error = new AppError("OVERLOADED", { cause: new Error("canary") });
    expect(error.cause).toEqual(new Error("canary"));
    expect(JSON.stringify(error)).not.toContain("canary");
  });

  test("no code is listed twice", () => {
    expect(new Set(CORE_CODES).size).toBe(CORE_CODES.length);
  });
});

test("invalid keeps every issue in order", () => {
  const issues = [issue("b", "required", "is required"), issue("a", "type", "must be a string")];
  const error = invalid(...issues);
  expect([error.code, error.issues]).toEqual(["VALIDATION", issues]);
});

test("reasonOf says something of whatever was thrown", () => {
  expect(reasonOf(new RangeError("too far"))).toBe("RangeError: too far");
  expect(reasonOf(new AppError("OVERLOADED"))).toBe("AppError: overloaded");
  expect(reasonOf("plain")).toBe("plain");
  expect(reasonOf(undefined)).toBe("undefined");
});
