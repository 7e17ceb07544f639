// Compares two refs of a repository, as in GitLab.
import type { Api } from '../../../api/index.ts'
import { findReadableProject } from '../../access/access.ts'
import { readChanges } from '../../git/changes.ts'
import { commitsBetween, mergeBase as mergeBaseOf, readCommit } from '../../git/read-commits.ts'
import { resolveCommit } from '../../git/refs.ts'
import { notFound, refuse } from '../../http/error-response.ts'
import type { Handlers } from '../../http/handler.ts'
import { showCommit } from '../../records/show-records.ts'
import { findCommit } from './find.ts'

export const comparing: Handlers<Pick<Api['repository'], 'compare' | 'mergeBase'>> = {
  async mergeBase({ params, caller, world }) {
    const { id } = findReadableProject(world, caller, params.id)
    const [one, other] = await Promise.all(
      params.refs.map(async (ref) => {
        const sha = await resolveCommit(world, id, ref)
        if (sha === undefined) throw refuse(400, `Could not find ref: ${ref}`)
        return sha
      }),
    )
    const base = one === undefined || other === undefined ? null : await mergeBaseOf(world, id, one, other)
    if (base === null) throw notFound('Merge Base')
    return showCommit(await readCommit(world, id, base))
  },

  /** Compares from the merge base, as GitLab without `straight`. */
  async compare({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    const [from, to] = [await findCommit(world, project, params.from), await findCommit(world, project, params.to)]
    const base = await mergeBaseOf(world, project.id, from, to)
    const commits = (await commitsBetween(world, project.id, from, to)).map(showCommit).reverse()
    const { changes: diffs, overflow } = await readChanges(world, project.id, base, to)
    return { commit: commits.at(-1) ?? null, commits, diffs, compare_timeout: overflow, compare_same_ref: from === to }
  },
}
