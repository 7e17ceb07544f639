// Notifies when the service has disabled a project's hook; the sweep checks hourly.
import type { Logger } from 'pino'
import { ServiceError } from '../../client/errors.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import type { CallBudget } from '../service/call-budget.ts'
import { jsonMark, type MarkJournal } from '../service/json-mark.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import type { Notifier } from './notify.ts'

export interface DisabledHook {
  hook: number
  /** ISO 8601; null: until a test of the hook succeeds. */
  until: string | null
}

/** Bellhop's hook in a project where the service has disabled it, in one call; else undefined. Throws ServiceError. */
export type ReadDisabledHook = (project: number) => Promise<DisabledHook | undefined>

export interface DisabledHooksOptions {
  journal: MarkJournal
  read: ReadDisabledHook
  notify: Notifier['notify']
  now: () => number
  log: Logger
}

/**
 * Checks a project's hook when due and within budget. Throws JournalUnavailable; what the service refuses is logged.
 */
export type CheckHook = (project: { project: number; path?: string | undefined }, budget: CallBudget) => Promise<void>

interface Mark {
  /** In milliseconds since 1970. */
  at: number
  disabled?: DisabledHook | undefined
}

const checkEveryMs = 60 * 60_000

/** Notifies once when a hook is disabled, once when that becomes permanent, and again after it worked in between. */
export function createHookCheck({ journal, read, notify, now, log }: DisabledHooksOptions): CheckHook {
  const mark = jsonMark<Mark>(journal, 'hook')
  return async ({ project, path }, budget) => {
    const name = refName({ project, path })
    const before = await mark.read(project)
    const at = now()
    if (before !== undefined && at - before.at < checkEveryMs) return
    if (!budget.take('call')) return
    const save = (next: Mark) => mark.change(project, () => next)
    let disabled: DisabledHook | undefined
    try {
      disabled = await read(project)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const cannotKnow = isPermanentRefusal(error)
      log[cannotKnow ? 'debug' : 'warn'](
        { event: 'hook_status_unknown', project: name, err: error },
        'the service does not say how a hook is',
      )
      return cannotKnow ? save({ ...before, at }) : undefined
    }
    if (disabled !== undefined && !isKnown(disabled, before?.disabled)) {
      log.warn({ event: 'hook_disabled', project: name, ...disabled }, 'the service has disabled a hook')
      // The id names the check before: after a crash in between it is the same notification.
      await notify(
        { kind: 'hook_disabled', about: { project, projectPath: path ?? '', ...disabled } },
        JSON.stringify([disabled.hook, before?.at ?? null]),
      )
    }
    await save({ at, disabled })
  }
}

/** Each further failure moves `until`, until it is permanent. */
function isKnown({ hook, until }: DisabledHook, before: DisabledHook | undefined): boolean {
  return before?.hook === hook && (before.until === null) === (until === null)
}
