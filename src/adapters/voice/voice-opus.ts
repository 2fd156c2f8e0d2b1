import wasmPath from "@evan/opus/wasm/opus.wasm" with { type: "file" };
import { readAsset } from "../../kernel/assets.ts";

/** libopus, compiled to WASM, in 16 kHz mono: the package's own loader cannot be part of one binary. */
export const OPUS_RATE = 16_000;
/** 20 ms. */
export const FRAME_SAMPLES = 320;
/** The samples that the encoder adds before the first one, at 16 kHz: 2.5 ms and 4 ms. */
export const LOOKAHEAD_SAMPLES = 104;
/** The maximum of one packet: 120 ms. */
const MAX_PACKET_SAMPLES = 1920;
const MAX_PACKET_BYTES = 8192;
const MAX_FRAME_BYTES = 1276;

/** Numbers of libopus: https://opus-codec.org/docs/opus_api-1.5/group__opus__ctlvalues.html */
const VOIP = 2048;
const SETTINGS: readonly (readonly [request: number, value: number])[] = [
  [4002, 24_000], // bits per second
  [4008, 1103], // wideband
  [4024, 3001], // voice
  [11_002, 1000], // SILK alone, which is config 9 in this band
];

type Exports = {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  opus_encoder_get_size(channels: number): number;
  opus_encoder_init(encoder: number, rate: number, channels: number, application: number): number;
  opus_encoder_ctl_set(encoder: number, request: number, value: number): number;
  opus_encode(encoder: number, pcm: number, samples: number, packet: number, maxBytes: number): number;
  opus_decoder_get_size(channels: number): number;
  opus_decoder_init(decoder: number, rate: number, channels: number): number;
  opus_decode(decoder: number, packet: number, bytes: number, pcm: number, maxSamples: number, fec: number): number;
};

export type Opus = {
  /** The packet of exactly one frame of 20 ms. */
  encode(frame: Int16Array): Uint8Array;
  /** The samples of a packet of any rate and number of channels, mixed to 16 kHz mono; undefined if it is broken. */
  decode(packet: Uint8Array): Int16Array | undefined;
};

const valid = (code: number): number => {
  if (code < 0) throw new Error(`libopus answered with ${code}`);
  return code;
};

let compiled: Promise<WebAssembly.Module> | undefined;

/** A codec with an encoder and a decoder of its own. */
export const openOpus = async (): Promise<Opus> => {
  compiled ??= readAsset(wasmPath).then((bytes) => WebAssembly.compile(bytes));
  const nothing = () => 0;
  const instance = await WebAssembly.instantiate(await compiled, {
    wasi_snapshot_preview1: { fd_seek: nothing, fd_write: nothing, fd_close: nothing, proc_exit: nothing },
    env: { emscripten_notify_memory_growth: nothing },
  });
  const opus = instance.exports as unknown as Exports; // as the package declares them
  const encoder = opus.malloc(opus.opus_encoder_get_size(1));
  const decoder = opus.malloc(opus.opus_decoder_get_size(1));
  const packetAt = opus.malloc(MAX_PACKET_BYTES);
  const pcmAt = opus.malloc(MAX_PACKET_SAMPLES * 2);
  valid(opus.opus_encoder_init(encoder, OPUS_RATE, 1, VOIP));
  for (const [request, value] of SETTINGS) valid(opus.opus_encoder_ctl_set(encoder, request, value));
  valid(opus.opus_decoder_init(decoder, OPUS_RATE, 1));
  // made for each call, because the memory may have grown
  const pcm = (samples: number) => new Int16Array(opus.memory.buffer, pcmAt, samples);
  const packet = (size: number) => new Uint8Array(opus.memory.buffer, packetAt, size);
  return {
    encode(frame) {
      pcm(FRAME_SAMPLES).set(frame);
      const size = valid(opus.opus_encode(encoder, pcmAt, FRAME_SAMPLES, packetAt, MAX_FRAME_BYTES));
      return packet(size).slice();
    },
    decode(data) {
      if (data.length > MAX_PACKET_BYTES) return undefined;
      packet(data.length).set(data);
      const samples = opus.opus_decode(decoder, packetAt, data.length, pcmAt, MAX_PACKET_SAMPLES, 0);
      return samples < 0 ? undefined : pcm(samples).slice();
    },
  };
};
