// Who has approved, and what is still missing.

import type { Tolerant } from '../../api/endpoint.ts'
import { boolean, integer, userNames } from '../language/operators/fact-types.ts'
import type { Json } from '../language/values/rule-types.ts'
import { count } from '../language/values/wording.ts'
import type { DecideInput, Memory, SourceAnswers } from '../types.ts'
import { type Fact, type FactView, factsFrom } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { type BodyOf, bodyOf } from './definition/source.ts'
import { sources } from './definition/sources.ts'

const from = sources.approvals
const approvalsFact = factsFrom(from, { recorded: true, whileOpen: true })

type Approvals = Tolerant<BodyOf<'mergeRequests.approvals'>>
const approversIn = ({ approved_by }: Approvals) => items(approved_by)?.map((each) => each?.user)

/** Whether the approval is from before such a rebase. Bellhop's own approval follows its rules. Fails closed. */
function isOld(
  user: { id?: number } | null | undefined,
  { memory: { oldApprovals }, bot }: Pick<DecideInput, 'memory' | 'bot'>,
): boolean {
  if (oldApprovals === undefined || user?.id === bot.id) return false
  return oldApprovals.by === undefined || user?.id === undefined || oldApprovals.by.includes(user.id)
}

/** Why approvals do not count, and what to do; undefined if all count. */
export function whyOld(approvals: Approvals, given: Pick<DecideInput, 'memory' | 'bot'>): string | undefined {
  const old = approversIn(approvals)?.filter((user) => isOld(user, given)) ?? []
  if (old.length === 0) return undefined
  const names = old.map((user) => user?.username ?? 'somebody').join(', ')
  return `${names} approved before Bellhop’s rebase, which changed the content or could not be compared: revoke the approval, and approve again`
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

/** The users who approved the present content. */
const approversNow = ({ approved_by }: Approvals, view: FactView) =>
  items(approved_by)?.filter((each) => !isOld(each?.user, view))

/** Says which approvals are for earlier content. Then a value that the service counts itself is `unknown`. */
function ofPresentContent<T extends Json>(declared: Fact<T>, then: 'unknown' | 'without them'): Fact<T> {
  return {
    ...declared,
    read(view) {
      const reading = view.source(from)
      const remark = reading.is === 'read' ? whyOld(reading.body, view) : undefined
      if (remark !== undefined && then === 'unknown') return { is: 'absent', reason: remark }
      const value = declared.read(view)
      return remark === undefined || value.is !== 'known' ? value : { ...value, remark }
    },
  }
}

export const approved = ofPresentContent(
  approvalsFact({
    doc: 'Whether the service counts it as approved. Without Premium: somebody has approved. With Premium: no required approval is missing, so also where none is required.',
    type: boolean,
    read: ({ approved, approved_by, approvals_left, approvals_missing, merge_request_approvers_available }) => {
      // GitLab's enterprise edition without a licence says true before anybody approved.
      const approvers = items(approved_by)
      if (merge_request_approvers_available === false) return approvers && approvers.length > 0
      // The API page shows only what is missing.
      const missing = approvals_left ?? approvals_missing
      return approved ?? (typeof missing === 'number' ? missing === 0 : undefined)
    },
    waitsFor: 'review',
    example: 'approved: true',
    toFix: { true: 'the missing approvals', false: 'no approval, or more that are required' },
  }),
  'unknown',
)

export const approvals_left = ofPresentContent(
  approvalsFact({
    doc: 'How many required approvals are still missing.',
    type: integer,
    tier: 'premium',
    read: (approvals) => approvals.approvals_left ?? approvals.approvals_missing,
    waitsFor: 'review',
    example: 'approvals_left: 0',
    toFix(expected, actual) {
      if (actual === undefined) return 'a service that shows it, or the fact approved in its place'
      return typeof actual === 'number' && actual > 0
        ? count(actual, 'more approval')
        : `missing approvals of ${expected}`
    },
  }),
  'unknown',
)

export const approvals_required = approvalsFact({
  doc: 'How many approvals the project requires.',
  type: integer,
  tier: 'premium',
  read: 'approvals_required',
  example: 'approvals_required: { at_least: 1 }',
  toFix: 'a number of required approvals of',
})

export const approvals_given = ofPresentContent(
  approvalsFact({
    doc: 'How many people have approved.',
    synonyms: ['approvals', 'approvals_count'],
    type: integer,
    read: (approvals, view) => approversNow(approvals, view)?.length,
    waitsFor: 'review',
    example: 'approvals_given: { at_least: 1 }',
    toFix: 'approvals:',
  }),
  'without them',
)

export const approved_by = ofPresentContent(
  approvalsFact({
    doc: 'The user names of everyone who has approved. With `members_of`, an approval by Bellhop does not count.',
    type: userNames,
    names: 'user',
    consents: true,
    read: (approvals, view) =>
      approversNow(approvals, view)?.map((each) => each?.user?.username) as string[] | undefined,
    waitsFor: 'review',
    example: 'approved_by: { any: [alice, bob] }',
    toFix: 'approval by',
  }),
  'without them',
)

export const approved_by_bot = approvalsFact({
  doc: 'Whether Bellhop’s own user has approved.',
  type: boolean,
  read: (approvals, view) => {
    if (typeof approvals.user_has_approved === 'boolean') return approvals.user_has_approved
    return items(approvals.approved_by)?.some((each) => each?.user?.id === view.bot.id)
  },
  example: 'approved_by_bot: false',
  toFix: { true: 'an approval by Bellhop', false: 'no approval by Bellhop' },
})
