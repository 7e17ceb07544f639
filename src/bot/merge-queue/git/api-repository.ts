// What `test: rebase` needs of a repository, by the API alone: no git. A commit stands for its tree.
import type { Client } from '../../../client/create-client.ts'
import { ifNotFound } from '../../service/retry-policy.ts'
import type { BranchHead, QueueRepository } from './repository.ts'

const mostPages = 5

/** Every method throws what the client throws; the others are of builds, and throw. */
export function createApiRepository(client: Client, id: number): QueueRepository {
  async function head(branch: string): Promise<BranchHead | undefined> {
    const found = await client.repository.branches
      .get({ id, branch }, { bypassCache: true })
      .catch(ifNotFound(undefined))
    const commit = found?.body.commit?.id
    return commit === undefined ? undefined : { commit, tree: commit }
  }
  const needsGit = (): never => {
    throw new Error('test: rebase makes no builds')
  }
  return {
    async heads(target) {
      const found = await head(target)
      return { target: found, branches: new Map() }
    },
    headOf: async (branch) => (await head(branch))?.commit,
    async parentsOf(sha) {
      const { body } = await client.repository.commits.get({ id, sha })
      return body.parent_ids?.filter((each) => each !== null) ?? []
    },
    /** Among the newest commits. */
    async isAncestor(ancestor, commit) {
      const query = { id, ref_name: commit, per_page: 100 }
      for await (const page of client.pages(client.repository.commits.list, query, { maxPages: mostPages }))
        if (page.body.some((each) => each.id === ancestor)) return true
      return false
    },
    treeOf: needsGit,
    isSameContent: needsGit,
    fetchBranches: needsGit,
    fetchHeads: needsGit,
    build: needsGit,
    pushBranches: needsGit,
    pushTarget: needsGit,
    deleteBranches: needsGit,
  }
}
