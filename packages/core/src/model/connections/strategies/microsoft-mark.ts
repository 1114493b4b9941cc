import type { SvgMark } from "./strategy.ts";

/** The logo of both kinds of Microsoft accounts. */
export const microsoftMark: SvgMark = {
  box: 23,
  paths: [
    ["#F25022", "M1 1h10v10H1z"],
    ["#7FBA00", "M12 1h10v10H12z"],
    ["#00A4EF", "M1 12h10v10H1z"],
    ["#FFB900", "M12 12h10v10H12z"],
  ],
};
