/** Postern's storage loads the driver of your database when it is asked for, so Node has to load it, not a bundle. */
export default { serverExternalPackages: ["@postern/kysely"] };
