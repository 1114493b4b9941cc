import type { JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import { JsonBlock } from "./blocks.tsx";

/** Renders a response of the Management API, and the command that requests it. */
export function RawView({ issuer, path, value }: RawProps): JSX.Element {
  const url = issuer + path.map(encodeURIComponent).join("/");
  return (
    <div class="stack">
      <JsonBlock id="raw" title={consoleTexts.raw} about={consoleTexts.rawAbout} value={value} />
      <JsonBlock id="curl" title="curl" value={`curl '${url}' \\\n  -H "authorization: Bearer $TOKEN"`} />
    </div>
  );
}

interface RawProps {
  readonly issuer: string;
  readonly path: readonly string[];
  readonly value: unknown;
}
