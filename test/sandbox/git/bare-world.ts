// Real repositories of a world without its HTTP doors, for what works on git alone.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRepository } from '../../../src/sandbox/git/create-repository.ts'
import { createGit } from '../../../src/sandbox/git/git.ts'
import { moveRef } from '../../../src/sandbox/git/refs.ts'
import { writeCommit, writeTree } from '../../../src/sandbox/git/write-commits.ts'
import { createSerialise } from '../../../src/sandbox/serialise.ts'
import { createState, repositoryFolder, type World } from '../../../src/sandbox/world.ts'

export async function openBareWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'bare-world-'))
  const git = createGit()
  onTestFinished(async () => {
    await git.close()
    await rm(folder, { recursive: true, force: true })
  })
  const world: World = { ...createState(), url: 'http://127.0.0.1', git, serialise: createSerialise(), folder, send: () => undefined }
  const ada = { name: 'Ada', email: 'ada@example.com' }

  return {
    world,
    /** An empty repository. */
    make: (project: number, branch = 'master') => createRepository(world, project, branch),
    /** A commit of one file on top of another commit, which a ref then names, wherever it was. */
    async commit(project: number, ref: string, parent: string | null, content = ref): Promise<string> {
      const exists = parent !== null
      const action = { action: exists ? 'update' : 'create', file_path: 'file.txt', content: Buffer.from(content) } as const
      const tree = await writeTree(world, project, parent, [action])
      const commit = await writeCommit(world, project, {
        parents: exists ? [parent] : [],
        tree,
        message: content,
        author: ada,
        committer: ada,
      })
      await world.git.text(repositoryFolder(world, project), ['update-ref', ref, commit])
      return commit
    },
    /** What `git` says in a repository. */
    say: async (project: number, ...args: string[]) =>
      (await world.git.run(repositoryFolder(world, project), args)).stdout.toString().trim(),
    remove: (project: number, ref: string, sha: string) => moveRef(world, project, ref, sha, '0'.repeat(40)),
  }
}
