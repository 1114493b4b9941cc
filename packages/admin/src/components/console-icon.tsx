import type { JSX } from "preact";

/** The icons of the console. All are decorative: a text next to each icon has the same meaning. */
const paths = {
  home: "M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1Z",
  users: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6.5 9a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18.5 14.4a6.5 6.5 0 0 1 3 5.6",
  organizations: "M4 20V5h9v15M13 10h7v10M2.5 20h19M7 9h3M7 13h3M16 14h1.5M7 17h3M16 17h1.5",
  roles: "M12 3.5 5 6v5.5c0 4.2 2.9 7.4 7 9 4.1-1.6 7-4.8 7-9V6ZM9 12l2.2 2.2L15.5 10",
  connections: "M14 4h5a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-5M3 12h11m0 0-4-4m4 4-4 4",
  apis: "m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
  apps: "M5 4h5v6H5ZM14 4h5v6h-5ZM5 14h5v6H5ZM14 14h5v6h-5Z",
  logs: "M5 6h14M5 12h14M5 18h9",
  settings:
    "M4 7h9m4 0h3M4 12h3m4 0h9M4 17h9m4 0h3M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM15 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4.5 4.5",
  copy: "M9 9h10v11H9ZM15 9V4H5v11h4",
  check: "m5 12.5 4.5 4.5L19 7.5",
  alert: "M12 8v5m0 3.2v.1M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z",
  plus: "M12 5v14M5 12h14",
  swap: "M8 7h11l-3-3M16 17H5l3 3",
  download: "M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 20h14",
  live: "M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM8 16a5.7 5.7 0 0 1 0-8m8 0a5.7 5.7 0 0 1 0 8M5 19a9.9 9.9 0 0 1 0-14m14 0a9.9 9.9 0 0 1 0 14",
  leave: "M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M9 8l-4 4 4 4m-4-4h10",
} as const;

/** The name of a {@link ConsoleIcon}. */
export type ConsoleIconName = keyof typeof paths;

/** Renders an icon in the color of the surrounding text. */
export function ConsoleIcon({ name }: { readonly name: ConsoleIconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <path d={paths[name]} stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** Renders the mark of the product: a small door in an arch. */
export function ProductMark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M10 25V14a6 6 0 0 1 12 0v11M7.5 25h17M18.5 18v1.5"
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="2.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
