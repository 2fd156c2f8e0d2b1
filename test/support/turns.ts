/** The most processor time, in milliseconds, that one turn of the event loop took while something was done. */
export const busiestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let isDone = false;
  let most = 0;
  let before = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    most = Math.max(most, (user + system) / 1000);
    before = process.cpuUsage();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  await new Promise((resolve) => setImmediate(resolve));
  return most;
};
