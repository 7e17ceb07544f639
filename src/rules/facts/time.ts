// The time, and how long ago things happened by the service’s own times: unknown if they did not, or a list of them is cut.

import { age as ageType, moment } from '../language/operators/fact-types.ts'
import { isOwnPush } from './activity.ts'
import { type Absent, type Fact, type FactView, field, isAbsent, known } from './definition/fact.ts'
import { items, parseTime, since } from './definition/service-values.ts'
import type { BodyOf, Source } from './definition/source.ts'
import { sources } from './definition/sources.ts'
import { draft } from './merge-request.ts'

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
  doc: 'The time: for rules that match on some days, in some hours, or between two days. A time after midnight belongs to the day on which its hours began; the end of hours is not part of them. A list means any of them: `[{ days: [fri], hours: "14:00-24:00" }, { days: [sat, sun] }]`.',
  synonyms: ['time', 'schedule'],
  type: moment,
  from: [],
  read: (view) => known(moment, parseTime(view.now)),
  showsInUpdatedAt: true,
  waitsFor: 'freeze',
  example: 'clock: { days: [mon, tue, wed, thu, fri], hours: "09:00-17:30", zone: Europe/Berlin }',
}

const absent = (reason: string): Absent => ({ is: 'absent', reason })
const unsaid = absent('the hosting service does not say')

/** The entries of a list. Fails closed: the newest may be in the part that was not read. */
function entriesOf<T>(view: FactView, source: Source<T[]>, many: string) {
  const list = view.source(source)
  if (list.is !== 'read') return list
  return list.complete ? (items(list.body) ?? []) : absent(`it has more ${many} than are read`)
}

/** The newest entry; one without a time counts as the newest, so that its fact is unknown. */
function newest<T extends { created_at?: unknown }>(entries: readonly (T | undefined)[]): T | undefined {
  const time = (entry: T | undefined) => parseTime(entry?.created_at) ?? Number.POSITIVE_INFINITY
  return entries.reduce((last, each) => (last === undefined || time(each) > time(last) ? each : last), undefined)
}

type Note = BodyOf<'mergeRequests.notes.list'>[number]

/** What the service noted down itself. Names that people chose are never at the beginning of such a text. */
function systemNotes(view: FactView, text: RegExp) {
  const notes = entriesOf<Note>(view, sources.notes, 'notes')
  return isAbsent(notes) ? notes : notes.filter((each) => each?.system === true && text.test(each.body ?? ''))
}

interface Happening extends Omit<Fact<number>, 'type' | 'read' | 'writtenAs'> {
  key: string
  /** When it happened, or why that is not known. */
  at(view: FactView): unknown
}

const happening = ({ key, at, ...declared }: Happening): Fact<number> => ({
  ...declared,
  type: ageType,
  writtenAs: { fact: 'since', key },
  read(view) {
    const found = at(view)
    return isAbsent(found) ? found : known(ageType, since(found, view.now))
  },
})

export const since_pushed = happening({
  key: 'pushed',
  doc: 'How long ago its newest version came, by a push or another target branch. What Bellhop pushed itself, such as a rebase, does not count.',
  from: [sources.versions.name],
  showsInUpdatedAt: true,
  at(view) {
    const versions = entriesOf(view, sources.versions, 'versions')
    if (isAbsent(versions)) return versions
    return (versions.find((each) => !isOwnPush(each?.head_commit_sha, view)) ?? versions.at(-1))?.created_at
  },
  example: 'since: { pushed: { older_than: 24h } }',
})

const MARKED = /^marked this merge request as \*\*(?:draft|ready)\*\*/

export const since_ready = happening({
  key: 'ready',
  doc: 'How long ago it was last marked as ready; if it never was a draft, when it was opened.',
  from: [sources.mergeRequest.name, sources.notes.name],
  showsInUpdatedAt: true,
  at(view) {
    const opened = view.source(sources.mergeRequest)
    if (opened.is !== 'read') return opened
    const isDraft = draft.read(view)
    if (isDraft.is !== 'known') return isDraft
    if (isDraft.value !== false) return absent('it is a draft')
    const marks = systemNotes(view, MARKED)
    if (isAbsent(marks)) return marks
    const last = newest(marks)
    if (last === undefined) return opened.body.created_at
    return /\*\*ready\*\*$/.test(last.body ?? '') ? last.created_at : unsaid
  },
  toFix: (_expected, actual) => (actual === undefined ? 'mark it as ready' : undefined),
  example: 'since: { ready: { older_than: 1h } }',
})

export const since_approved = happening({
  key: 'approved',
  doc: 'How long ago the last of the approvals that it has now was given, Bellhop’s own aside.',
  from: [sources.approvals.name, sources.notes.name],
  at(view) {
    const approvals = view.source(sources.approvals)
    if (approvals.is !== 'read') return approvals
    const given = items(approvals.body.approved_by)?.filter((each) => each?.user?.id !== view.bot.id)
    if (given === undefined) return unsaid
    if (given.length === 0) return absent('nobody has approved it')
    const dated = given.map((each) => ({ created_at: each?.approved_at }))
    // Only newer services say when.
    if (dated.every((each) => parseTime(each.created_at) !== undefined)) return newest(dated)?.created_at
    const notes = systemNotes(view, /^approved this merge request$/)
    if (isAbsent(notes)) return notes
    const last = given.map(({ user } = {}) => newest(notes.filter((each) => each?.author?.id === (user?.id ?? null))))
    return last.includes(undefined)
      ? absent('the service does not say when somebody approved')
      : newest(last)?.created_at
  },
  toFix: (_expected, actual) => (actual === undefined ? 'an approval' : undefined),
  example: 'since: { approved: { older_than: 1h } }',
})

export const since_review_requested = happening({
  key: 'review_requested',
  doc: 'How long ago a review was last requested of anybody, while it has a reviewer.',
  from: [sources.mergeRequest.name, sources.notes.name],
  showsInUpdatedAt: true,
  at(view) {
    const opened = view.source(sources.mergeRequest)
    if (opened.is !== 'read') return opened
    const { reviewers } = opened.body
    if (!Array.isArray(reviewers)) return unsaid
    if (reviewers.length === 0) return absent('it has no reviewer')
    const requests = systemNotes(view, /^requested review from @/)
    // Who is a reviewer from the beginning may have no note.
    return isAbsent(requests) ? requests : (newest(requests) ?? opened.body).created_at
  },
  toFix: (_expected, actual) => (actual === undefined ? 'a reviewer' : undefined),
  example: 'since: { review_requested: { older_than: 2d } }',
})

const labelled = {
  key: 'labelled',
  doc: 'How long ago a label that it has was set, the last time; unknown without the label.',
  from: [sources.mergeRequest.name, sources.labelEvents.name],
  showsInUpdatedAt: true,
  ofIssues: true,
  example: 'since: { labelled: { label: ready, older_than: 1h } }',
} as const

export const since_labelled: Fact<number> = {
  ...happening({ ...labelled, at: () => absent('no label is named') }),
  ofLabel: (label) =>
    happening({
      ...labelled,
      at(view) {
        const opened = view.source(sources.mergeRequest)
        if (opened.is !== 'read') return opened
        if (!items(opened.body.labels)?.includes(label)) return absent('it does not have the label')
        const events = entriesOf(view, sources.labelEvents, 'label events')
        if (isAbsent(events)) return events
        const last = newest(events.filter((each) => each?.label?.name === label).toReversed())
        return last?.action === 'add' ? last.created_at : unsaid
      },
    }),
}
