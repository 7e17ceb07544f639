// A world with real repositories and no HTTP, for tests of git functions.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGit } from '../../../src/sandbox/git/git.ts'
import { moveRef, noCommit } from '../../../src/sandbox/git/refs.ts'
import { createRepository } from '../../../src/sandbox/git/repository.ts'
import { writeFiles } from '../../../src/sandbox/git/write-commits.ts'
import { createHookLog } from '../../../src/sandbox/hooks/deliveries.ts'
import { defaultTier } from '../../../src/sandbox/installation.ts'
import { createKeyedMutex } from '../../../src/sandbox/storage/schedule.ts'
import { createState, repositoryFolder, type World } from '../../../src/sandbox/storage/world.ts'

export async function openBareWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'bare-world-'))
  const git = createGit(folder)
  onTestFinished(async () => {
    await git.close()
    await rm(folder, { recursive: true, force: true })
  })
  const world: World = {
    ...createState(),
    url: 'http://127.0.0.1',
    tier: defaultTier,
    git,
    serialise: createKeyedMutex(),
    folder,
    uploadsFolder: join(folder, 'uploads'),
    hookLog: createHookLog({ disables: false }),
    send: () => undefined,
    background() {
      throw new Error('nothing here works in the background')
    },
    clock: { now: Date.now },
    later() {
      throw new Error('nothing here happens later')
    },
    ci: {
      pushed: async () => undefined,
      moved: async () => undefined,
      trained: async () => undefined,
      cancel: async (_, pipeline) => pipeline,
    },
    mergeFault: () => undefined,
  }

  /** What `git` says in a repository. */
  async function say(project: number, ...args: string[]): Promise<string> {
    return (await world.git.run(repositoryFolder(world, project), args)).stdout.toString().trim()
  }

  /** A commit that no ref names: the files of its first parent, with these written (null: removed). */
  async function record(
    project: number,
    { parents = [], files, message = 'Message', email = 'ada@example.com' }: NewRecord,
  ): Promise<string> {
    const [parent = null] = parents
    const present = parent === null ? '' : await say(project, 'ls-tree', '-r', '--name-only', parent)
    const actions = Object.entries(files).map(([file_path, content]) => {
      const change = present.split('\n').includes(file_path) ? ('update' as const) : ('create' as const)
      return { action: content === null ? ('delete' as const) : change, file_path, content: Buffer.from(content ?? '') }
    })
    const committer = { name: 'Ada', email: 'ada@example.com' }
    return writeFiles(world, project, parent, { parents, message, author: { name: 'Ada', email }, committer, actions })
  }

  return {
    world,
    say,
    record,
    /** An empty repository. */
    make: (project: number, branch = 'master') => createRepository(world, project, branch),
    /** A commit of one file on top of another commit, which a ref then names, wherever it was. */
    async commit(project: number, ref: string, parent: string | null, content = ref): Promise<string> {
      const commit = await record(project, {
        parents: parent === null ? [] : [parent],
        files: { 'file.txt': content },
        message: content,
      })
      await world.git.text(repositoryFolder(world, project), ['update-ref', ref, commit])
      return commit
    },
    remove: (project: number, ref: string, sha: string) => moveRef(world, project, ref, sha, noCommit),
  }
}

interface NewRecord {
  parents?: string[]
  files: Record<string, string | Buffer | null>
  message?: string
  email?: string
}
