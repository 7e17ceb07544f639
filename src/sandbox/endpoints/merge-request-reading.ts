// What a merge request is made of: commits, changes, pipelines (api-v4.md §4.2).
import type { Api } from '../../api/index.ts'
import { projectLevel } from '../access.ts'
import { readChanges } from '../git/changes.ts'
import { commitsBetween } from '../git/read-commits.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { showMergeRequest, showPipeline } from '../merge-requests/show.ts'
import { baseOf, checkMergeStatus } from '../merge-requests/status.ts'
import { forbidden } from '../refusal.ts'
import { showCommit } from '../show.ts'
import { closesIssues } from './closes-issues.ts'

type Reading = Pick<Api['mergeRequests'], 'commits' | 'changes' | 'pipelines' | 'closesIssues'>

export const reading: Handlers<Reading> = {
  async commits({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf(await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha), params, showCommit)
  },

  async changes({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    // A push may come while git reads: the changes are of the head and the target that the answer shows.
    const shown = await checkMergeStatus(world, mr)
    const { changes, overflow } = await readChanges(world, shown.project_id, await baseOf(world, shown), shown.sha)
    return { ...showMergeRequest(world, shown, caller), changes, overflow }
  },

  async pipelines({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
    if (!project.public_jobs && projectLevel(world, caller, project) === 0) throw forbidden()
    const commits = await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha)
    const shas = new Set([mr.sha, ...commits.map((commit) => commit.id)])
    const own = world.pipelines.where('mergeRequest', mr.id)
    const ofBranch = world.pipelines
      .where('project', mr.source_project_id)
      .filter(({ sha, merge_request_id }) => merge_request_id === undefined && shas.has(sha))
    const newestFirst = [...own, ...ofBranch].sort((one, other) => other.id - one.id)
    return pageOf(newestFirst, params, showPipeline)
  },

  ...closesIssues,
}
