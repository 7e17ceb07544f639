// A project of root in the sandbox, and the repository of it as workers of the merge queue open it.
import { join } from 'node:path'
import { createOpenRepository, type RepositoryOptions } from '../../../../src/bot/merge-queue/git/open-repository.ts'
import type { World } from '../../../sandbox/sandbox-world.ts'

export const unknownCommit = 'f'.repeat(40)
export const project = { id: 1, path: 'root/app' }

/** `more.workDir`: that of another worker. */
export function opener(world: Pick<World, 'folder' | 'url'>, more: Partial<RepositoryOptions> = {}) {
  const workDir = join(world.folder, 'work')
  const openRepository = createOpenRepository({
    ...{ workDir, serviceUrl: world.url, token: () => 'root-token' },
    ...{ searchPath: process.env.PATH, mostBytes: 2 ** 30, authorities: '' },
    identity: async () => ({ name: 'bellhop', email: 'bellhop@example.com' }),
    ...more,
  })
  return { openRepository, open: () => openRepository(project), cache: join(workDir, '1.git') }
}

/** A merge request of a new branch that writes one file. */
export async function propose(world: World, branch: string, path: string, content = branch) {
  await world.write(branch, path, content)
  const { iid, sha } = await world.open(branch, branch)
  return { iid: iid as number, head: sha as string }
}
