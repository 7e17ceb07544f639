// Whose approvals are the consent of another person to the present content, and why others do not count.
import type { Tolerant } from '../../../api/endpoint.ts'
import type { Actor, Occurrence } from '../../event-types.ts'
import type { DecideInput, Memory, SourceAnswers } from '../../types.ts'
import type { Absent, FactView, Reading } from './fact.ts'
import { pushesBetween } from './push-history.ts'
import { items, parseTime } from './service-values.ts'
import { type BodyOf, bodyOf } from './source.ts'
import { sources } from './sources.ts'

export type Approvals = Tolerant<BodyOf<'mergeRequests.approvals'>>
type Approval = { user?: Approver | null; approved_at?: string }
type Approver = { id?: number; username?: string; state?: string }
type MergeRequest = Tolerant<BodyOf<'mergeRequests.get'>>

/** Undefined if an approval counts; else why not, or why that is unknown. */
type Verdict = { is: 'not_counted' | 'unknown'; why: string } | undefined
const notCounted = (why: string): Verdict => ({ is: 'not_counted', why })
const unknown = (why: string): Verdict => ({ is: 'unknown', why })

export const ofNewBranch = 'open it again from a new branch'

/** The pushes from the start of the branch to the head, in order, or why they are unknown. */
export function pushesToHead(view: FactView): Memory['pushes'] | Exclude<Reading<never>, { is: 'read' }> {
  const reading = view.source(sources.mergeRequest)
  if (reading.is !== 'read') return reading
  const { sha, source_project_id } = reading.body
  if (typeof sha !== 'string') return { is: 'absent', reason: 'it has no head commit' }
  if (source_project_id === null) return { is: 'absent', reason: `its fork is gone: ${ofNewBranch}` }
  const pushes = pushesBetween(null, sha, view.memory.pushes)
  // Once they are read, memory has what they tell.
  if (pushes === undefined) view.source(sources.pushEvents)
  const unknown = pushes?.find((push) => push.unknown !== undefined)?.unknown
  if (pushes !== undefined && unknown === undefined) return pushes
  return { is: 'absent', reason: `${unknown ?? 'Bellhop has not seen every push to it'}: ${ofNewBranch}` }
}

export const approversIn = ({ approved_by }: Approvals) => items(approved_by)?.map((each) => each?.user)

/** Whether the service itself requires approvals (Premium). The enterprise edition says if it has no licence for that. */
export function hasRequired({ merge_request_approvers_available: isAvailable, ...approvals }: Approvals): boolean {
  const { approvals_required, approvals_left, approvals_missing } = approvals
  const numbers = [approvals_required, approvals_left, approvals_missing]
  return isAvailable !== false && numbers.some((each) => typeof each === 'number')
}

/** Whether the approval is from before such a rebase. Bellhop's own approval follows its rules. Fails closed. */
function isOld(
  user: Approver | null | undefined,
  { memory: { oldApprovals }, bot }: Pick<DecideInput, 'memory' | 'bot'>,
): boolean {
  if (oldApprovals === undefined || user?.id === bot.id) return false
  return oldApprovals.by === undefined || user?.id === undefined || oldApprovals.by.includes(user.id)
}

const AGAIN = 'revoke the approval, and approve again'
const BEFORE_REBASE = `approved before Bellhop’s rebase, which changed the content or could not be compared: ${AGAIN}`

/** Why required approvals do not count, and what to do; undefined if all count. */
export function whyOld(approvals: Approvals, given: Pick<DecideInput, 'memory' | 'bot'>): string | undefined {
  const old = approversIn(approvals)?.filter((user) => isOld(user, given)) ?? []
  return old.length === 0 ? undefined : `${old.map(nameOf).join(', ')} ${BEFORE_REBASE}`
}

/** The memory after the approvals were read: an approval that was revoked counts when it is given again. */
export function withOldApprovals(memory: Memory, answers: SourceAnswers, bot: DecideInput['bot']): Memory {
  const body = bodyOf(sources.approvals, answers[sources.approvals.name])
  const users = body && approversIn(body)
  if (memory.oldApprovals === undefined || users === undefined) return memory
  const { oldApprovals: _, ...rest } = memory
  const by = users.filter((user) => isOld(user, { memory, bot })).flatMap((user) => user?.id ?? [])
  return by.length === 0 ? rest : { ...rest, oldApprovals: { by } }
}

/** The memory with the heads that events say were approved, by the id of the user. */
export function withApprovalEvents(memory: Memory, events: readonly Occurrence[]): Memory {
  let heads = memory.approvals
  for (const { event } of events) {
    const { id } = event.actor
    if (id === undefined) continue
    const { [id]: _, ...others } = heads ?? {}
    if (/^merge_request\.(unapproved|unapproval)$/.test(event.kind)) heads = others
    else if (/^merge_request\.(approved|approval)$/.test(event.kind) && event.head !== undefined)
      heads = { ...others, [id]: event.head }
  }
  return heads === memory.approvals ? memory : { ...memory, approvals: heads }
}

export interface CountedApprovals {
  /** The user names of those whose approvals count. */
  names: string[]
  /** Who else approved, each with why it does not count. */
  others: string[]
  /** Whose approvals may count, each with why that is unknown. */
  unknown: { name: string; why: string }[]
}

/** Whose approvals a rule may let count in addition: the author's, those of pushers, and those of earlier content. */
export const WIDENINGS = ['author', 'pushers', 'stale'] as const
export type Widening = (typeof WIDENINGS)[number]

/** Undefined if the service does not say who approved, or who wrote it. */
export function countApprovals(approvals: Approvals, view: FactView, widenings: readonly Widening[] = []) {
  const given = items(approvals.approved_by)
  const opened = view.source(sources.mergeRequest)
  if (given === undefined || opened.is !== 'read') return undefined
  const { author } = opened.body
  if (typeof author?.username !== 'string') return undefined
  const counted: CountedApprovals = { names: [], others: [], unknown: [] }
  for (const each of given) {
    if (typeof each?.user?.username !== 'string') return undefined
    const verdict = verdictOn(each, { approvals, mergeRequest: opened.body, widenings }, view)
    const name = each.user.username
    const why = `${name} ${verdict?.why}`
    if (verdict === undefined) counted.names.push(name)
    else if (verdict.is === 'unknown') counted.unknown.push({ name, why })
    else counted.others.push(why)
  }
  return counted
}

const nameOf = (user: Approver | null | undefined) => user?.username ?? 'somebody'

/** By their ids: names may change. */
const isSame = (one: Actor | Approver, other: Actor | Approver) =>
  one.id === undefined || other.id === undefined ? one.username === other.username : one.id === other.id

interface Given {
  approvals: Approvals
  mergeRequest: MergeRequest
  widenings: readonly Widening[]
}

function verdictOn(approval: Approval, { approvals, mergeRequest, widenings }: Given, view: FactView): Verdict {
  const user = approval.user ?? {}
  const isAuthor = mergeRequest.author && isSame(user, mergeRequest.author)
  if (isAuthor && !widenings.includes('author')) return notCounted('wrote it')
  if (isSame(user, view.bot)) return notCounted('is Bellhop')
  if (user.state !== undefined && user.state !== 'active') return notCounted(`is ${user.state}`)
  if (!widenings.includes('stale')) {
    if (isOld(user, view)) return notCounted(BEFORE_REBASE)
    // With required approvals, the service decides which of them a push removes.
    const ofContent = hasRequired(approvals) ? undefined : ofPresentContent(approval, mergeRequest, view)
    if (ofContent !== undefined) return ofContent
  }
  // An author who counts has pushed it.
  return isAuthor || widenings.includes('pushers') ? undefined : ofPushers(user, view)
}

/** Only a person who changed no content consents to that of others: a rebase, or a merge of the target, changes none. */
function ofPushers(user: Approver, view: FactView): Verdict {
  const pushes = pushesToHead(view)
  if ('reason' in pushes) return unknown(`may have pushed to it: ${pushes.reason}`)
  for (const { from, to, by } of pushes) {
    if (by.id === undefined && by.username === undefined) return unknown('may have pushed to it: a push names no user')
    if (isSame(user, by) && (from === null || !isSameContent(from, to, view))) return notCounted('pushed to it')
  }
  return undefined
}

function ofPresentContent(approval: Approval, { sha }: MergeRequest, view: FactView): Verdict {
  const head = headApproved(approval, view)
  if (typeof head !== 'string') return unknown(`approved at a time that is unknown (${head.reason}): ${AGAIN}`)
  if (head === sha || (typeof sha === 'string' && isSameContent(head, sha, view))) return undefined
  return notCounted(`approved ${head.slice(0, 8)}, before other content was pushed: ${AGAIN}`)
}

/** Fails closed: what git cannot compare is other content. */
function isSameContent(before: string, after: string, view: FactView): boolean {
  const reading = view.source(sources.contentComparison, `${before}..${after}`)
  return reading.is === 'read' && (reading.body as { isSame?: unknown }).isSame === true
}

const APPROVED = 'approved this merge request'

/** The head that was the newest when the approval was given, or why it is unknown: two changes in one second are. */
function headApproved({ user, approved_at }: Approval, view: FactView): string | Pick<Absent, 'reason'> {
  const known = user?.id === undefined ? undefined : view.memory.approvals?.[user.id]
  const shown = secondOf(approved_at)
  if (known !== undefined && shown === undefined) return known
  const versions = view.source(sources.versions)
  if (versions.is !== 'read') return versions
  const heads = (items(versions.body) ?? []).map((each) => ({
    head: each?.head_commit_sha,
    second: secondOf(each?.created_at),
  }))
  // The service sends the hook later: it names the head of that moment (docs/threats.md).
  const pushed = heads.find(({ head }) => head === known)?.second
  if (known !== undefined && pushed !== undefined && shown !== undefined && pushed < shown) return known
  const [only] = heads
  if (!versions.complete || only === undefined) return { reason: 'it has more versions than are read' }
  if (heads.length === 1 && typeof only.head === 'string') return only.head
  const at = shown ?? notedAt(user, view)
  if (typeof at !== 'number') return at ?? { reason: 'no note tells of it' }
  if (heads.some(({ second }) => second === undefined || second === at))
    return { reason: 'a push came in the same second' }
  // The newest version comes first.
  const then = heads.find(({ second = 0 }) => second < at)?.head
  return then ?? { reason: 'no version is older' }
}

function notedAt(user: Approver | null | undefined, view: FactView): number | Pick<Absent, 'reason'> | undefined {
  const notes = view.source(sources.notes)
  if (notes.is !== 'read') return notes
  if (!notes.complete) return { reason: 'it has more notes than are read' }
  const own = (items(notes.body) ?? []).filter(
    (each) => each?.system === true && each.author?.id === user?.id && each.body === APPROVED,
  )
  return own
    .flatMap((each) => secondOf(each?.created_at) ?? [])
    .sort((one, other) => one - other)
    .at(-1)
}

function secondOf(time: unknown): number | undefined {
  const ms = parseTime(time)
  return ms === undefined ? undefined : Math.floor(ms / 1000)
}
