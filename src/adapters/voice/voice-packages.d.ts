declare module "@evan/opus/wasm/opus.wasm" {
  /** The path of the file, in node_modules or inside the binary. */
  const path: string;
  export default path;
}
declare module "*/mpg123-decoder/src/MPEGDecoder.js" {
  export default class MpegDecoder {
    readonly ready: Promise<void>;
    decode(data: Uint8Array): { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number };
    free(): void;
  }
}
