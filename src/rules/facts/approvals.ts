// Who has approved, and what is still missing.
import { fact } from '../fact.ts'
import { boolean, integer, names } from '../fact-types.ts'
import { items } from '../items.ts'
import { sources } from '../sources.ts'
import { count } from '../wording.ts'

const from = sources.approvals

export const approvals_left = fact({
  doc: 'How many approvals are still missing.',
  type: integer,
  from,
  read: (approvals) => approvals.approvals_left ?? approvals.approvals_missing,
  example: 'approvals_left: 0',
  unblock: (wanted, actual) =>
    typeof actual === 'number' && actual > 0 ? count(actual, 'more approval') : `missing approvals of ${wanted}`,
})

export const approvals_required = fact({
  doc: 'How many approvals the project asks for.',
  type: integer,
  from,
  read: (approvals) => approvals.approvals_required,
  example: 'approvals_required: { at_least: 1 }',
  unblock: (wanted) => `a number of required approvals of ${wanted}`,
})

export const approvals_given = fact({
  doc: 'How many people have approved.',
  type: integer,
  from,
  read: (approvals) => items(approvals.approved_by)?.length,
  example: 'approvals_given: { at_least: 1 }',
  unblock: (wanted) => `approvals: ${wanted}`,
})

export const approved_by = fact({
  doc: 'The user names of everyone who has approved.',
  type: names,
  names: 'user',
  from,
  read: (approvals) => items(approvals.approved_by)?.map((each) => each?.user?.username) as string[] | undefined,
  example: 'approved_by: { any: [alice, bob] }',
  unblock: (wanted) => `approval by ${wanted}`,
})

export const approved_by_bot = fact({
  doc: 'Whether Bellhop’s own user has approved.',
  type: boolean,
  from,
  read: (approvals, view) => {
    if (typeof approvals.user_has_approved === 'boolean') return approvals.user_has_approved
    return items(approvals.approved_by)?.some((each) => each?.user?.id === view.bot.id)
  },
  example: 'approved_by_bot: false',
  unblock: (wanted) => `Bellhop’s own approval to be ${wanted}`,
})
