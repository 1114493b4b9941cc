/** The name of the password connection that every tenant begins with. */
export const defaultPasswordConnection = "Username-Password-Authentication";
