import * as z from "zod";
import { webUrlOrEmptySchema } from "../../clients/registered-urls.ts";
import { metadataSchema } from "../../fields.ts";
import { flagKind } from "./kinds.ts";
import { storedOnly } from "../../settings.ts";
import type { StoredOnlyStrategy } from "./strategy.ts";
import { upstream, upstreamBody, upstreamInheritance } from "./upstream.ts";

const options = {
  ...upstream,
  cert: z.string().max(10_240),
  signingCert: z.string().max(10_240),
  decryptionKey: z.union([
    z.string().max(10_240),
    z.looseObject({ cert: z.string().max(10_240), key: z.string().max(10_240) }).exactPartial(),
  ]),
  signing_key: z.looseObject({ cert: z.string().max(10_240), key: z.string().max(10_240) }).exactPartial(),
  digestAlgorithm: z.enum(["sha1", "sha256"]),
  signatureAlgorithm: z.enum(["rsa-sha1", "rsa-sha256"]),
  entityId: z.string().max(128),
  idpinitiated: metadataSchema,
  protocolBinding: z.enum(["urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"]),
  signInEndpoint: webUrlOrEmptySchema,
  signOutEndpoint: webUrlOrEmptySchema,
  destinationUrl: webUrlOrEmptySchema,
  recipientUrl: webUrlOrEmptySchema,
  metadataUrl: webUrlOrEmptySchema,
  metadataXml: z.string().max(102_400),
  requestTemplate: z.string().max(10_240),
  signSAMLRequest: flagKind,
  debug: flagKind,
  deflate: flagKind,
  disableSignout: flagKind,
  fieldsMap: z.record(z.string(), z.union([z.string().max(2048), z.array(z.string().max(2048)).max(4)])),
  thumbprints: z.array(z.string().regex(/^[0-9a-fA-F]{40}$/, "must be 40 hexadecimal digits")).max(1),
  user_id_attribute: z.string().max(2396),
};

/** Any SAML 2.0 provider. */
export const samlp: StoredOnlyStrategy = {
  kind: "stored-only",
  title: "a SAML provider",
  options: storedOnly(upstreamBody(options)),
  inheritance: { ...upstreamInheritance, preferences: [...upstreamInheritance.preferences, "fieldsMap", "user_id_attribute"] },
};
