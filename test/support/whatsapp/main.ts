// The simulated WhatsApp Web as a process of its own: prints one line of JSON with its urls, and is driven over
// `/_sim/*` of the control url.
import { serveSimulator } from "../graph/serve.ts";
import { controlOf } from "./control.ts";
import { startWhatsApp } from "./index.ts";

const net = await startWhatsApp();
const control = serveSimulator(controlOf(net), () => Promise.resolve(new Response(null, { status: 404 })));
console.log(
  JSON.stringify({
    url: net.url,
    root: net.root,
    mediaHost: net.mediaHost,
    mediaCa: net.mediaCa,
    control: control.url.origin,
  }),
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void Promise.all([net.stop(), control.stop(true)]).then(() => process.exit(0)));
