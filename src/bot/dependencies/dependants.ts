// Which merge requests wait for the merge of another one: its deliveries evaluate them, in every project of the service.
import { awaitedBy } from '../../rules/facts/definition/dependencies.ts'
import { factView } from '../../rules/facts/reading/fact-view.ts'
import type { DecideInput, Event, MergeRequestRef } from '../../rules/types.ts'
import { jsonMark, type MarkJournal } from '../service/json-mark.ts'

/** Limits the size of one mark, and what one delivery evaluates; the sweep finds more. */
const mostDependants = 100
const KINDS = ['merge_request.merge', 'merge_request.close', 'merge_request.reopen']

type Named = Pick<MergeRequestRef, 'project' | 'iid'>

const dependantsOf = (journal: MarkJournal, iid: number) => jsonMark<Named[]>(journal, `awaited !${iid}`)

const isSame = (one: Named, other: Named) => one.project === other.project && one.iid === other.iid

/**
 * Notes what an evaluation counted and is not merged; what its author may not read wakes nobody. True where that is new: the delivery of its merge may have come
 * before the note, so it must be read once more. Throws JournalUnavailable.
 */
export async function noteDependencies(journal: MarkJournal, input: DecideInput): Promise<boolean> {
  const { project, iid } = input.mergeRequest
  const self = { project, iid }
  let isNew = false
  for (const awaited of awaitedBy(factView(input))) {
    if (isSame(awaited, self)) continue
    await dependantsOf(journal, awaited.iid).change(awaited.project, (before = []) => {
      const isNoted = before.some((each) => isSame(each, self)) || before.length >= mostDependants
      if (!isNoted) isNew = true
      return isNoted ? undefined : [...before, self]
    })
  }
  return isNew
}

/** Enqueues those that wait for the merge request of the event. Throws what the journal and `enqueue` throw. */
export async function enqueueDependants(
  { journal }: { journal: MarkJournal },
  { kind, project, iid }: Pick<Event, 'kind' | 'project' | 'iid'>,
  enqueue: (dependant: MergeRequestRef) => Promise<void>,
): Promise<void> {
  if (project === undefined || iid === undefined || !KINDS.includes(kind)) return
  const dependants = dependantsOf(journal, iid)
  for (const each of (await dependants.read(project)) ?? []) await enqueue(each)
  // Those that still wait for it note themselves again.
  await dependants.change(project, (before) => (before === undefined || before.length === 0 ? undefined : []))
}
