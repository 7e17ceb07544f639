// Issues that close when a merge request is merged, of the built-in tracker or an external one (api-v4.md §2.7, §4.2).
import type { Api } from '../../api/index.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { showIssue } from '../issues/show.ts'
import { closingIssues, closingKeys } from '../merge-requests/closing-issues.ts'
import { findMergeRequest } from '../merge-requests/find.ts'

export const closesIssues: Handlers<Pick<Api['mergeRequests'], 'closesIssues'>> = {
  async closesIssues({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
    if (project.external_tracker_url !== null) {
      return pageOf(await closingKeys(world, mr), params, (id) => ({ id, title: `External Issue ${id}` }))
    }
    return pageOf(await closingIssues(world, mr, caller), params, (issue) => {
      const { closed_at, web_url, ...shown } = showIssue(world, issue)
      // The page shows both with issues, whatever they count (api-v4.md §2.7).
      return { ...shown, changes_count: mr.changes_count, approvals_before_merge: mr.approvals_before_merge }
    })
  },
}
