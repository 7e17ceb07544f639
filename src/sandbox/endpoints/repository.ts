// Branches, tags, commits, files, statuses and pipelines of a repository.
import type { Api } from '../../api/index.ts'
import { readableProject } from '../access/access.ts'
import { commitsBetween, mergeBase as mergeBaseOf, readChanges, readCommit } from '../git/read-commits.ts'
import { resolveCommit } from '../git/refs.ts'
import { orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on } from '../http/handler.ts'
import type { Project } from '../records/records.ts'
import { showCommit } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'
import { commits } from './repository/commits.ts'
import { files, tree } from './repository/files.ts'
import { findCommit } from './repository/find.ts'
import { pipelines, statuses } from './repository/pipelines.ts'
import { branches, tags } from './repository/refs.ts'

export const repository: Handlers<Api['repository']> = {
  mergeBase: on(readableProject, async ({ project: { id }, params, world }) => {
    if (params.refs.length < 2) throw refuse(400, 'Provide at least 2 refs')
    const shas = await Promise.all(
      params.refs.map(async (ref) => {
        const sha = await resolveCommit(world, id, ref)
        if (sha === undefined) throw refuse(400, `Could not find ref: ${ref}`)
        return sha
      }),
    )
    const base = await mergeBaseOf(world, id, ...shas)
    return showCommit(await readCommit(world, id, orNotFound(base, 'Merge Base')))
  }),

  /** From the merge base, unless it is `straight`. */
  compare: on(readableProject, async ({ project, params, world }) => {
    const [from, to] = [await findCommit(world, project, params.from), await findCommit(world, project, params.to)]
    const base = params.straight ? from : await mergeBaseOf(world, project.id, from, to)
    const commits = (await commitsBetween(world, project.id, from, to)).map(showCommit).reverse()
    const { changes: diffs, overflow } = await readChanges(world, project.id, base, to)
    return { commit: commits.at(-1) ?? null, commits, diffs, compare_timeout: overflow, compare_same_ref: from === to }
  }),

  archive: on(readableProject, ({ project, params, world }) => archiveOf(world, project, 'tar.gz', params.sha)),
  archiveAs: on(readableProject, ({ project, params: { format, sha }, world }) =>
    archiveOf(world, project, /^t?b/.test(format) ? 'tar.bz2' : format, sha),
  ),
  tree,
  files,
  branches,
  tags,
  commits,
  statuses,
  pipelines,
}

/** The files of a commit, in one folder that is named by the project and the commit. */
async function archiveOf(world: World, project: Project, format: string, name = project.default_branch) {
  const sha = await findCommit(world, project, name)
  const args = ['archive', `--format=${format}`, `--prefix=${project.path}-${sha}/`, sha]
  const { code, stdout, stderr } = await world.git.run(project.id, args)
  if (code !== 0) throw refuse(400, `The archive could not be made: ${stderr.trim()}`)
  return stdout
}
