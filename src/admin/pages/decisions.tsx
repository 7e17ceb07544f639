// Decisions, newest first.
import { decisionOutcomes } from '../../journal/decision-outcome.ts'
import type { DecisionRecord, JournalPage as ListPage } from '../../journal/types.ts'
import type { DashboardPage } from './definition/page.ts'
import { byMergeRequest, byTime, type FilterField } from './forms/filter-form.tsx'
import { inUtc } from './forms/utc-time.ts'
import { decisionColumns } from './lists/decision-columns.tsx'
import { FilteredList } from './lists/filtered-list.tsx'

const fields: FilterField[] = [
  ...byMergeRequest,
  { name: 'outcome', label: 'Result', type: decisionOutcomes },
  { name: 'rule', label: 'Matched rule', type: 'text' },
  { name: 'delivery', label: 'Delivery', type: 'text' },
  ...byTime,
]

export const decisionsPage: DashboardPage = {
  path: '/decisions',
  nav: 'Decisions',
  live: 'list_decisions',
  async show({ query, api }) {
    const page = await api<ListPage<DecisionRecord>>('list_decisions', inUtc(query))
    const none = 'No decisions yet. Open a merge request in a project that has rules.'
    return {
      title: 'Decisions',
      body: (
        <FilteredList
          title="Decisions"
          path="/decisions"
          page={page}
          {...{ fields, query, none }}
          columns={decisionColumns}
        />
      ),
    }
  },
}
