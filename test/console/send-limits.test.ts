import { describe, expect, test } from "bun:test";
import type { ContentLimit } from "../../clients/typescript/src/generated/gateway.ts";
import { messageTypeOf } from "../../src/console/web/pages/inbox/composer/outgoing.ts";
import { fileFault, textUse } from "../../src/console/web/parts/messages/send-limits.ts";

const FIELDS = { furtherFields: [] };
const limit = (type: string, given: Partial<ContentLimit>): ContentLimit => ({
  type,
  textMaxChars: null,
  textMaxBytes: null,
  captionMaxChars: null,
  captionMaxBytes: null,
  maxFileBytes: null,
  mimeTypes: null,
  ...FIELDS,
  ...given,
});
const LIMITS = {
  contentTypes: ["text", "image", "audio", "document"],
  contentLimits: [
    limit("text", { textMaxChars: 160, textMaxBytes: 200 }),
    limit("image", { captionMaxChars: 20, maxFileBytes: 1000, mimeTypes: ["image/png"] }),
    limit("audio", { mimeTypes: ["audio/*"] }),
    limit("document", {}),
  ],
};

describe("the length of a text", () => {
  test.each([
    [
      "is counted in characters, not in halves of an emoji",
      LIMITS,
      "text",
      "text",
      "🎂".repeat(50),
      "bytes",
      200,
      false,
    ],
    ["is told in characters where they end first", LIMITS, "text", "text", "a".repeat(161), "characters", 161, true],
    ["is told in bytes where they end first", LIMITS, "text", "text", "é".repeat(101), "bytes", 202, true],
    ["fits at the limit itself", LIMITS, "text", "text", "a".repeat(160), "characters", 160, false],
    ["has a limit of its own in a caption", LIMITS, "image", "caption", "🎂".repeat(21), "characters", 21, true],
    [
      "has Recado's limit where the network has none",
      LIMITS,
      "document",
      "caption",
      "a".repeat(1025),
      "characters",
      1025,
      true,
    ],
    [
      "has Recado's limit before the network is known",
      undefined,
      "text",
      "text",
      "a".repeat(4097),
      "characters",
      4097,
      true,
    ],
  ] as const)("%s", (...[, limits, type, field, text, unit, has, isOver]) => {
    expect(textUse(limits, type, field, text)).toMatchObject({ unit, has, isOver });
  });
});

describe("a file", () => {
  test.each([
    ["that fits is taken", "image/png", 1000, undefined],
    ["that is too large is told the limit", "image/png", 1001, { is: "size", most: 1000 }],
    ["of another type is told the types", "image/jpeg", 10, { is: "type", taken: ["image/png"] }],
    ["of a taken family is taken, by any name of its type", "audio/x-m4a", 10, undefined],
    ["of a message that the network does not have is refused", "video/mp4", 10, { is: "unsent" }],
    ["without a limit is taken", "application/pdf", 1e9, undefined],
  ])("%s", (_title, type, size, fault) => {
    expect(fileFault(LIMITS, messageTypeOf(type), { type, size })).toEqual(fault as never);
  });

  test("without a type is left to the server, which reads its bytes", () => {
    expect(fileFault({ contentTypes: ["text"], contentLimits: [] }, "document", { type: "", size: 1 })).toBeUndefined();
  });

  test("is taken while the network's limits are not known", () => {
    expect(fileFault(undefined, "image", { type: "image/bmp", size: 1e9 })).toBeUndefined();
  });
});
