// Decisions, newest first.

import type { DecisionRecord } from '../../journal/types.ts'
import { decisionOutcomes } from '../../rules/explain/decision-outcome.ts'
import { listPage } from './definition/list-page.tsx'
import { byMergeRequest, byTime } from './forms/action-form.tsx'
import { decisionColumns } from './lists/list.tsx'

export const decisionsPage = listPage<DecisionRecord>({
  title: 'Decisions',
  path: '/decisions',
  operation: 'list_decisions',
  columns: decisionColumns,
  fields: [
    ...byMergeRequest,
    { name: 'outcome', label: 'Result', type: decisionOutcomes },
    { name: 'rule', label: 'Matched rule', type: 'text' },
    { name: 'delivery', label: 'Delivery', type: 'text' },
    ...byTime,
  ],
  none: 'No decisions yet. Open a merge request in a project that has rules.',
})
