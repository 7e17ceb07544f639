// Pushes, notes, and how long nobody did anything.
import { age, integer } from '../language/operators/fact-types.ts'
import type { DecideInput, Memory, Occurrence } from '../types.ts'
import { isOwn } from './definition/access.ts'
import { type Fact, type FactView, fact, known } from './definition/fact.ts'
import { items, parseTime } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'
import { isIssue } from './definition/subject-ref.ts'

export const versions_count = fact({
  doc: 'How many versions it has: one, and one more for each push.',
  type: integer,
  from: sources.versions,
  read: 'length',
  showsInUpdatedAt: true,
  lasting: true,
  example: 'versions_count: { more_than: 5 }',
})

/** Whether Bellhop itself pushed the version (a rebase). A push that it did not see counts as somebody else's. */
export function isOwnPush(head: string | undefined, { memory, bot }: FactView): boolean {
  const push = memory.pushes.findLast(({ to }) => to === head)
  return push !== undefined && isOwn({ actor: push.by }, bot)
}

export const inactive_for: Fact<number> = {
  doc: 'How long ago anyone but Bellhop last opened, pushed, commented, or changed something that the service notes or Bellhop saw, such as labels. A day has 24 hours.',
  type: age,
  from: [sources.mergeRequest.name, sources.versions.name, sources.notes.name],
  changesWith: ['note by others'],
  read(view) {
    const opened = view.source(sources.mergeRequest)
    if (opened.is !== 'read') return opened
    const noVersions = { is: 'read' as const, body: [], complete: true }
    const versions = isIssue(view.mergeRequest) ? noVersions : view.source(sources.versions)
    if (versions.is !== 'read') return versions
    const notes = view.source(sources.notes)
    if (notes.is !== 'read') return notes
    // Fails closed: the newest may be in the part that was not read.
    if (!versions.complete || !notes.complete)
      return { is: 'absent', reason: 'it has more notes or versions than are read' }
    const pushed = (items(versions.body) ?? []).filter((each) => !isOwnPush(each?.head_commit_sha, view))
    const written = (items(notes.body) ?? []).filter((each) => each?.author?.id !== view.bot.id)
    const times = [
      opened.body.created_at,
      view.memory.activeAt ?? opened.body.created_at,
      ...pushed.map((each) => each?.created_at),
      ...written.flatMap((each) => [each?.created_at, each?.updated_at ?? each?.created_at]),
    ].map(parseTime)
    const knownTimes = times.filter((time) => time !== undefined)
    const now = parseTime(view.now)
    if (now === undefined || knownTimes.length < times.length)
      return { is: 'absent', reason: 'a note or a version does not say when it was' }
    return known(age, (now - Math.max(...knownTimes)) / 1000)
  },
  showsInUpdatedAt: true,
  ofIssues: true,
  example: 'inactive_for: { older_than: 30d }',
}

/** The memory with the time of the newest event that Bellhop did not cause. */
export function withActivity(memory: Memory, events: readonly Occurrence[], bot: DecideInput['bot']): Memory {
  const times = events
    .filter(({ event }) => /^(merge_request|issue|note)\./.test(event.kind) && !isOwn(event, bot))
    .flatMap(({ event }) => (parseTime(event.at) === undefined ? [] : [event.at]))
  const newest = [memory.activeAt ?? [], times].flat().sort().at(-1)
  return newest === undefined ? memory : { ...memory, activeAt: newest }
}
