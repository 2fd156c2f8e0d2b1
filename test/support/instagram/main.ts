// The simulated Instagram as a process of its own: prints one line of JSON with its urls, and is driven over `/_sim/*`.
import { startInstagram } from "./index.ts";

const instagram = startInstagram();
console.log(JSON.stringify({ url: instagram.url, urls: instagram.urls }));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void instagram.stop().then(() => process.exit(0)));
