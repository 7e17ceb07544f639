// What becomes of the first build: it lands, leaves, or is divided.
import { hasFailed, isGreen } from './attempts.ts'
import { change, type Draft, dropFrom, isSame, narrowWindow, remove } from './draft.ts'
import type { Build, EntryRef } from './types.ts'

/** A build behind the first waits for the one before it, which may be the cause of its failure. */
export function settleFront(draft: Draft): void {
  const [front] = draft.record.builds
  if (front === undefined || !hasFailed(draft, front)) return
  const [first, ...more] = front.members
  const attempt = front.attempts.at(-1)
  dropFrom(draft, 1, 'failed_ahead')
  dropFrom(draft, 0)
  narrowWindow(draft)
  if (more.length > 0) divide(draft, front.members)
  else if (first !== undefined && attempt?.failed !== undefined)
    remove(draft, { member: first, reason: attempt.failed, attempt: attempt.number })
}

/** Two halves, the second on top of the first: both green means that the whole failed by chance. */
function divide(draft: Draft, members: readonly EntryRef[]): void {
  const middle = Math.ceil(members.length / 2)
  const halves = [members.slice(0, middle), members.slice(middle)]
  const builds = halves.map((half): Build => ({ members: half, attempts: [{ number: draft.observed.newNumber() }] }))
  change(draft, { builds })
}

/** Lands the first build if it is green, on exactly what it was built on. */
export function startLanding(draft: Draft): void {
  const { record, observed, steps } = draft
  const [front] = record.builds
  const { target } = observed
  if (record.paused !== undefined || observed.holdsLanding === true || target === undefined) return
  if (front?.commit === undefined || front.tree === undefined || !isGreen(draft, front)) return
  const entries = observed.entries.filter((entry) => front.members.some((member) => isSame(entry, member)))
  if (entries.length < front.members.length || entries.some(({ frozen }) => frozen)) return
  const by = draft.settings.land
  const begun = front.attempts[0]?.since
  const passed = front.attempts.find((attempt) => attempt.passed !== undefined)?.passed
  const landing = {
    ...{ since: draft.now, by, members: front.members, from: target, tree: front.tree, commit: front.commit },
    ...(begun === undefined || passed === undefined ? {} : { testedMs: passed - begun }),
  }
  change(draft, { landing })
  steps.push({ do: 'land', landing })
}
