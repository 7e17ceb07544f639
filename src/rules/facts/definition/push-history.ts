// Who pushed to a source branch: what hooks show, and for an older branch what push events show, read once.
import type { Tolerant } from '../../../api/endpoint.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Memory, SourceAnswer, SourceAnswers } from '../../types.ts'
import { items, parseTime } from './service-values.ts'
import { type BodyOf, PAGE, source } from './source.ts'

type Push = Memory['pushes'][number]
type PushEvent = Tolerant<BodyOf<'projects.events.list'>[number]>

/** The journal stores so many of a branch. */
export const MOST_PUSHES = 100

const MOST_PAGES = 5
// The day of the last update counts in every time zone.
const DAYS_AFTER_UPDATE_MS = 2 * 86_400_000

/** From the newest push back to `from`, or as far as pushes are known. */
function walkBack(from: string | null, to: string, pushes: readonly Push[]): { chain: Push[]; start: string | null } {
  const left = [...pushes]
  const chain: Push[] = []
  for (let at: string | null = to; at !== from; ) {
    // Hooks may come out of order, and a branch may move back and forth: each push is used once, the newest first.
    const index = left.findLastIndex((push) => push.to === at)
    const [push] = index < 0 ? [] : left.splice(index, 1)
    if (push === undefined) return { chain, start: at }
    chain.unshift(push)
    at = push.from
  }
  return { chain, start: from }
}

/**
 * The pushes from one head (null: the start of the branch) to another, in order; undefined if one is missing. Fails
 * closed.
 */
export function pushesBetween(from: string | null, to: string, pushes: readonly Push[]): Push[] | undefined {
  const { chain, start } = walkBack(from, to, pushes)
  return start === from ? chain : undefined
}

/** Undefined if the merge request was not read, or its source project is gone. */
function sourceBranchIn({ mergeRequest: read }: SourceAnswers) {
  const mr = read?.ok && isMap(read.body) ? read.body : {}
  const { source_project_id: project, source_branch: branch, sha: head } = mr
  if (typeof project !== 'number' || typeof branch !== 'string' || typeof head !== 'string') return undefined
  return { project, branch, head, updatedAt: parseTime(mr.updated_at) }
}

const isOfBranch = (event: PushEvent | undefined, branch: string | undefined) =>
  event?.push_data?.ref_type === 'branch' && event.push_data.ref === branch
const isBeginOrEnd = (event: PushEvent | undefined) =>
  event?.push_data?.action === 'created' || event?.push_data?.action === 'removed'

export const pushEventsSource = source({
  doc: 'Who pushed to its source project: the newest 500 pushes until its last update. Read once for a branch, if Bellhop did not see all pushes to it.',
  endpoint: 'projects.events.list',
  params(_ref, answers) {
    const { project: id, updatedAt } = sourceBranchIn(answers) ?? {}
    if (id === undefined) return null
    const until = updatedAt && new Date(updatedAt + DAYS_AFTER_UPDATE_MS).toISOString().slice(0, 10)
    return { id, action: 'pushed', per_page: PAGE, ...(until === undefined ? {} : { before: until }) }
  },
  cost: 7,
  paged: true,
  mostPages: MOST_PAGES,
  isEnough: (body, answers) =>
    items(body)?.some((each) => isOfBranch(each, sourceBranchIn(answers)?.branch) && isBeginOrEnd(each)) === true,
})

/** Undefined if it tells no complete push: then one is missing. */
function pushOf({ created_at: at, author, push_data }: PushEvent): Push | undefined {
  const { action, commit_from, commit_to: to } = push_data ?? {}
  const from = action === 'created' ? null : commit_from
  if (typeof at !== 'string' || typeof to !== 'string' || (from !== null && typeof from !== 'string')) return undefined
  if (from === null && action !== 'created') return undefined
  return { from, to, by: { id: author?.id, username: author?.username }, at }
}

/** All pushes from the start of the branch to one of its commits, or why they are not known. */
function pushesIn(answer: SourceAnswer | undefined, branch: string, to: string): Push[] | string {
  if (answer?.ok !== true) return 'Bellhop’s user cannot read the push events of its source project (give it access)'
  const newestFirst = items(answer.body as PushEvent[]) ?? []
  const ofBranch = newestFirst.flatMap((each) => (isOfBranch(each, branch) ? (each ?? []) : [])).reverse()
  const begin = ofBranch.findLastIndex(isBeginOrEnd)
  if (begin < 0)
    return answer.complete
      ? 'the service has no event of the first push to it'
      : `the first push to it is not among the last ${MOST_PAGES * PAGE} to its source project`
  // What was before belongs to another branch of that name, which was deleted.
  const shown = ofBranch.slice(begin).flatMap((each) => pushOf(each) ?? [])
  const chain = pushesBetween(null, to, shown) ?? []
  const last = chain.at(-1)
  // Fails closed: an event is missing, or two disagree.
  return last === undefined || !shown.slice(0, shown.indexOf(last)).every((push) => chain.includes(push))
    ? 'the push events of its branch do not fit together'
    : chain
}

/**
 * What push events add to the pushes that are known: those before them, or one by nobody in their place, so that the
 * events are not read again.
 */
export function learnPushes(answer: SourceAnswer | undefined, answers: SourceAnswers, known: readonly Push[]): Push[] {
  const { branch, head } = sourceBranchIn(answers) ?? {}
  if (branch === undefined || head === undefined) return []
  const { chain, start } = walkBack(null, head, known)
  if (start === null) return []
  const unknown = (to: string, why: string): Push[] => [{ from: null, to, by: {}, unknown: why }]
  const found = pushesIn(answer, branch, start)
  const learnt = typeof found === 'string' ? unknown(start, found) : found
  return chain.length + learnt.length <= MOST_PUSHES ? learnt : unknown(head, `it has more than ${MOST_PUSHES} pushes`)
}
