import sharp from "sharp";
import { fileServer } from "./file-server.ts";
import type { Gateway } from "./gateway-process.ts";

/**
 * Pairs a session, sends a picture through it, and gives the format of the preview that arrives with it. Throws if no
 * readable preview arrives.
 */
export const previewFormat = async (gateway: Gateway): Promise<string | undefined> => {
  const customer = await gateway.customer("5511900000031");
  const ana = gateway.net.contact({ pn: "5511911110031", name: "Ana" });
  await customer.pair();
  const picture = await sharp({ create: { width: 640, height: 320, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  await using files = fileServer(
    () => new Response(new Uint8Array(picture), { headers: { "content-type": "image/png" } }),
  );
  await customer.send(`${ana.pn}`, "image", { mediaUrl: `${files.url}/a.png` });
  const { message } = await ana.until(({ message: { imageMessage } }) => imageMessage !== undefined);
  return (await sharp(message.imageMessage?.jpegThumbnail ?? new Uint8Array()).metadata()).format;
};
