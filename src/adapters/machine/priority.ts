import { constants, setPriority } from "node:os";

/**
 * Lowers the priority of this process, so that requests are answered first. If the system forbids that, as the filter
 * of system calls in the systemd unit does, the priority stays.
 */
export const lowerPriority = (set: (priority: number) => void = setPriority): void => {
  try {
    set(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.message.includes("EPERM"))) throw thrown;
  }
};
