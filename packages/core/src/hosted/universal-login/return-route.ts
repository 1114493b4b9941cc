/** The shared options of the routes that continue a login after a redirect to another site. */
export const returnRoute = {
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["state"],
  responses: {
    303: { error: "redirects to the next step of the login, or to the client" },
    400: { error: "a page: the login is finished, or began in another browser" },
  },
} as const;
