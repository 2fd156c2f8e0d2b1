/** A frame of a stream of server-sent events. `id` alone moves the place from which the stream goes on. */
export type Frame = { id?: string; event?: string; data?: string };

/** More text than this without the end of a frame is no stream of Recado's. */
const MAX_FRAME_CHARACTERS = 16 * 1024 * 1024;

const frameOf = (block: string): Frame => {
  const frame: Frame = {};
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === "id" || name === "event") frame[name] = value;
    if (name === "data") frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
  }
  return frame;
};

/**
 * The frames of a stream, comments included as frames without fields. `onBytes` is called whenever something arrived.
 * @throws RangeError when a frame has no end. See https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export async function* framesOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      onBytes();
      // a line may end in CR LF, and a part may end between the two
      text = `${text}${decoder.decode(part.value, { stream: true })}`.replaceAll("\r\n", "\n");
      if (text.length > MAX_FRAME_CHARACTERS) throw new RangeError("A frame of the stream has no end.");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield frameOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {}); // a stream that has failed cannot be cancelled, and need not be
  }
}
