// Diff versions of merge requests.
import type { z } from 'zod'
import type { Api } from '../../api/index.ts'
import type { diffVersion as diffVersionSchema } from '../../api/schemas/merge-request.ts'
import { readChanges } from '../git/changes.ts'
import { noCommit } from '../git/names.ts'
import { commitsBetween } from '../git/read-commits.ts'
import { notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import type { DiffVersion } from '../records/records.ts'
import { showCommit } from '../records/show-records.ts'

export const versions: Handlers<Api['mergeRequests']['versions']> = {
  list({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf([...world.diffVersions.where('mergeRequest', mr.id)].reverse(), params, showVersion)
  },

  async get({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    const version = world.diffVersions.get(params.version_id)
    if (version?.merge_request_id !== mr.id) throw notFound()
    const base = version.base_commit_sha === noCommit ? null : version.base_commit_sha
    const commits = await commitsBetween(world, mr.project_id, base, version.head_commit_sha)
    const { changes } = await readChanges(world, mr.project_id, base, version.head_commit_sha)
    return { ...showVersion(version), commits: commits.map(showCommit), diffs: changes }
  },
}

/** A recorded version is always complete. */
function showVersion(version: DiffVersion): z.output<typeof diffVersionSchema> {
  return { ...version, state: 'collected' }
}
