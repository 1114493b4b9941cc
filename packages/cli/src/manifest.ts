import { readFileSync } from "node:fs";
import * as z from "zod";

/** The members of `package.json` that the commands use. */
const manifestSchema = z.object({
  version: z.string().optional(),
  type: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Reads a `package.json`. */
export function readManifest(file: string): z.output<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
}
