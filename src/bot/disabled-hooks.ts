// Whether the service still sends a project's deliveries: sweeps look at its hook now and then, and people are told of one that is disabled (hosting-service.md §1.5).
import type { Logger } from 'pino'
import { ServiceError } from '../client/errors.ts'
import type { Journal } from '../journal/types.ts'
import type { Budget } from './budget.ts'
import { isAbsentForGood } from './outcome.ts'
import type { Telling } from './telling.ts'

export interface DisabledHook {
  hook: number
  /** ISO 8601; null: until a test of the hook succeeds. */
  until: string | null
}

/** Bellhop's hook in a project where the service has disabled it, in one call; undefined: it has not, or there is none. Throws ServiceError. */
export type ReadDisabledHook = (project: number) => Promise<DisabledHook | undefined>

export interface DisabledHooksOptions {
  service: string
  journal: Pick<Journal, 'projectMark' | 'markProject'>
  read: ReadDisabledHook
  tell: Telling['tell']
  now: () => number
  log: Logger
}

/** Looks at a project's hook when that is due and the budget allows it. Throws JournalUnavailable; what the service refuses is logged. */
export type LookAtHook = (project: { project: number; path?: string }, budget: Budget) => Promise<void>

interface Mark {
  /** When it was looked at, in milliseconds. */
  at: number
  disabled?: DisabledHook
}

const markName = 'hook'
const lookEveryMs = 60 * 60_000

/** Each disabling is told of once, that it is for good now once more, and again what is disabled anew after a look found it healed. */
export function createLookAtHook({ service, journal, read, tell, now, log }: DisabledHooksOptions): LookAtHook {
  return async ({ project, path: projectPath = '' }, budget) => {
    const text = await journal.projectMark(service, project, markName)
    const before = text === undefined ? undefined : (JSON.parse(text) as Mark)
    const at = now()
    if (before !== undefined && at - before.at < lookEveryMs) return
    if (!budget.take('call')) return
    const save = (mark: Mark) => journal.markProject(service, project, markName, JSON.stringify(mark))
    let disabled: DisabledHook | undefined
    try {
      disabled = await read(project)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const cannotKnow = isAbsentForGood(error)
      log[cannotKnow ? 'debug' : 'warn']({ event: 'hook not seen', project, err: error }, 'the service does not say how a hook is')
      return cannotKnow ? save({ ...before, at }) : undefined
    }
    if (disabled !== undefined && !isKnown(disabled, before?.disabled)) {
      log.warn({ event: 'hook disabled', project, ...disabled }, 'the service has disabled a hook')
      // Named by the look before it: after a crash in between it is found once more, and is the same.
      await tell(
        { kind: 'hook_disabled', about: { project, projectPath, ...disabled } },
        JSON.stringify([disabled.hook, before?.at ?? null]),
      )
    }
    await save({ at, ...(disabled === undefined ? {} : { disabled }) })
  }
}

/** Each further failure moves the end of a disabling, until it is for good. */
function isKnown({ hook, until }: DisabledHook, before: DisabledHook | undefined): boolean {
  return before?.hook === hook && (before.until === null) === (until === null)
}
