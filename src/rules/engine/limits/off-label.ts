// The label that turns Bellhop off for a merge request, and whether its setter may set it.
import { accessIn } from '../../facts/definition/access.ts'
import { readingOf } from '../../facts/definition/fact.ts'
import { lastSetter } from '../../facts/definition/label-events.ts'
import { sources } from '../../facts/definition/sources.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import { levelNumber } from '../../language/operators/fact-types.ts'
import type { DecideInput, SourceName } from '../../types.ts'

const offLabelAccess = 'developer'
const developer = Number(levelNumber(offLabelAccess))

/** `ignored`: why a label that is set does not count. */
export type OffLabel = { isOff: true } | { isOff: false; ignored?: string } | { needs: SourceName[] }

/** Reads who set the label, and their access level. Fails closed: if either is unknown, the label counts. */
export function readOffLabel({ offLabel, answers }: DecideInput, view: FactReader): OffLabel {
  const labels = view.fact('labels')
  if (
    offLabel === undefined ||
    labels.is !== 'known' ||
    !Array.isArray(labels.value) ||
    !labels.value.includes(offLabel)
  )
    return { isOff: false }
  const history = answers[sources.labelEvents.name]
  if (history === undefined) return { needs: [sources.labelEvents.name] }
  const setter = history.ok && history.complete ? lastSetter(history.body, offLabel) : undefined
  if (setter === undefined) return { isOff: true }
  const source = `${sources.actorAccess.name}@${setter.id}`
  const reading = readingOf<{ access_level: number }>(source, answers[source])
  if (reading.is === 'unread') return { needs: [source] }
  const access = accessIn(reading)
  const isBelow = access.is === 'known' && Number(levelNumber(String(access.value))) < developer
  if (!isBelow) return { isOff: true }
  return {
    isOff: false,
    ignored: `the label ${offLabel} does not count: ${setter.name} set it, and only a ${offLabelAccess} or above may`,
  }
}
