import type { JSX } from "preact";

/** The number of one day. */
export interface DayBar {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly count: number;
}

/** The height and the width of a bar with its gap, in units of the drawing. */
const height = 60;
const step = 10;
const gap = 3;

/**
 * Renders the numbers of days as bars. The drawing is an image with a text that sums it up; a table next to it has the
 * numbers. Sizes are attributes, because the Content-Security-Policy allows no inline style.
 */
export function DayChart({ title, value, level, bars }: DayChartProps): JSX.Element {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const [first, last] = [bars[0]?.date ?? "", bars.at(-1)?.date ?? ""];
  return (
    <figure class={`chart ${level}`}>
      <figcaption>
        <span>{title}</span>
        <strong>{value}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${bars.length * step} ${height + 1}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${value}`}>
        {bars.map(({ date, count }, index) => {
          // A day with few events still has a visible bar.
          const size = count === 0 ? 1 : Math.max(3, Math.round((count / highest) * height));
          return (
            <rect
              key={date}
              class={count === 0 ? "zero" : undefined}
              x={index * step}
              y={height + 1 - size}
              width={step - gap}
              height={size}
              rx="1"
            >
              <title>{`${date}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="ends">
        <time dateTime={first}>{first}</time>
        <time dateTime={last}>{last}</time>
      </p>
    </figure>
  );
}

interface DayChartProps {
  readonly title: string;
  /** The number that sums up the days. */
  readonly value: number;
  readonly level: "good" | "bad" | "plain";
  /** The oldest day first. */
  readonly bars: readonly DayBar[];
}
