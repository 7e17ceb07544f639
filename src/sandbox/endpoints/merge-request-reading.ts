// Commits, changes, pipelines and closed issues of a merge request.
import type { Api } from '../../api/index.ts'
import { developer, projectLevel, refuseArchived } from '../access/access.ts'
import { commitsBetween, readChanges } from '../git/read-commits.ts'
import { noCommit } from '../git/refs.ts'
import { forbidden, invalid, orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { showIssue } from '../issues/find.ts'
import { closingIssues } from '../issues/update.ts'
import { mergeRequestAt } from '../merge-requests/find.ts'
import { showMergeRequest, showPipeline } from '../merge-requests/show.ts'
import { baseOf, checkMergeStatus } from '../merge-requests/status.ts'
import { startOfMergeRequest } from '../pipelines/scripted-ci.ts'
import type { DiffVersion } from '../records/records.ts'
import { showCommit } from '../records/show-records.ts'

const mostDiffsOfAPage = 30

/** Shows a change, and whether its diff is left out (docs/hosting-service.md). */
function showChange<C extends { diff: string }>(change: C, overflow: boolean) {
  return { ...change, collapsed: false, too_large: overflow && change.diff === '' }
}

export const reading = {
  commits: on(mergeRequestAt, async ({ mr, params, world }) =>
    pageOf(await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha), params, showCommit),
  ),

  changes: on(mergeRequestAt, async ({ mr, caller, world }) => {
    // A push may come while git reads: the changes belong to the head that the response shows.
    const shown = await checkMergeStatus(world, mr)
    const { changes, overflow } = await readChanges(world, shown.project_id, await baseOf(world, shown), shown.sha)
    const shownChanges = changes.map((change) => showChange(change, overflow))
    return { ...showMergeRequest(world, shown, caller), changes: shownChanges, overflow }
  }),

  /** Some installations answer 500 for more than 30 a page (docs/hosting-service.md). */
  async diffs({ params, caller, world }) {
    if (params.per_page > mostDiffsOfAPage) throw refuse(500, '500 Internal Server Error')
    const { mr } = mergeRequestAt({ params, caller, world })
    const { changes, overflow } = await readChanges(world, mr.project_id, await baseOf(world, mr), mr.sha)
    return pageOf(changes, params, (change) => showChange(change, overflow))
  },

  pipelines: on(mergeRequestAt, async ({ project, mr, params, caller, world }) => {
    if (!project.public_jobs && projectLevel(world, caller, project) === 0) throw forbidden()
    const commits = await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha)
    const shas = new Set([mr.sha, ...commits.map((commit) => commit.id)])
    const own = world.pipelines.where('mergeRequest', mr.id)
    const ofBranch = world.pipelines
      .where('project', mr.source_project_id)
      .filter(({ sha, merge_request_id }) => merge_request_id === undefined && shas.has(sha))
    const newestFirst = [...own, ...ofBranch].sort((one, other) => other.id - one.id)
    return pageOf(newestFirst, params, (each) => showPipeline(world, each))
  }),

  createPipeline: on(mergeRequestAt, async ({ project, mr, caller, world }) => {
    // For a caller who is no member of the target, it runs in the fork.
    const project_id = [project, world.projects.get(mr.source_project_id)].find(
      (each) => each !== undefined && projectLevel(world, caller, each) >= developer,
    )?.id
    if (project_id === undefined) throw forbidden()
    refuseArchived(project)
    if (mr.state !== 'opened') throw refuse(405, '405 Method Not Allowed')
    const pipeline = await startOfMergeRequest(world, mr, caller, project_id)
    if (pipeline === undefined) throw invalid('base', 'Missing CI config file')
    return showPipeline(world, pipeline)
  }),

  closesIssues: on(mergeRequestAt, async ({ mr, params, caller, world }) =>
    pageOf(await closingIssues(world, mr, caller), params, (issue) => {
      const { closed_at, web_url, ...shown } = showIssue(world, issue)
      // The API page shows both fields on these issues.
      const approvals_before_merge = isPremium(world) ? mr.approvals_before_merge : undefined
      return { ...shown, changes_count: mr.changes_count, approvals_before_merge }
    }),
  ),
} satisfies Partial<Handlers<Api['mergeRequests']>>

export const versions: Handlers<Api['mergeRequests']['versions']> = {
  list: on(mergeRequestAt, ({ mr, params, world }) =>
    pageOf([...world.diffVersions.where('mergeRequest', mr.id)].reverse(), params, showVersion),
  ),

  get: on(mergeRequestAt, async ({ mr, params, world }) => {
    const version = orNotFound(
      world.diffVersions.where('mergeRequest', mr.id).find(({ id }) => id === params.version_id),
    )
    const base = version.base_commit_sha === noCommit ? null : version.base_commit_sha
    const commits = await commitsBetween(world, mr.project_id, base, version.head_commit_sha)
    const { changes } = await readChanges(world, mr.project_id, base, version.head_commit_sha)
    return { ...showVersion(version), commits: commits.map(showCommit), diffs: changes }
  }),
}

/** A recorded version is always complete. */
function showVersion(version: DiffVersion) {
  return { ...version, state: 'collected' }
}
