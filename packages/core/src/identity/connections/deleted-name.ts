/** The name of a record whose deletion goes on after the reply. Its own name is free for a new record. Callers cannot give such a name to a connection or an organization. */
export function deletedName(id: string): string {
  return `deleted:${id}`;
}
