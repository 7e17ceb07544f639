// Who has approved, and what is still missing.

import { boolean, integer, names } from '../language/operators/fact-types.ts'
import { count } from '../language/values/wording.ts'
import { fact } from './definition/fact.ts'
import { items } from './definition/list-items.ts'
import { sources } from './definition/sources.ts'

const from = sources.approvals

export const approvals_left = fact({
  doc: 'How many approvals are still missing.',
  type: integer,
  from,
  read: (approvals) => approvals.approvals_left ?? approvals.approvals_missing,
  recorded: true,
  example: 'approvals_left: 0',
  toFix: (expected, actual) =>
    typeof actual === 'number' && actual > 0 ? count(actual, 'more approval') : `missing approvals of ${expected}`,
})

export const approvals_required = fact({
  doc: 'How many approvals the project requires.',
  type: integer,
  from,
  read: (approvals) => approvals.approvals_required,
  recorded: true,
  example: 'approvals_required: { at_least: 1 }',
  toFix: 'a number of required approvals of',
})

export const approvals_given = fact({
  doc: 'How many people have approved.',
  type: integer,
  from,
  read: (approvals) => items(approvals.approved_by)?.length,
  recorded: true,
  example: 'approvals_given: { at_least: 1 }',
  toFix: 'approvals:',
})

export const approved_by = fact({
  doc: 'The user names of everyone who has approved.',
  type: names,
  names: 'user',
  from,
  read: (approvals) => items(approvals.approved_by)?.map((each) => each?.user?.username) as string[] | undefined,
  recorded: true,
  example: 'approved_by: { any: [alice, bob] }',
  toFix: 'approval by',
})

export const approved_by_bot = fact({
  doc: 'Whether Bellhop’s own user has approved.',
  type: boolean,
  from,
  read: (approvals, view) => {
    if (typeof approvals.user_has_approved === 'boolean') return approvals.user_has_approved
    return items(approvals.approved_by)?.some((each) => each?.user?.id === view.bot.id)
  },
  recorded: true,
  example: 'approved_by_bot: false',
  toFix: { true: 'an approval by Bellhop', false: 'no approval by Bellhop' },
})
