// Branches, tags, commits, files, statuses and pipelines of a repository.
import type { Api } from '../../api/index.ts'
import { readableProject } from '../access/access.ts'
import {
  commitsBetween,
  lastCommitOf,
  mergeBase as mergeBaseOf,
  readChanges,
  readCommit,
  readFile,
} from '../git/read-commits.ts'
import { isFilePath, resolveCommit } from '../git/refs.ts'
import { orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on } from '../http/handler.ts'
import type { Project } from '../records/records.ts'
import { showCommit } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'
import { branches } from './repository/branches.ts'
import { commits } from './repository/commits.ts'
import { findCommit } from './repository/find.ts'
import { pipelines, statuses } from './repository/pipelines.ts'
import { tags } from './repository/tags.ts'

export const repository: Handlers<Api['repository']> = {
  mergeBase: on(readableProject, async ({ project: { id }, params, world }) => {
    const [one, other] = await Promise.all(
      params.refs.map(async (ref) => {
        const sha = await resolveCommit(world, id, ref)
        if (sha === undefined) throw refuse(400, `Could not find ref: ${ref}`)
        return sha
      }),
    )
    const base = one === undefined || other === undefined ? null : await mergeBaseOf(world, id, one, other)
    return showCommit(await readCommit(world, id, orNotFound(base, 'Merge Base')))
  }),

  /** Compares from the merge base, as GitLab without `straight`. */
  compare: on(readableProject, async ({ project, params, world }) => {
    const [from, to] = [await findCommit(world, project, params.from), await findCommit(world, project, params.to)]
    const base = await mergeBaseOf(world, project.id, from, to)
    const commits = (await commitsBetween(world, project.id, from, to)).map(showCommit).reverse()
    const { changes: diffs, overflow } = await readChanges(world, project.id, base, to)
    return { commit: commits.at(-1) ?? null, commits, diffs, compare_timeout: overflow, compare_same_ref: from === to }
  }),

  files: {
    get: on(readableProject, async ({ project, params, world }) => {
      const { commit, file } = await findFile(world, project, params.file_path, params.ref)
      return {
        file_name: params.file_path.split('/').at(-1) ?? '',
        file_path: params.file_path,
        size: file.content.length,
        encoding: 'base64',
        content: file.content.toString('base64'),
        ref: params.ref,
        blob_id: file.blob_id,
        commit_id: commit,
        last_commit_id: await lastCommitOf(world, project.id, commit, params.file_path),
      }
    }),

    raw: on(
      readableProject,
      async ({ project, params, world }) =>
        (await findFile(world, project, params.file_path, params.ref ?? project.default_branch)).file.content,
    ),
  },

  branches,
  tags,
  commits,
  statuses,
  pipelines,
}

async function findFile(world: World, project: Project, path: string, ref: string) {
  const commit = await findCommit(world, project, ref)
  const file = orNotFound(isFilePath(path) ? await readFile(world, project.id, commit, path) : undefined, 'File')
  return { commit, file }
}
