// The simulated Graph API as a process of its own: prints one line of JSON with its url, and is driven over `/_sim/*`.
import { startGraph } from "./index.ts";

const graph = startGraph();
console.log(JSON.stringify({ url: graph.url }));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void graph.stop().then(() => process.exit(0)));
