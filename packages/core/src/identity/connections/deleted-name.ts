/**
 * The name of a connection or organization whose deletion continues after the response. It frees the original name for
 * a new one. API requests cannot set such a name.
 */
export function deletedName(id: string): string {
  return `deleted:${id}`;
}
