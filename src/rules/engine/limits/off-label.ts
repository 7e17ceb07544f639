// The label that turns Bellhop off for one merge request: whether it is set, and by somebody who may set it.
import { accessIn } from '../../facts/definition/access.ts'
import { items } from '../../facts/definition/list-items.ts'
import { sources } from '../../facts/definition/sources.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import { level } from '../../language/operators/fact-types.ts'
import type { DecideInput, SourceName } from '../../types.ts'

/** Who may turn Bellhop off: this access level or above. */
const offLabelAccess = 'developer'

/** Whether Bellhop is off for the merge request. `ignored` says why a label that is set does not count. */
export type OffLabel = { isOff: true } | { isOff: false; ignored?: string } | { needs: SourceName[] }

/** What it reads in addition to the merge request if the label is set. */
export const offLabelReads: readonly SourceName[] = [sources.labelEvents.name, sources.actorAccess.name]

/** One entry of the service's history of labels, as it may be sent. */
interface LabelEvent {
  action?: unknown
  label?: { name?: unknown } | null
  user?: { id?: unknown; username?: unknown } | null
}

/**
 * Reads who set the label, and what that person may do in the project. Fails closed: where the service does not say who it was, or what they
 * may do, the label counts, because Bellhop then does less.
 */
export function readOffLabel({ offLabel, answers }: DecideInput, view: FactReader): OffLabel {
  const labels = view.fact('labels')
  if (
    offLabel === undefined ||
    labels.is !== 'known' ||
    !Array.isArray(labels.value) ||
    !labels.value.includes(offLabel)
  )
    return { isOff: false }
  const history = Object.hasOwn(answers, sources.labelEvents.name) ? answers[sources.labelEvents.name] : undefined
  if (history === undefined) return { needs: [sources.labelEvents.name] }
  const setter = history.ok && history.complete ? lastSetter(history.body, offLabel) : undefined
  if (setter === undefined) return { isOff: true }
  const name = `${sources.actorAccess.name}@${setter.id}`
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  if (answer === undefined) return { needs: [name] }
  const access = accessIn(
    answer.ok
      ? { is: 'read', body: answer.body as { access_level: number }, complete: answer.complete }
      : { is: 'absent', reason: answer.reason, ...(answer.status === undefined ? {} : { status: answer.status }) },
  )
  if (access.is !== 'known' || rank(String(access.value)) >= rank(offLabelAccess)) return { isOff: true }
  return {
    isOff: false,
    ignored: `the label ${offLabel} does not count: ${setter.said} set it, and only a ${offLabelAccess} or above may`,
  }
}

const rank = (name: string) => level.values?.indexOf(name) ?? -1

/** Who put the label on last; undefined where the history does not say. */
function lastSetter(body: unknown, label: string): { id: number; said: string } | undefined {
  const events = Array.isArray(body) ? items(body as readonly LabelEvent[]) : undefined
  const user = events?.findLast((each) => each?.action === 'add' && each.label?.name === label)?.user
  if (!Number.isSafeInteger(user?.id) || Number(user?.id) <= 0) return undefined
  return { id: Number(user?.id), said: typeof user?.username === 'string' ? user.username : `user ${String(user?.id)}` }
}
