// Notifies when the service has disabled a project's hook; the sweep checks hourly.
import { ServiceError } from '../../client/errors.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { Context, DisabledHook } from '../context.ts'
import type { CallBudget } from '../service/call-budget.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { notify } from './notify.ts'

interface Mark {
  /** In milliseconds since 1970. */
  at: number
  disabled?: DisabledHook | undefined
}

const hookMark = 'hook'
const checkEveryMs = 60 * 60_000

/**
 * Checks a project's hook when that is due and within the budget. Notifies once when a hook is disabled, once when that
 * becomes permanent, and again after it worked in between. Throws JournalUnavailable; logs what the service refuses.
 */
export async function checkHook(
  context: Context,
  { project, path }: { project: number; path?: string },
  budget: CallBudget,
): Promise<void> {
  const { journal, operator, now, log } = context
  const read = operator.readDisabledHook
  if (read === undefined) return
  const name = refName({ project, path })
  const before = await journal.marks.read<Mark>(project, hookMark)
  const at = now()
  if (before !== undefined && at - before.at < checkEveryMs) return
  if (!budget.take('call')) return
  const save = (next: Mark) => journal.marks.write(project, hookMark, next)
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
    const about = { project, projectPath: path ?? '', ...disabled }
    await notify(context, { kind: 'hook_disabled', about }, JSON.stringify([disabled.hook, before?.at ?? null]))
  }
  await save({ at, disabled })
}

/** Each further failure moves `until`, until it is permanent. */
function isKnown({ hook, until }: DisabledHook, before: DisabledHook | undefined): boolean {
  return before?.hook === hook && (before.until === null) === (until === null)
}
