import { app } from "./app.ts";

const { PORT = "3000" } = process.env;

/** Accepts connections only from this machine, for example from a TLS proxy. */
export const server = app.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://localhost:${PORT}/auth/.well-known/openid-configuration`);
});
