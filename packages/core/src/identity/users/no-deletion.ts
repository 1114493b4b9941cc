/** The columns of an account whose user has not asked to delete it. */
export const noDeletion = { deletes_at: null, deletion_step_at: null } as const;
