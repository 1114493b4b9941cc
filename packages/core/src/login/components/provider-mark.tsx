import type { JSX } from "preact";
import { upstreamStrategy } from "../../model/connections/upstream.ts";
import { Tile } from "./marks.tsx";

/** Renders the logo of an identity provider, or the first letter of its name. The name is next to it as text. */
export function ProviderMark({ strategy, label }: { readonly strategy: string; readonly label: string }): JSX.Element {
  const mark = upstreamStrategy({ strategy })?.mark;
  if (mark === undefined) return <Tile name={label} />;
  return (
    <svg class="provider-mark" viewBox={`0 0 ${mark.box} ${mark.box}`} width="20" height="20" aria-hidden="true" focusable="false">
      {mark.paths.map(([color, path]) => (
        <path key={path} d={path} fill={color} />
      ))}
    </svg>
  );
}
