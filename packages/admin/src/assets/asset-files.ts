import { base64url } from "jose";
import { consoleScript } from "./console-script.ts";
import { consoleStyle } from "./console-style.ts";

/** The style sheet and the script of the console. */
export interface AssetFiles {
  /** The names of the files, which contain a hash of the content. */
  readonly names: { readonly style: string; readonly script: string };
  /** Returns the response for a file, or undefined for every other name. */
  respond(name: string): Response | undefined;
}

/** Creates the {@link AssetFiles}. */
export async function createAssetFiles(): Promise<AssetFiles> {
  const [style, script] = await Promise.all([nameOf("console", "css", consoleStyle), nameOf("console", "js", consoleScript)]);
  const files = new Map([
    [style, { content: consoleStyle, type: "text/css; charset=utf-8" }],
    [script, { content: consoleScript, type: "text/javascript; charset=utf-8" }],
  ]);
  return {
    names: { style, script },
    respond(name) {
      const file = files.get(name);
      if (file === undefined) return undefined;
      const headers = {
        "content-type": file.type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      };
      return new Response(file.content, { headers });
    },
  };
}

async function nameOf(name: string, extension: string, content: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content)));
  return `${name}-${base64url
    .encode(hash)
    .replaceAll(/[^a-zA-Z0-9]/g, "")
    .slice(0, 12)}.${extension}`;
}
