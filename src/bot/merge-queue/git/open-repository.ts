// The bare cache of a project's repository, in the worker's own folder. It holds nothing that cannot be fetched again.
import { join, resolve } from 'node:path'
import { Mutex } from 'async-mutex'
import { checkGit } from '../../../git/start-git.ts'
import type { BotUserLookup } from '../../service/bot-token.ts'
import { buildCommit } from './build-commit.ts'
import { type CacheSpace, isBroken, makeCache, removeCache, writeAuthorities } from './caches.ts'
import { createFetch, type RefCommit } from './fetch.ts'
import { basesOf, checkedCommit, type GitCommand, mergeTree } from './merge-tree.ts'
import { type BranchUpdate, checkedBranch, deletion, type PushOutcome, push } from './push.ts'
import type { BranchPush, OpenRepository, QueueRepository } from './repository.ts'
import { GitError, type GitOptions, type GitResult, gitTimeoutMs, runGit } from './run-git.ts'

/** Where git works, and with which service. */
export interface GitSettings {
  /** The folder of the repositories. */
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
  token: () => string
  /** Who makes commits. */
  identity: () => Promise<{ name: string; email: string }>
}

/** Who makes the queue's commits: the bot user with its commit address, or as services name people without one. */
export function createGitIdentity(botUser: BotUserLookup, serviceUrl: string): RepositoryOptions['identity'] {
  return async () => {
    const { username, commitEmail } = await botUser()
    return { name: username, email: commitEmail ?? `${username}@users.noreply.${new URL(serviceUrl).hostname}` }
  }
}

/** A branch may have many commits, and each may take git long. */
const longestBuildMs = 5 * 60_000
const mostLooks = 3
/** Opens repositories; each method throws GitError and GitMissing. A broken cache is deleted and the error thrown. */
export function createOpenRepository(options: RepositoryOptions): OpenRepository {
  const mutexes = new Map<string, Mutex>()
  const base = options.serviceUrl.replace(/(\/api\/v4)?\/*$/, '')
  const space: CacheSpace = {
    mostBytes: options.mostBytes,
    sizes: new Map(),
    isUsed: (directory) => mutexes.get(directory)?.isLocked() === true,
  }
  let isReady = false
  return async ({ id, path }) => {
    const url = repositoryUrl(base, path)
    const directory = join(resolve(options.workDir), `${id}.git`)
    const mutex = mutexes.get(directory) ?? new Mutex()
    mutexes.set(directory, mutex)
    if (!isReady) await checkGit(options.searchPath)
    isReady = true
    const authorities = await writeAuthorities(options.workDir, options.authorities)
    await mutex.runExclusive(() => makeCache(directory, options.searchPath))
    return createQueueRepository({ ...options, authorities }, { directory, mutex, space, base, url })
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
  space: CacheSpace
  base: string
  mutex: Mutex
  url: string
}

function createQueueRepository(
  options: RepositoryOptions,
  { directory, mutex, space, base, url }: Cache,
): QueueRepository {
  async function git(args: readonly string[], given: GitOptions = {}): Promise<GitResult> {
    try {
      return await runGit(args, { directory, searchPath: options.searchPath, ...given })
    } catch (error) {
      const isFault = error instanceof GitError && error.code !== 'unsound' && isBroken(error.stderr)
      if (isFault) await removeCache(directory)
      throw error
    }
  }
  const remote = (): GitOptions => ({
    directory,
    searchPath: options.searchPath,
    access: { url: base, token: options.token(), proxy: options.proxy, authorities: options.authorities },
  })
  const inUse = new Map<string, RefCommit>()
  const use = (branch: string, commit: string) => {
    const wanted = { ref: `refs/heads/${checkedBranch(branch)}`, commit }
    inUse.set(branch, wanted)
    return wanted
  }
  const { present, fetchMissing, fetchEach } = createFetch({
    git,
    remote,
    url,
    directory,
    workDir: resolve(options.workDir),
    space,
    mutex,
    searchPath: options.searchPath,
    inUse,
  })

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

  /** It is there already: from a run that was interrupted, or from somebody else. */
  async function foundThere(branch: string, commit: string): Promise<BranchPush> {
    const there = (await listHeads([`refs/heads/${branch}`])).get(`refs/heads/${branch}`)
    // Else the service has trouble, or a branch is in the way by now, which the next look finds.
    if (there === undefined) throw new GitError('push', { code: 'failed', stderr: `${branch} was not made` })
    return there === commit ? 'pushed' : 'taken'
  }

  const pushAll = async (given: readonly BranchUpdate[]) => push(remote(), url, given)
  const pushNow = async (given: BranchUpdate) => (await pushAll([given]))[0] as PushOutcome

  return {
    async heads(branch, prefix) {
      const ref = `refs/heads/${checkedBranch(branch)}`
      const queue = `refs/heads/${checkedBranch(prefix)}`
      for (let attempt = 1; ; attempt += 1) {
        const above = prefixesOf(prefix)
        const refs = await listHeads([ref, `${queue}*`, ...above.map((name) => `refs/heads/${name}`)])
        const commit = refs.get(ref)
        const inTheWay = above.find((name) => refs.has(`refs/heads/${name}`))
        const found = [...refs].filter(([name]) => name.startsWith(queue))
        const branches = new Map(found.map(([name, each]) => [name.slice('refs/heads/'.length), each]))
        const rest = { branches, inTheWay }
        if (commit === undefined) return rest
        use(branch, commit)
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
      await fetchMissing(branches.map(({ branch, commit }) => use(branch, commit)))
    },
    async fetchHeads(members) {
      return fetchEach(members.map(({ iid, head }) => ({ ref: `refs/merge-requests/${iid}/head`, commit: head })))
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
    async isSameContent({ target, before, after }) {
      const ref = `refs/heads/${checkedBranch(target)}`
      const head = (await listHeads([ref])).get(ref)
      if (head === undefined) return false
      await fetchMissing([use(target, head)])
      try {
        // By their ids: no ref has the head before any more.
        await fetchMissing([before, after].map((commit) => ({ ref: checkedCommit(commit), commit })))
        const [base, ...others] = await basesOf(git, head, after)
        // Of several, one alone shows another change.
        if (base === undefined || others.length > 0) return false
        // On an older one, it brings again what the target has taken back since.
        for (const each of await basesOf(git, head, before)) if (!(await isAncestor(each, base))) return false
        // Where both merged each other, git's merge may bring what no diff shows.
        if ((await basesOf(git, base, before)).length > 1) return false
        return (await mergeTree(git, base, before)) === (await treeOf(after))
      } catch (error) {
        if (!(error instanceof GitError)) throw error
        // Too large or too slow is then the head, not the repository.
        throw new GitError('merge-tree', { code: 'failed', stderr: error.message })
      }
    },
    build: (request) => buildCommit(within(git, longestBuildMs), options.identity, request),
    async pushBranches(made, unneeded = []) {
      for (const each of unneeded) inUse.delete(each.branch)
      const all = [
        ...made.map((each): BranchUpdate => ({ ...each, expected: null })),
        ...unneeded.map((each) => deletion(each.branch, each.commit)),
      ]
      const together = await pushAll(all)
      const outcomes: BranchPush[] = []
      for (const [index, { branch, commit }] of made.entries()) {
        // The service refuses a whole push for one branch that may not be made or deleted.
        const isRefused = together[index]?.is === 'refused' && all.length > 1
        const pushed = isRefused ? await pushNow({ branch, commit, expected: null }) : together[index]
        if (pushed?.is === 'pushed') use(branch, commit)
        if (pushed?.is === 'refused') outcomes.push(pushed)
        else outcomes.push(pushed?.is === 'pushed' ? 'pushed' : await foundThere(branch, commit))
      }
      return outcomes
    },
    async pushTarget(target, commit, from) {
      // The lease alone would let a push rewrite the target.
      if (!(await isAncestor(from, commit)))
        throw new GitError('push', { code: 'refused', stderr: `${commit} is not built on ${from}` })
      const pushed = await pushNow({ branch: target, commit, expected: from })
      if (pushed.is === 'refused') return pushed
      return pushed.is === 'pushed' ? 'landed' : 'moved'
    },
    async deleteBranches(branches) {
      for (const { branch } of branches) inUse.delete(branch)
      const pushed = await pushAll(branches.map((each) => deletion(each.branch, each.commit)))
      const refused = pushed.find((each) => each.is === 'refused')
      if (refused !== undefined) throw new GitError('push', { code: 'refused', stderr: refused.words ?? 'refused' })
      if (pushed.every(({ is }) => is === 'pushed')) return
      const heads = await listHeads(branches.map(({ branch }) => `refs/heads/${branch}`))
      const stays = branches.find(({ branch, commit }) => heads.get(`refs/heads/${branch}`) === commit)
      // Nobody moved it: the service has trouble.
      if (stays) throw new GitError('push', { code: 'failed', stderr: `${stays.branch} was not deleted` })
    },
  }
}

/** All runs together take no longer; each that begins, or goes on, after that fails as timed out. */
function within(git: GitCommand, longestMs: number): GitCommand {
  const until = Date.now() + longestMs
  return (args, given = {}) =>
    git(args, { ...given, timeoutMs: Math.max(1, Math.min(given.timeoutMs ?? gitTimeoutMs, until - Date.now())) })
}

/** `a` and `a/b` of `a/b/`. */
const prefixesOf = (prefix: string) => [...prefix.matchAll(/\//g)].map(({ index }) => prefix.slice(0, index))
