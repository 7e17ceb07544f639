// Who has approved, and what is still missing.

import { boolean, integer, names as texts, userNames } from '../language/operators/fact-types.ts'
import type { Json } from '../language/values/rule-types.ts'
import { count } from '../language/values/wording.ts'
import type { FactValue } from '../types.ts'
import { changed_files } from './changes.ts'
import { missingOwners } from './definition/code-owners.ts'
import {
  approversIn,
  type CountedApprovals,
  countApprovals,
  hasRequired,
  WIDENINGS,
  type Widening,
  whyOld,
} from './definition/consent.ts'
import { type Fact, type FactView, factsFrom, isAbsent, known } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

const from = sources.approvals
const shared = { recorded: true, whileOpen: true } as const
const approvalsFact = factsFrom(from, shared)
/** The service writes a note of each approval. What it requires changes without one. */
const noted = { showsInUpdatedAt: true } as const

/** A value that the service counts is unknown if it counts approvals of other content. */
function unlessOld<T extends Json>(declared: Fact<T>): Fact<T> {
  return {
    ...declared,
    read(view) {
      const reading = view.source(from)
      const reason = reading.is === 'read' && hasRequired(reading.body) ? whyOld(reading.body, view) : undefined
      return reason === undefined ? declared.read(view) : { is: 'absent', reason }
    },
  }
}

const unsaid: FactValue = { is: 'absent', reason: 'the hosting service does not say' }

const ofApprovals = [from, sources.versions, sources.notes, sources.contentComparison].map(({ name }) => name)

type CountedFact<T extends Json> = Omit<Fact<T>, 'from' | 'read' | 'recorded' | 'whileOpen' | 'waitsFor'> & {
  value(counted: CountedApprovals): T
}

/** A fact of the approvals that count, which says why others do not. */
function countedFact<T extends Json>(
  { value, ...declared }: CountedFact<T>,
  widenings: readonly Widening[] = [],
): Fact<T> {
  return {
    ...shared,
    ...declared,
    waitsFor: 'review',
    from: ofApprovals,
    read(view) {
      const reading = view.source(from)
      if (reading.is !== 'read') return reading
      const counted = countApprovals(reading.body, view, widenings)
      if (counted === undefined) return unsaid
      const { others, unknown } = counted
      const remark = others.length === 0 ? undefined : `not counted: ${others.join('; ')}`
      const read = known(declared.type, value(counted), unknown.length === 0, remark)
      const missing = unknown.map(({ why }) => why).join('; ')
      return read.is === 'known' && unknown.length > 0 ? { ...read, missing } : read
    },
  }
}

/** Such a fact, in which a condition may let more approvals count. */
const widenedFact = <T extends Json>(declared: CountedFact<T>): Fact<T> => ({
  ...countedFact(declared),
  ...noted,
  widened: {
    words: WIDENINGS,
    by: (words) =>
      countedFact(
        declared,
        WIDENINGS.filter((word) => words.includes(word)),
      ),
  },
})

const counted = countedFact({
  doc: 'Whether somebody has approved whose approval counts.',
  type: boolean,
  value: ({ names }) => names.length > 0,
  example: 'approved: true',
})

const required = unlessOld(
  approvalsFact({
    doc: 'Whether the service counts it as approved.',
    type: boolean,
    read: ({ approved, approvals_left, approvals_missing }) => {
      // The API page shows only what is missing.
      const missing = approvals_left ?? approvals_missing
      return approved ?? (typeof missing === 'number' ? missing === 0 : undefined)
    },
    example: 'approved: true',
  }),
)

export const approved: Fact<boolean> = {
  ...counted,
  doc: 'Whether it is approved. With Premium the service decides: no required approval is missing, so also if none is required. Without Premium: somebody has approved whose approval counts (see `approved_by`).',
  read(view) {
    const reading = view.source(from)
    if (reading.is !== 'read' || hasRequired(reading.body)) return required.read(view)
    const value = counted.read(view)
    // One approval that may count is no approval yet.
    if (value.is !== 'known' || value.complete) return value
    if (value.value === true) return { ...value, complete: true }
    return { is: 'absent', reason: value.missing ?? 'it is unknown whose approvals count' }
  },
  toFix: { true: 'the missing approvals', false: 'no approval, or more that are required' },
}

export const approvals_left = unlessOld(
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
)

export const approvals_required = approvalsFact({
  doc: 'How many approvals the project requires.',
  type: integer,
  tier: 'premium',
  read: 'approvals_required',
  example: 'approvals_required: { at_least: 1 }',
  toFix: 'a number of required approvals of',
})

export const approvals_given = widenedFact({
  doc: 'How many people have approved whose approvals count (see `approved_by`).',
  synonyms: ['approvals', 'approvals_count'],
  type: integer,
  value: ({ names }) => names.length,
  example: 'approvals_given: { at_least: 1 }',
  toFix: 'approvals:',
})

export const approved_by = widenedFact({
  doc: 'The user names of everyone whose approval counts: active people other than the author, other than Bellhop, other than those who pushed content to its branch, and only for the present content. A rebase or a merge of the target branch changes no content. If the service requires approvals (Premium), it decides which a push removes.',
  type: userNames,
  names: 'user',
  consents: true,
  value: ({ names }) => names,
  example: 'approved_by: { any: [alice, bob] }',
  toFix: 'approval by',
})

export const approved_by_service = approvalsFact({
  ...noted,
  doc: 'The user names of everyone whose approval the service shows: also the author’s and those of earlier content.',
  type: userNames,
  names: 'user',
  read: (approvals) => approversIn(approvals)?.map((user) => user?.username) as string[] | undefined,
  waitsFor: 'review',
  example: 'approved_by_service: { any: [alice, bob] }',
  toFix: 'approval by',
})

export const approved_by_bot = approvalsFact({
  ...noted,
  doc: 'Whether Bellhop’s own user has approved.',
  type: boolean,
  read: (approvals, view) => {
    if (typeof approvals.user_has_approved === 'boolean') return approvals.user_has_approved
    return items(approvals.approved_by)?.some((each) => each?.user?.id === view.bot.id)
  },
  example: 'approved_by_bot: false',
  toFix: { true: 'an approval by Bellhop', false: 'no approval by Bellhop' },
})

/** What the owners of the changed files lack, or why it is unknown. */
function missingIn(view: FactView) {
  const files = changed_files.read(view)
  if (files.is !== 'known') return files
  const found = missingOwners(view, files.value as string[])
  if (files.complete || isAbsent(found)) return found
  return { ...found, unknown: [...found.unknown, 'the list of changed files is cut'] }
}

const ofOwners = {
  ...shared,
  waitsFor: 'review',
  from: [
    ...[...ofApprovals, sources.changes.name, sources.codeOwners.name],
    ...[sources.groupDirectMembers.name, sources.projectMembers.name],
  ],
} as const

export const code_owners_missing: Fact<string[]> = {
  ...ofOwners,
  doc: 'The required sections of CODEOWNERS that own changed files and lack approvals, each as a text such as `docs: needs 1 of @alice, @docs-team`. Approvals count as in `approved_by`.',
  type: texts,
  read(view) {
    const found = missingIn(view)
    if ('is' in found) return found
    const { missing, unknown, remark } = found
    const all = [...missing, ...unknown]
    const value = { is: 'known', value: missing, complete: unknown.length === 0, remark } as const
    if (all.length === 0) return value
    return { ...value, missing: unknown.join('; '), toFix: all.join('; ') }
  },
  example: 'code_owners_missing: { none: "docs:*" }',
  toFix: 'missing approvals of code owners:',
}

export const code_owners_approved: Fact<boolean> = {
  ...ofOwners,
  doc: 'Whether the owners of the changed files have approved, in each required section of the target branch’s CODEOWNERS. Approvals count as in `approved_by`. True if no required section owns a changed file.',
  synonyms: ['code_owner_approved', 'code_owners', 'codeowners'],
  type: boolean,
  read(view) {
    const found = missingIn(view)
    if ('is' in found) return found
    const { missing, unknown, remark } = found
    if (missing.length > 0)
      return { is: 'known', value: false, complete: true, remark, toFix: [...missing, ...unknown].join('; ') }
    if (unknown.length > 0) return { is: 'absent', reason: unknown.join('; ') }
    return { is: 'known', value: true, complete: true, remark }
  },
  example: 'code_owners_approved: true',
  toFix: { true: 'approvals of the code owners', false: 'a section of CODEOWNERS that lacks approvals' },
}
