/** Calls `run` once after `milliseconds`, unless the returned function cancels it first. */
export type SetTimer = (milliseconds: number, run: () => void) => () => void;

/** Sets timers of the runtime. */
export const systemTimer: SetTimer = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
