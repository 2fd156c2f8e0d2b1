import { DAY_MS } from "../../src/kernel/clock.ts";
import type { SendFailure } from "./fault.ts";

/** More files than the batches of one number send at a time. */
const MAX_FILES = 100;
/** The network deletes files after 30 days. Recado keeps most of its own no longer than this. */
const REMEMBERED_MS = 7 * DAY_MS;

export type Uploaded = { handle: string; filename: string | undefined };
type Result = Uploaded | SendFailure;

/** The uploads of one link, by file, so that a batch uploads its file once. */
export type Remembered = {
  /** The earlier upload of the file, which may still be under way; otherwise a new one. */
  uploadOnce(file: string, upload: () => Promise<Result>): Promise<Result>;
  /** Forgets the uploads with these handles of the network. */
  forget(handles: readonly string[]): void;
};

type Upload = { result: Promise<Result>; until: number; handle?: string };

export const rememberUploads = (clock: { now(): number }): Remembered => {
  const uploads = new Map<string, Upload>();
  const start = (file: string, upload: () => Promise<Result>): Upload => {
    const begun: Upload = { result: upload(), until: clock.now() + REMEMBERED_MS };
    const drop = () => {
      if (uploads.get(file) === begun) uploads.delete(file);
    };
    begun.result.then((result) => {
      if ("ok" in result) drop();
      else begun.handle = result.handle;
    }, drop);
    return begun;
  };
  return {
    uploadOnce(file, upload) {
      const earlier = uploads.get(file);
      const used = earlier && earlier.until > clock.now() ? earlier : start(file, upload);
      uploads.delete(file); // the file used last is the last of the map
      uploads.set(file, used);
      const [oldest] = uploads.keys();
      if (uploads.size > MAX_FILES && oldest !== undefined) uploads.delete(oldest);
      return used.result;
    },
    forget(handles) {
      for (const [file, { handle }] of uploads)
        if (handle !== undefined && handles.includes(handle)) uploads.delete(file);
    },
  };
};
