// How the service says that it has disabled a hook.

export interface DisabledHook {
  hook: number
  /** ISO 8601; null: until a test of the hook succeeds. */
  until: string | null
}

/** Bellhop's hook in a project where the service has disabled it, in one call; else undefined. Throws ServiceError. */
export type ReadDisabledHook = (project: number) => Promise<DisabledHook | undefined>
