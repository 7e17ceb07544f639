// The time, and how long ago things happened.

import { age as ageType, moment } from '../language/operators/fact-types.ts'
import { type Fact, field, known } from './definition/fact.ts'
import { parseTime, since } from './definition/service-values.ts'

export const age = field({
  doc: 'How long ago it was opened. A day has 24 hours.',
  synonyms: ['created', 'created_at', 'opened', 'opened_at'],
  type: ageType,
  read: (mr, view) => since(mr.created_at, view.now),
  showsInUpdatedAt: true,
  ofIssues: true,
  example: 'age: { older_than: 30d }',
})

export const updated = field({
  doc: 'How long ago anything about it changed, by Bellhop as well. A day has 24 hours.',
  synonyms: ['updated_at'],
  type: ageType,
  read: (mr, view) => since(mr.updated_at, view.now),
  changesWith: ['note'],
  showsInUpdatedAt: true,
  ofIssues: true,
  example: 'updated: { older_than: 7d }',
})

export const clock: Fact<number> = {
  doc: 'The time: for rules that match on some days, in some hours, or between two days. A time after midnight belongs to the day on which its hours began.',
  synonyms: ['time', 'schedule'],
  type: moment,
  from: [],
  read: (view) => known(moment, parseTime(view.now)),
  showsInUpdatedAt: true,
  waitsFor: 'freeze',
  example: 'clock: { days: [mon, tue, wed, thu, fri], hours: "09:00-17:30", zone: Europe/Berlin }',
}
