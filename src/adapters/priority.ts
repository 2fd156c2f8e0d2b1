import { constants, setPriority } from "node:os";

/**
 * Lets whoever is answered at this moment go first. Where the system forbids it, as the service's filter of system
 * calls does, the work is done at the priority there is.
 */
export const giveWay = (set: (priority: number) => void = setPriority): void => {
  try {
    set(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.message.includes("EPERM"))) throw thrown;
  }
};
