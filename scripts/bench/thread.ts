/** Starts to count the processor time of this thread, in ms. */
export const threadMs = (): (() => number) => {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
};

/** The lowest of so many tries, because the machine may have been busy. */
export const bestOf = async (tries: number, work: () => Promise<number>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n++) best = Math.min(best, await work());
  return best;
};

/** The processor time in ms that a bare server in this thread needs to take a body and read each byte once. */
export const bareServerMs = async (tries: number, body: string): Promise<number> => {
  const count = async (request: Request): Promise<Response> => {
    const bytes = await request.bytes();
    let blanks = 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x20) blanks += 1;
    return new Response(String(blanks));
  };
  using bare = Bun.serve({ port: 0, fetch: count });
  return await bestOf(tries, async () => {
    const usedMs = threadMs();
    await fetch(bare.url, { method: "POST", body }).then((answer) => answer.text());
    return usedMs();
  });
};

/** The longest turn of the event loop of this thread while some work is done, in ms. */
export const longestTurnMs = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let isOver = false;
  let lastAt = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - lastAt);
    lastAt = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
};
