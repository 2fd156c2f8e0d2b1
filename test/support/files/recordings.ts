import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One second of a tone of 440 Hz, as real programs record it: ffmpeg 5.1.9, SoX 14.4.2, opus-tools 0.2, libvo-amrwbenc
 * 0.1.3 of Debian 12. `TONE` is `ffmpeg -bitexact -f lavfi -i sine=frequency=440:sample_rate=48000:duration=1
 * -map_metadata -1`, `WAV` is `TONE -ar 8000`.
 *
 * - browser.webm, stereo.webm: `TONE -c:a libopus -b:a 16k`, with `-frame_duration 60 -live 1`, with `-ac 2`
 * - browser.mp4, opus.mp4: the same with `-movflags +frag_keyframe+empty_moov+default_base_moof`, and without
 * - opusenc.opus: `opusenc --bitrate 12`; chained.opus: it, and another with `--framesize 60`, joined by `cat`
 * - a-law, mu-law, ima, ms, gsm, g726, mp3: `WAV -c:a` with pcm_alaw, pcm_mulaw, adpcm_ima_wav, adpcm_ms, libgsm_ms, g726,
 *   libmp3lame; with `-stereo`: `-ac 2`
 * - free.mp3, cbr.mp3: `lame -m m` of LAME 3.100 with `--freeformat -b 40` and `-b 64`
 * - vbr.mp3: `TONE -c:a libmp3lame -q:a 7 -metadata title=x`; mpeg-2.5.mp3: `WAV -c:a libmp3lame -b:a 16k`
 * - narrow.amr: `sox tone.wav -C 5 x.amr-nb`; wide.amr: `E_IF_encode` of mode 2 for each 20 ms; telephone.3gp:
 *   `ffmpeg -f amr -i narrow.amr -c copy`
 * - aac, alac, vorbis: `TONE -c:a` with aac, alac, libvorbis
 */
export const recording = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dir, "recordings", name)));
