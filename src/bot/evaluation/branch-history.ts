// Once a merge request is read: how its head came to be (by pushes or a rebase), and whether a merge queue opened it.
import type { Journal } from '../../journal/journal.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import { followHead, rebasedFrom } from '../../rules/engine/memory/follow-rebase.ts'
import { learnPushes } from '../../rules/facts/definition/push-history.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { DecideInput } from '../../rules/types.ts'
import { mergeRequestIn } from './answers.ts'

/** A head of a merge request, and the head that it became by a rebase onto its target branch. */
export interface Rebase {
  target: string
  before: string
  after: string
}

/** `unknown`: git cannot tell. Fails closed: consent ends there. */
export type ContentVerdict = 'same' | 'changed' | 'unknown'
export type CompareContent = (project: { id: number; path: string }, rebase: Rebase) => Promise<ContentVerdict>

/** Where the history of a branch is, and how content is compared. */
export interface BranchHistory {
  journal: Journal
  /** What push events tell is stored, so that they are read once for a branch. */
  stores?: true
  isSameContent(rebase: Rebase): Promise<boolean>
}

/**
 * Adds the pushes to the memory once the merge request names its branch, and what a rebase by Bellhop makes of consent;
 * the drafts of merge queues get no rules. Memory may hold pushes from before the reading. Throws JournalUnavailable.
 */
export async function withHistory(input: DecideInput, { journal, isSameContent }: BranchHistory): Promise<DecideInput> {
  const body = mergeRequestIn(input)
  if (isOwnDraft(body, input.bot)) return { ...input, files: [] }
  const { sha: after } = body
  const given = { ...input, memory: { ...input.memory, pushes: await pushesTo(journal, body, input.memory) } }
  if (typeof after !== 'string') return given
  const target = typeof body.target_branch === 'string' ? body.target_branch : undefined
  const before = rebasedFrom(given, after)
  const isSame = before !== undefined && target !== undefined && (await isSameContent({ target, before, after }))
  return { ...given, memory: followHead(given, after, target, isSame) }
}

/** Moves what push events tell from the answers to the memory. Throws JournalUnavailable. */
export async function withPushEvents(input: DecideInput, history?: BranchHistory): Promise<DecideInput> {
  const { [sources.pushEvents.name]: events, ...answers } = input.answers
  const { source_project_id: project, source_branch: branch } = mergeRequestIn(input)
  const { pushes } = input.memory
  const learnt = learnPushes(events, answers, pushes)
  if (history?.stores === true && typeof project === 'number' && typeof branch === 'string')
    await history.journal.pushes.add({ project, branch }, learnt)
  return { ...input, answers, memory: { ...input.memory, pushes: [...pushes, ...learnt] } }
}

/**
 * The pushes in memory if they lead to the head, or the head was evaluated before; else those in the journal. None for
 * a fork that is gone: they must not be another project's.
 */
async function pushesTo(
  journal: Journal,
  { source_project_id: project, source_branch: branch, sha: head }: Record<string, unknown>,
  { pushes, evaluated }: DecideInput['memory'],
) {
  if (typeof project !== 'number' || typeof branch !== 'string') return []
  const isKnown = head !== undefined && (evaluated?.head === head || pushes.at(-1)?.to === head)
  return isKnown ? pushes : journal.pushes.list({ project, branch })
}

/** Whether a merge queue opened it to test a build: no rule is for it. */
function isOwnDraft(body: Record<string, unknown>, bot: DecideInput['bot']): boolean {
  const { source_branch: branch, author, source_project_id: source, target_project_id: target } = body
  const isOwn = isMap(author) && author.username === bot.username
  return isOwn && source === target && typeof branch === 'string' && isQueueBranch(branch)
}
