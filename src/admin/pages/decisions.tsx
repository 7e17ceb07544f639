// Decisions: what the rules said, newest first.
import { decisionOutcomes } from '../../journal/decision-outcome.ts'
import type { DecisionRecord, Page as ListPage } from '../../journal/types.ts'
import type { Page } from './page.ts'
import { decisionColumns } from './parts/decision-columns.tsx'
import { byMergeRequest, byTime, type FilterField } from './parts/filter-form.tsx'
import { FilteredList } from './parts/filtered-list.tsx'
import { inUtc } from './utc.ts'

const fields: FilterField[] = [
  ...byMergeRequest,
  { name: 'outcome', label: 'Outcome', type: decisionOutcomes },
  { name: 'rule', label: 'Rule that held', type: 'text' },
  { name: 'delivery', label: 'Delivery', type: 'text' },
  ...byTime,
]

export const decisionsPage: Page = {
  path: '/decisions',
  nav: 'Decisions',
  live: 'list_decisions',
  async show({ query, ask }) {
    const page = await ask<ListPage<DecisionRecord>>('list_decisions', { input: inUtc(query) })
    const none = 'Nothing was decided yet. Open a merge request in a project that has rules.'
    return {
      title: 'Decisions',
      body: <FilteredList title="Decisions" path="/decisions" page={page} {...{ fields, query, none }} columns={decisionColumns} />,
    }
  },
}
