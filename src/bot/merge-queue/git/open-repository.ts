// The bare cache of a project's repository, in the worker's own folder. It holds nothing that cannot be fetched again.
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { Mutex } from 'async-mutex'
import type { BotUserLookup } from '../../service/bot-user.ts'
import { buildCommit } from './build-commit.ts'
import {
  deleteUnusedCaches,
  isBroken,
  makeCache,
  removeCache,
  removeStaleLock,
  sizeOf,
  writeAuthorities,
} from './caches.ts'
import { checkedCommit, mergeTree } from './merge-tree.ts'
import { type Push, type PushOutcome, push } from './push.ts'
import type { OpenRepository, QueueRepository } from './repository.ts'
import { checkGit, GitError, type GitOptions, type GitResult, runGit } from './run-git.ts'

/** Where git works, and with which service. */
export interface GitSettings {
  /** The folder of the repositories of all services. */
  workDir: string
  /** With or without `/api/v4`. Repositories are at this address alone: the token goes nowhere else. */
  serviceUrl: string
  /** The search path of programs. */
  searchPath: string | undefined
  /** A fetch that needs more is refused, and a cache that grew beyond it is fetched anew. */
  mostBytes: number
  /** The address of the proxy, with user and password; absent: none. */
  proxy?: string | undefined
  /** The certificates (PEM) of trusted authorities. */
  authorities: string
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
const mostLooks = 3
const cleanEveryMs = 24 * 60 * 60_000
/** What a branch may not have, so that it is no pattern and no second argument. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them too
const noBranch = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|^-/

/** Opens repositories; each method throws GitError and GitMissing. A broken cache is deleted, and the error is thrown. */
export function createOpenRepository(options: RepositoryOptions): OpenRepository {
  const mutexes = new Map<string, Mutex>()
  const base = options.serviceUrl.replace(/(\/api\/v4)?\/*$/, '')
  let isReady = false
  let cleaned = 0
  async function prepare(): Promise<void> {
    if (!isReady) await checkGit(options.searchPath)
    isReady = true
    if (Date.now() - cleaned < cleanEveryMs) return
    cleaned = Date.now()
    await deleteUnusedCaches(options.workDir, cleaned)
  }
  return async ({ id, path }) => {
    const url = repositoryUrl(base, path)
    const directory = join(resolve(options.workDir), encodeURIComponent(options.service), `${id}.git`)
    const mutex = mutexes.get(directory) ?? new Mutex()
    mutexes.set(directory, mutex)
    await prepare()
    const authorities = await writeAuthorities(options.workDir, options.authorities)
    await mutex.runExclusive(() => makeCache(directory, options.searchPath))
    return createQueueRepository({ ...options, authorities }, { directory, mutex, base, url })
  }
}

/** Throws GitError for a path that leads to another place of the service. */
function repositoryUrl(base: string, path: string): string {
  const segments = path.split('/')
  if (segments.some((each) => ['', '.', '..'].includes(each)))
    throw new GitError('path', { code: 'unsafe_name', stderr: 'not the path of a project' })
  return `${base}/${segments.map(encodeURIComponent).join('/')}.git`
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
      if (error instanceof GitError && isBroken(error.stderr)) await removeCache(directory)
      throw error
    }
  }
  const remote = (): GitOptions => ({
    ...{ directory, searchPath: options.searchPath },
    access: { url: base, token: options.token(), proxy: options.proxy, authorities: options.authorities },
  })
  /** Those of the commits that the cache has. */
  async function present(commits: readonly string[]): Promise<Set<string>> {
    const input = commits.map((commit) => `${checkedCommit(commit)}\n`).join('')
    const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input })
    return new Set(commits.filter((commit) => stdout.includes(`${commit} commit\n`)))
  }

  /** Fetches what is missing, one fetch at a time; what the service does not have stays missing. */
  async function fetchMissing(wanted: readonly { ref: string; commit: string }[]): Promise<void> {
    await mutex.runExclusive(async () => {
      const known = await present(wanted.map(({ commit }) => commit))
      const missing = wanted.filter(({ commit }) => !known.has(commit)).map(({ ref }) => ref)
      if (missing.length === 0) return
      await fetchRefs([...new Set(missing)])
      if ((await sizeOf(directory)) <= options.mostBytes) return
      await removeCache(directory)
      throw new GitError('fetch', {
        code: 'too_large',
        stderr: `the repository has more than ${options.mostBytes} bytes`,
      })
    })
  }

  async function fetchRefs(refs: readonly string[]): Promise<void> {
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', url]
    const given = { ...remote(), timeoutMs: fetchTimeoutMs, mostBytes: options.mostBytes }
    const fetchAll = () => git([...args, ...refs.map((ref) => `+${ref}:${ownRef(ref)}`)], given)
    try {
      await fetchAll()
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      if (await removeStaleLock(directory, error.stderr)) await fetchAll()
      else if (!/couldn't find remote ref/.test(error.stderr)) throw error
      // One is gone: git fetches none of them.
      else if (refs.length > 1) for (const ref of refs) await fetchRefs([ref])
    }
  }

  async function listHeads(patterns: readonly string[]): Promise<Map<string, string>> {
    const { stdout } = await git(['ls-remote', '--heads', '--', url, ...patterns], remote())
    const lines = stdout.split('\n').map((line) => line.split('\t'))
    return new Map(lines.flatMap(([commit = '', ref]) => (ref === undefined ? [] : [[ref, commit] as const])))
  }

  const treeOf = async (commit: string) => {
    const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', `${checkedCommit(commit)}^{tree}`], {
      accept: [1],
    })
    return code === 0 ? stdout.trim() : undefined
  }

  /** What the cache does not have is an ancestor of nothing in it. */
  async function isAncestor(ancestor: string, commit: string): Promise<boolean> {
    if (!(await present([ancestor])).has(ancestor)) return false
    const args = ['merge-base', '--is-ancestor', checkedCommit(ancestor), checkedCommit(commit)]
    return (await git(args, { accept: [1] })).code === 0
  }

  const pushAll = async (given: readonly Push[]) =>
    push(
      remote(),
      url,
      given.map((each) => ({ ...each, branch: checkedBranch(each.branch) })),
    )
  const pushNow = async (given: Push) => (await pushAll([given]))[0] as PushOutcome

  return {
    async heads(target, prefix) {
      const ref = `refs/heads/${checkedBranch(target)}`
      const queue = `refs/heads/${checkedBranch(prefix)}`
      for (let attempt = 1; ; attempt += 1) {
        const above = prefixesOf(prefix)
        const refs = await listHeads([ref, `${queue}*`, ...above.map((name) => `refs/heads/${name}`)])
        const commit = refs.get(ref)
        const inTheWay = above.find((name) => refs.has(`refs/heads/${name}`))
        const found = [...refs].filter(([name]) => name.startsWith(queue))
        const branches = new Map(found.map(([name, each]) => [name.slice('refs/heads/'.length), each]))
        const rest = { branches, ...(inTheWay === undefined ? {} : { inTheWay }) }
        if (commit === undefined) return rest
        const tree = (await treeOf(commit)) ?? (await fetchMissing([{ ref, commit }]).then(() => treeOf(commit)))
        if (tree !== undefined) return { target: { commit, tree }, ...rest }
        // It was replaced between the list and the fetch.
        if (attempt === mostLooks)
          throw new GitError('fetch', { code: 'failed', stderr: `${commit} cannot be fetched` })
      }
    },
    async headOf(branch) {
      const ref = `refs/heads/${checkedBranch(branch)}`
      return (await listHeads([ref])).get(ref)
    },
    async fetchBranches(branches) {
      await fetchMissing(branches.map(({ branch, commit }) => ({ ref: `refs/heads/${checkedBranch(branch)}`, commit })))
    },
    async fetchHeads(members) {
      const wanted = members.map(({ iid, head }) => ({ ref: `refs/merge-requests/${iid}/head`, commit: head }))
      await fetchMissing(wanted)
      return present(members.map(({ head }) => head))
    },
    treeOf,
    async parentsOf(commit) {
      const { stdout } = await git(['show', '--no-patch', '--format=%P', checkedCommit(commit)])
      return stdout
        .trim()
        .split(' ')
        .filter((each) => each !== '')
    },
    isAncestor,
    mergedTree: (onto, head) => mergeTree(git, onto, head),
    build: (request) => buildCommit(git, options.identity, request),
    async pushBranch(branch, commit) {
      const pushed = await pushNow({ branch, commit, expected: null })
      if (pushed.is !== 'moved') return pushed.is
      // It is there already: from a run that was interrupted, or from somebody else.
      const there = (await listHeads([`refs/heads/${branch}`])).get(`refs/heads/${branch}`)
      // Else the service has trouble, or a branch is in the way by now, which the next look finds.
      if (there === undefined) throw new GitError('push', { code: 'failed', stderr: `${branch} was not made` })
      return there === commit ? 'pushed' : 'taken'
    },
    async pushTarget(target, commit, from) {
      // The lease alone would let a push rewrite the target.
      if (!(await isAncestor(from, commit)))
        throw new GitError('push', { code: 'refused', stderr: `${commit} is not built on ${from}` })
      const pushed = await pushNow({ branch: target, commit, expected: from })
      return pushed.is === 'pushed' ? 'landed' : pushed.is
    },
    async deleteBranches(branches) {
      const pushed = await pushAll(branches.map(({ branch, commit }) => ({ branch, commit: null, expected: commit })))
      const refused = pushed.find((each) => each.is === 'refused')
      if (refused !== undefined) throw new GitError('push', { code: 'refused', stderr: refused.reason })
      if (pushed.every(({ is }) => is === 'pushed')) return
      const heads = await listHeads(branches.map(({ branch }) => `refs/heads/${branch}`))
      const stays = branches.find(({ branch, commit }) => heads.get(`refs/heads/${branch}`) === commit)
      // Nobody moved it: the service has trouble.
      if (stays) throw new GitError('push', { code: 'failed', stderr: `${stays.branch} was not deleted` })
    },
  }
}

/** `a` and `a/b` of `a/b/`. */
const prefixesOf = (prefix: string) => [...prefix.matchAll(/\//g)].map(({ index }) => prefix.slice(0, index))

/** By a hash: `a` may be gone when `a/b` comes, and some file systems do not tell `A` from `a`. */
const ownRef = (ref: string) => `refs/fetched/${createHash('sha256').update(ref).digest('hex').slice(0, 40)}`

/** Branches come from the service and from rule files. */
function checkedBranch(text: string): string {
  if (text === '' || noBranch.test(text))
    throw new GitError('branch', { code: 'unsafe_name', stderr: 'not the name of a branch' })
  return text
}
