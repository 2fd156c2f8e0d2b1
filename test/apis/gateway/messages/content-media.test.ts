import { beforeAll, describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { contentGateway, type Refused, type Taken, x } from "../../../support/customers/content-gateway.ts";

const gateway = contentGateway();

const FILE_URL = SAMPLES.image.mediaUrl;
const DOCUMENT = "2754859441498123";

/** A file of each type that the network holds, and the rule that says where such a file comes from. */
const FILES = [
  { type: "image", rule: "G-311", mimeType: "image/jpeg", handle: "2754859441498121" },
  { type: "video", rule: "G-311", mimeType: "video/mp4", handle: "2754859441498122" },
  { type: "document", rule: "G-311", mimeType: "application/pdf", handle: DOCUMENT },
  { type: "audio", rule: "G-317", mimeType: "audio/ogg", handle: "2754859441498124" },
  { type: "sticker", rule: "G-321", mimeType: "image/webp", handle: "2754859441498125" },
];
beforeAll(() => {
  const { phoneNumberId } = gateway.customer().phone;
  for (const { handle: id, mimeType } of FILES)
    gateway.world().graph.addMedia({ id, mimeType, phoneNumberId, bytes: new Uint8Array(8) });
});
/** The first is on the operator's list of what Recado may reach. */
const PRIVATE = [
  "http://127.0.0.1:9/a",
  "https://127.0.0.1/a",
  "https://10.0.0.1/a",
  "https://[::1]/a",
  "https://[::ffff:10.0.0.1]/a",
  "https://169.254.169.254/a",
  "https://intranet/a",
  "https://files.internal/a",
  "https://printer.local./a",
];
const CAPTIONED = ["image", "video", "document"];

describe("files are taken, to the last character", () => {
  const TAKEN: Taken[] = [
    ...FILES.flatMap(({ type, rule, handle }): Taken[] => [
      [`${rule} ${type} from a URL`, type, { mediaUrl: FILE_URL }],
      [`${rule} ${type} from a handle`, type, { mediaHandle: handle }],
    ]),
    ...CAPTIONED.map(
      (type): Taken => [
        `G-313 the caption of ${type}, of 1024 characters`,
        type,
        { mediaUrl: FILE_URL, caption: x(1024) },
      ],
    ),
    ...CAPTIONED.map(
      (type): Taken => [
        `G-315 the mimeType of ${type}, of 120 characters`,
        type,
        { mediaUrl: FILE_URL, mimeType: x(120) },
      ],
    ),
    ["G-314 a filename of 255 characters", "document", { mediaUrl: FILE_URL, filename: x(255) }],
    ["G-318 audio that is a file", "audio", { mediaUrl: FILE_URL, ptt: false }],
    ["G-319 audio with a mimeType", "audio", { mediaUrl: FILE_URL, mimeType: "audio/mpeg" }],
    ["G-322 a sticker that is said to be WebP", "sticker", { mediaUrl: FILE_URL, mimeType: "image/webp" }],
  ];
  gateway.takes(TAKEN);
});

describe("files are refused, and nothing happens", () => {
  const REFUSED: Refused[] = [
    ...FILES.flatMap(({ type, rule, handle }): Refused[] => [
      [`${rule} ${type} from neither URL nor handle`, type, {}, "mediaUrl"],
      [`${rule} ${type} from both`, type, { mediaUrl: FILE_URL, mediaHandle: handle }, "mediaUrl"],
      [`G-312 GAP-C09 ${type} from a plain http URL`, type, { mediaUrl: "http://files.example.com/a" }, "mediaUrl"],
      [
        `G-653 ${type} by the removed field mediaId beside a URL`,
        type,
        { mediaUrl: FILE_URL, mediaId: "1" },
        "mediaId",
      ],
    ]),
    ["G-312 what is no URL", "image", { mediaUrl: "files" }, "mediaUrl"],
    ["G-312 an empty URL", "video", { mediaUrl: "" }, "mediaUrl"],
    ["G-312 a URL of another scheme", "document", { mediaUrl: "file:///etc/passwd" }, "mediaUrl"],
    ["G-312 a URL with a password", "sticker", { mediaUrl: "https://a:b@files.example.com/a.webp" }, "mediaUrl"],
    ...PRIVATE.map(
      (url): Refused => [
        `G-312 a private address, allow-listed or not: ${url}`,
        "image",
        { mediaUrl: url },
        "mediaUrl",
      ],
    ),
    [
      "G-312 the private address of a template's header",
      "template",
      { name: "hello", headerMedia: { type: "image", url: "https://10.0.0.1/a" } },
      "headerMedia.url",
    ],
    [
      "G-312 the private address of a button's header",
      "cta_url",
      { ...SAMPLES.cta_url, header: { type: "image", mediaUrl: "https://intranet/a" } },
      "header.mediaUrl",
    ],
    ...CAPTIONED.map(
      (type): Refused => [
        `G-313 the caption of ${type}, of 1025 characters`,
        type,
        { mediaUrl: FILE_URL, caption: x(1025) },
        "caption",
      ],
    ),
    ...CAPTIONED.map(
      (type): Refused => [
        `G-315 the mimeType of ${type}, of 121 characters`,
        type,
        { mediaUrl: FILE_URL, mimeType: x(121) },
        "mimeType",
      ],
    ),
    ["G-314 a filename of 256 characters", "document", { mediaUrl: FILE_URL, filename: x(256) }, "filename"],
    ["G-318 a ptt that is text", "audio", { mediaUrl: FILE_URL, ptt: "yes" }, "ptt"],
    ["G-322 a sticker that is said to be PNG", "sticker", { mediaUrl: FILE_URL, mimeType: "image/png" }, "mimeType"],
  ];
  gateway.refuses(REFUSED);

  test("G-312 the refusal of a private address names the upload endpoint", async () => {
    const { body } = await gateway.customer().send({ type: "image", content: { mediaUrl: "http://127.0.0.1:9/a" } });
    expect(body.error.details.fieldErrors.content).toEqual([
      "mediaUrl is a private address, which the network that fetches the file cannot reach; upload the file with POST /v1/media/upload of the gateway API, and send its mediaHandle",
    ]);
  });

  test("G-653 the removed field mediaId alone is named, and so is what is missing", async () => {
    const refused = await gateway.customer().send({ type: "image", content: { mediaId: "1" } });
    expect(refused.body.error.details.fieldErrors).toEqual({
      content: [expect.stringMatching(/^mediaId /), expect.stringMatching(/^mediaUrl /)],
    });
  });
});

describe("what the network gets", () => {
  test("G-311 a file by link or by id, with caption and filename", async () => {
    expect((await gateway.upstreamBody("image", { mediaUrl: FILE_URL, caption: "a frente" })).image).toEqual({
      link: FILE_URL,
      caption: "a frente",
    });
    expect((await gateway.upstreamBody("document", { mediaHandle: DOCUMENT, filename: "nota.pdf" })).document).toEqual({
      id: DOCUMENT,
      filename: "nota.pdf",
    });
  });

  test("G-318 the voice flag of a voice note alone", async () => {
    expect((await gateway.upstreamBody("audio", { mediaUrl: FILE_URL, ptt: true })).audio).toEqual({
      link: FILE_URL,
      voice: true,
    });
    expect((await gateway.upstreamBody("audio", { mediaUrl: FILE_URL, ptt: false })).audio).toEqual({ link: FILE_URL });
  });
});

describe("what the network alone can see of a file", () => {
  /** A message whose file the network refuses after it has taken the message. */
  const refusedAfterwards = async (type: string, code: number, details: string) => {
    const [w, c] = [gateway.world(), gateway.customer()];
    w.graph.failNext(1, { kind: "failed-status", code, details }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent({ type, content: { mediaUrl: FILE_URL } });
    await w.graph.webhooks.settled();
    await w.settle();
    return c.message(id);
  };

  test.each(CAPTIONED)("G-316 GAP-G34 that %s is too large: FAILED, as the network says it", async (type) => {
    const message = await refusedAfterwards(type, 131052, "Media file size too big. Max file size: 5MB");
    expect(message).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#131052\) .*too big/),
    });
  });

  test("G-322 that a sticker is no WebP: FAILED, as the network says it", async () => {
    const message = await refusedAfterwards(
      "sticker",
      131053,
      "Unsupported Sticker mime type image/png. Please use one of image/webp.",
    );
    expect(message).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#131053\) .*image\/webp/),
    });
  });
});
