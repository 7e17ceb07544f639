// Facts that an event states of its merge request. The event may be late, so they only rule rules out before a reading.
import type { Event, Override } from '../../types.ts'
import { facts } from '../index.ts'

const statuses = facts.pipeline.type.values ?? []

/** A pipeline that changes no verdict changes nothing; one that ended since has an event of its own. */
export function statedFacts({ pipeline }: Event): Override[] {
  if (pipeline === undefined || !statuses.includes(pipeline.status)) return []
  return [{ fact: 'pipeline', is: { is: 'known', value: pipeline.status, complete: true } }]
}
