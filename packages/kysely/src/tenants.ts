export { migrateTenants, type MigrateTenantsOptions, type TenantProgress, type MigrateTenantsResult } from "./tenants/migrate-tenants.ts";
export { createPGliteSchemas, createPostgresSchemas, type PGliteSchemasOptions, type PostgresSchemasOptions } from "./tenants/schemas.ts";
export { createSqliteFiles, type SqliteFilesOptions } from "./tenants/sqlite-files.ts";
export type { TenantDatabases } from "./tenants/tenant-database.ts";
