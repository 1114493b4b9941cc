import type { JSX } from "preact";

/** The icons on the pages. All icons are decorative: a text next to each icon has the same meaning. */
const paths = {
  alert: "M12 8v5m0 3.2v.1M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z",
  barred: "M5.7 5.7 18.3 18.3M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevron: "m9 5 7 7-7 7",
  clock: "M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  cross: "M7 7l10 10M17 7 7 17",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm12.5 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  "eye-off":
    "M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6M6.4 7.4A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9.3 9.3 0 0 0 4.3-1M9.9 9.9a3 3 0 0 0 4.2 4.2",
  key: "M12.5 8a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Zm-1.3 3.2L20 20m-4-4 2.5-2.5m0 5L21 16",
  leave: "M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M9 8l-4 4 4 4m-4-4h10",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5a7.5 7.5 0 0 1 15 0",
  plus: "M12 5v14M5 12h14",
  ring: "M19 12a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** Renders an icon in the color of the surrounding text. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="24" height="24" fill="none" aria-hidden="true" focusable="false">
      <path d={paths[name]} pathLength={1} stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
