/** Calls `run` once after `milliseconds`, unless the returned function cancels it first. */
export type SetTimer = (milliseconds: number, run: () => void) => () => void;

/** Sets timers with the runtime's `setTimeout`. */
export const systemTimer: SetTimer = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
