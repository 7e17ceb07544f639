// The bare cache of a project's repository, in the worker's own folder. It holds nothing that cannot be fetched again.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import type { BotUserLookup } from '../../service/bot-user.ts'
import { type Push, push } from './push.ts'
import type { BuildRequest, BuildResult, OpenRepository, QueueRepository } from './repository.ts'
import { GitError, type GitOptions, type GitResult, runGit } from './run-git.ts'

/** Where git works, and with which service. */
export interface GitSettings {
  /** The folder of the repositories of all services. */
  workDir: string
  /** With or without `/api/v4`. Repositories are at this address alone: the token goes nowhere else. */
  serviceUrl: string
  /** The search path of programs. */
  searchPath: string | undefined
}

export interface RepositoryOptions extends GitSettings {
  service: string
  token: () => string
  /** Who makes commits. */
  identity: () => Promise<{ name: string; email: string }>
}

/** Who makes the queue's commits: the bot user, as services name people without an address. */
export function createGitIdentity(botUser: BotUserLookup, serviceUrl: string): RepositoryOptions['identity'] {
  return async () => {
    const { username } = await botUser()
    return { name: username, email: `${username}@users.noreply.${new URL(serviceUrl).hostname}` }
  }
}

const fetchTimeoutMs = 10 * 60_000
/** What git says of a cache that it cannot read. */
const broken =
  /not a git repository|bad object|corrupt|loose object|broken link|unable to read|missing blob|missing tree|invalid object|invalid sha1 pointer/i
/** What a branch may not have, so that it is no pattern and no second argument. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them too
const noBranch = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|^-/
const commitId = /^[0-9a-f]{40,64}$/

/** Opens repositories; each method throws GitError and GitMissing. A broken cache is deleted, and the error is thrown. */
export function createOpenRepository(options: RepositoryOptions): OpenRepository {
  const mutexes = new Map<string, Mutex>()
  return async ({ id, path }) => {
    const directory = join(options.workDir, encodeURIComponent(options.service), `${id}.git`)
    const mutex = mutexes.get(directory) ?? new Mutex()
    mutexes.set(directory, mutex)
    const base = options.serviceUrl.replace(/(\/api\/v4)?\/*$/, '')
    const url = `${base}/${path.split('/').map(encodeURIComponent).join('/')}.git`
    await mutex.runExclusive(() => initialise(directory, options))
    return createQueueRepository(options, { directory, mutex, base, url })
  }
}

async function initialise(directory: string, { searchPath }: GitSettings): Promise<void> {
  const given = { searchPath }
  const { code } = await runGit(['rev-parse', '--is-bare-repository'], { ...given, directory, accept: [1, 128] })
  if (code === 0) return
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await runGit(['init', '--quiet', '--bare', '--', directory], given)
}

interface Cache {
  directory: string
  base: string
  mutex: Mutex
  url: string
}

function createQueueRepository(options: RepositoryOptions, { directory, mutex, base, url }: Cache): QueueRepository {
  async function git(args: readonly string[], given: GitOptions = {}): Promise<GitResult> {
    try {
      return await runGit(args, { directory, searchPath: options.searchPath, ...given })
    } catch (error) {
      if (error instanceof GitError && broken.test(error.stderr)) await rm(directory, { recursive: true, force: true })
      throw error
    }
  }
  const remote = (): GitOptions => ({
    ...{ directory, searchPath: options.searchPath },
    access: { url: base, token: options.token() },
  })
  const has = async (commit: string) =>
    (await git(['cat-file', '-e', `${checkedCommit(commit)}^{commit}`], { accept: [1, 128] })).code === 0

  /** Fetches what is missing, one fetch at a time. */
  async function fetchMissing(wanted: readonly { ref: string; commit: string }[]): Promise<void> {
    await mutex.runExclusive(async () => {
      const missing: string[] = []
      for (const { ref, commit } of wanted) if (!(await has(commit))) missing.push(ref)
      if (missing.length === 0) return
      const refspecs = missing.map((ref) => `+${ref}:refs/fetched/${ref}`)
      await git(['fetch', '--quiet', '--no-tags', '--', url, ...refspecs], { ...remote(), timeoutMs: fetchTimeoutMs })
    })
  }

  async function listRefs(patterns: readonly string[]): Promise<Map<string, string>> {
    const { stdout } = await git(['ls-remote', '--', url, ...patterns], remote())
    const lines = stdout.split('\n').map((line) => line.split('\t'))
    return new Map(lines.flatMap(([commit = '', ref]) => (ref === undefined ? [] : [[ref, commit] as const])))
  }

  const treeOf = async (commit: string) => {
    const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', `${checkedCommit(commit)}^{tree}`], {
      accept: [1],
    })
    return code === 0 ? stdout.trim() : undefined
  }

  const pushNow = async (given: Omit<Push, 'url'>) =>
    push(remote(), { ...given, url, branch: checkedBranch(given.branch) })

  return {
    async heads(target, prefix) {
      const ref = `refs/heads/${checkedBranch(target)}`
      const queue = `refs/heads/${checkedBranch(prefix)}`
      const refs = await listRefs([ref, `${queue}*`])
      const commit = refs.get(ref)
      const branches = [...refs].filter(([name]) => name.startsWith(queue))
      const found = new Map(branches.map(([name, each]) => [name.slice('refs/heads/'.length), each]))
      if (commit === undefined) return { branches: found }
      await fetchMissing([{ ref, commit }])
      return { target: { commit, tree: (await treeOf(commit)) ?? '' }, branches: found }
    },
    async headOf(branch) {
      const ref = `refs/heads/${checkedBranch(branch)}`
      return (await listRefs([ref])).get(ref)
    },
    async fetchHeads(members) {
      const wanted = members.map(({ iid, head }) => ({ ref: `refs/merge-requests/${iid}/head`, commit: head }))
      await fetchMissing(wanted)
      const there = new Set<string>()
      for (const { head } of members) if (await has(head)) there.add(head)
      return there
    },
    treeOf,
    async parentsOf(commit) {
      const { stdout } = await git(['show', '--no-patch', '--format=%P', checkedCommit(commit)])
      return stdout
        .trim()
        .split(' ')
        .filter((each) => each !== '')
    },
    isAncestor: async (ancestor, commit) =>
      (await git(['merge-base', '--is-ancestor', checkedCommit(ancestor), checkedCommit(commit)], { accept: [1] }))
        .code === 0,
    build: (request) => buildMerge(git, options.identity, request),
    async pushBranch(branch, commit) {
      const pushed = await pushNow({ branch, commit, expected: null })
      if (pushed.is !== 'moved') return pushed.is
      // It is there already: from a run that was interrupted, or from somebody else.
      return (await listRefs([`refs/heads/${branch}`])).get(`refs/heads/${branch}`) === commit ? 'pushed' : 'taken'
    },
    async pushTarget(target, commit, from) {
      const pushed = await pushNow({ branch: target, commit, expected: from })
      return pushed.is === 'pushed' ? 'landed' : pushed.is
    },
    async deleteBranch(branch, commit) {
      const pushed = await pushNow({ branch, commit: null, expected: commit })
      if (pushed.is === 'refused') throw new GitError('push', { code: 'refused', stderr: pushed.reason })
    },
  }
}

type Git = (args: readonly string[], given?: GitOptions) => Promise<GitResult>

async function buildMerge(
  git: Git,
  identity: RepositoryOptions['identity'],
  { onto, head, message, at }: BuildRequest,
): Promise<BuildResult> {
  const merged = await git(['merge-tree', '--write-tree', '--no-messages', checkedCommit(onto), checkedCommit(head)], {
    accept: [1],
  })
  if (merged.code === 1) return { is: 'conflict' }
  const [tree = ''] = merged.stdout.split('\n')
  const args = ['commit-tree', checkedCommit(tree), '-p', onto, '-p', head, '-m', message]
  const { stdout } = await git(args, { identity: { ...(await identity()), at } })
  return { is: 'built', commit: stdout.trim(), tree }
}

/** Commits and branches come from the service and from rule files. */
function checkedCommit(text: string): string {
  if (!commitId.test(text)) throw new GitError('commit', { code: 'refused', stderr: 'not the id of a commit' })
  return text
}

function checkedBranch(text: string): string {
  if (text === '' || noBranch.test(text))
    throw new GitError('branch', { code: 'refused', stderr: 'not the name of a branch' })
  return text
}
