import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { ForwardPorts } from "./forwarded.ts";
import type { MediaHosts } from "./media-hosts.ts";
import type { PreviewPorts } from "./previews.ts";
import type { UploadPorts } from "./upload.ts";

/** What the making of a message with a file uses of the process. */
export const filePortsOf = (
  host: ChannelHost,
  { permitOf, stream, fetchFrom }: MediaHosts,
): UploadPorts & PreviewPorts & ForwardPorts => ({
  http: host.http,
  log: host.log,
  clock: host.clock,
  vault: host.vault,
  permitOf,
  stream,
  fetchFrom,
  ...(host.openFile ? { openFile: host.openFile } : {}),
  ...(host.makeVoice ? { makeVoice: host.makeVoice } : {}),
  ...(host.makeSticker ? { makeSticker: host.makeSticker } : {}),
  ...(host.makeThumbnail ? { makeThumbnail: host.makeThumbnail } : {}),
  ...(host.makeStandard ? { makeStandard: host.makeStandard } : {}),
});
