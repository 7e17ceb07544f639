// Which merge requests of all projects wait for the merge of another one: its deliveries evaluate them.

import type { Journal } from '../../journal/journal.ts'
import { awaitedBy } from '../../rules/facts/dependencies.ts'
import { factReading } from '../../rules/facts/reading/fact-view.ts'
import type { DecideInput, Event, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'

/** Limits the size of one mark, and what one delivery evaluates; the sweep finds more. */
const mostDependants = 100
const KINDS = ['merge_request.merge', 'merge_request.close', 'merge_request.reopen']

const dependantsMark = (iid: number) => `awaited !${iid}`

const isSame = (one: MergeRequestRef, other: MergeRequestRef) => one.project === other.project && one.iid === other.iid

/**
 * Stores which merge requests an evaluation counted and that are not merged; what its author may not read wakes nobody.
 * True if one is new: the delivery of its merge may have come before this, so it must be read once more. Throws
 * JournalUnavailable.
 */
export async function storeDependants(journal: Journal, input: DecideInput): Promise<boolean> {
  const { project, iid } = input.mergeRequest
  const self = { project, iid }
  let isNew = false
  const found = factReading(input)(awaitedBy)
  for (const awaited of 'is' in found ? [] : found) {
    if (isSame(awaited, self)) continue
    await journal.marks.change<MergeRequestRef[]>(awaited.project, dependantsMark(awaited.iid), (before = []) => {
      const isStored = before.some((each) => isSame(each, self)) || before.length >= mostDependants
      if (!isStored) isNew = true
      return isStored ? undefined : [...before, self]
    })
  }
  return isNew
}

/** Enqueues those that wait for the merge request of the event. Throws what journal and queue throw. */
export async function enqueueDependants(
  { journal, queues }: Context,
  { kind, project, iid }: Pick<Event, 'kind' | 'project' | 'iid'>,
): Promise<void> {
  if (project === undefined || iid === undefined || !KINDS.includes(kind)) return
  const { marks } = journal
  const dependants = await marks.read<MergeRequestRef[]>(project, dependantsMark(iid))
  for (const each of dependants ?? []) await enqueueEvaluation(queues.mergeRequests, each)
  // Those that still wait for it are stored again.
  await marks.change<MergeRequestRef[]>(project, dependantsMark(iid), (before = []) =>
    before.length === 0 ? undefined : [],
  )
}
