// Decisions, newest first.
import { decisionOutcomes } from '../../journal/decision-outcome.ts'
import type { DecisionRecord } from '../../journal/types.ts'
import { listPage } from './definition/list-page.tsx'
import { byMergeRequest, byTime, type FilterField } from './forms/filter-form.tsx'
import { decisionColumns } from './lists/decision-columns.tsx'

const fields: FilterField[] = [
  ...byMergeRequest,
  { name: 'outcome', label: 'Result', type: decisionOutcomes },
  { name: 'rule', label: 'Matched rule', type: 'text' },
  { name: 'delivery', label: 'Delivery', type: 'text' },
  ...byTime,
]

export const decisionsPage = listPage<DecisionRecord>({
  title: 'Decisions',
  path: '/decisions',
  operation: 'list_decisions',
  columns: decisionColumns,
  fields,
  none: 'No decisions yet. Open a merge request in a project that has rules.',
})
