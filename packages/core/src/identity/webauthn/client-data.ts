import { base64url } from "jose";
import * as z from "zod";

const clientDataSchema = z.object({
  challenge: z.string(),
  crossOrigin: z.boolean().nullish(),
  topOrigin: z.string().nullish(),
});

/** The members of the client data (WebAuthn section 5.8.1) that the WebAuthn library does not check. */
interface ReadClientData {
  readonly challenge: string;
  /** Whether the page was in a frame of another origin. */
  readonly isFramed: boolean;
}

/** Reads `clientDataJSON`. @returns undefined if it is not a JSON object with these members. */
export function readClientData(clientDataJson: string): ReadClientData | undefined {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(base64url.decode(clientDataJson)));
  } catch {
    return undefined;
  }
  const { success, data } = clientDataSchema.safeParse(json);
  if (!success) return undefined;
  const { challenge, crossOrigin, topOrigin } = data;
  return { challenge, isFramed: crossOrigin === true || typeof topOrigin === "string" };
}
