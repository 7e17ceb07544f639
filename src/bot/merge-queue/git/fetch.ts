// Fetches into a repository's cache, one fetch at a time: within size limits, and past heads that cannot be fetched.
import { createHash } from 'node:crypto'
import type { Mutex } from 'async-mutex'
import {
  type CacheSpace,
  isBroken,
  makeCache,
  makeSpace,
  removeCache,
  removeStaleLock,
  removeUnfinished,
  sizeOf,
} from './caches.ts'
import { checkedCommit, type GitCommand } from './merge-tree.ts'
import { GitError, type GitOptions } from './run-git.ts'

export interface RefCommit {
  ref: string
  commit: string
}

interface FetchOptions {
  git: GitCommand
  remote: () => GitOptions
  url: string
  directory: string
  /** The folder of all caches. */
  workDir: string
  space: CacheSpace
  mutex: Mutex
  searchPath: string | undefined
  /** What this run works on: the target, and what it built. */
  inUse: ReadonlyMap<string, RefCommit>
}

const timeoutMs = 10 * 60_000

/** Every method throws GitError. */
export function createFetch({ git, remote, url, directory, workDir, space, mutex, searchPath, inUse }: FetchOptions) {
  const { mostBytes, sizes } = space

  /** Those of the commits that the cache has. */
  async function present(commits: readonly string[]): Promise<Set<string>> {
    const input = commits.map((commit) => `${checkedCommit(commit)}\n`).join('')
    const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input })
    return new Set(commits.filter((commit) => stdout.includes(`${commit} commit\n`)))
  }

  async function fetchRefs(refs: readonly string[]): Promise<void> {
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', url]
    const given = { ...remote(), timeoutMs, mostBytes }
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

  async function fetchWithinLimit(refs: readonly string[]): Promise<void> {
    await fetchRefs(refs)
    const size = await sizeOf(directory)
    sizes.set(directory, size)
    if (size <= mostBytes) return
    throw new GitError('fetch', { code: 'too_large', stderr: `the repository has more than ${mostBytes} bytes` })
  }

  /** A cache beyond the limit is made anew, empty. */
  function fetchOnce(wanted: readonly RefCommit[]): Promise<void> {
    return mutex.runExclusive(async () => {
      const known = await present(wanted.map(({ commit }) => commit))
      const missing = wanted.filter(({ commit }) => !known.has(commit)).map(({ ref }) => ref)
      if (missing.length === 0) return
      await makeSpace(workDir, directory, space)
      try {
        await fetchWithinLimit([...new Set(missing)])
      } catch (error) {
        await removeUnfinished(directory)
        if (!isTooLarge(error)) throw error
        await removeCache(directory)
        await makeCache(directory, searchPath)
        throw error
      }
    })
  }

  /** What the service lacks stays missing. What does not fit into a new cache next to this run's commits never does. */
  async function fetchMissing(wanted: readonly RefCommit[]): Promise<void> {
    const all = [...inUse.values(), ...wanted]
    await fetchOnce(all).catch((error: unknown) => {
      if (!isTooLarge(error)) throw error
      return fetchOnce(all)
    })
  }

  /** Each by itself if they cannot be fetched together: a commit, and that it is there, or why it cannot be. */
  async function fetchEach(wanted: readonly RefCommit[]): Promise<Map<string, 'there' | GitError>> {
    const states = new Map<string, 'there' | GitError>()
    const attempt = (fetching: Promise<void>) => fetching.then(() => undefined, ofHead)
    const isWhole = wanted.length > 1 && (await attempt(fetchOnce(wanted))) === undefined
    const fetched: RefCommit[] = []
    for (const each of isWhole ? [] : wanted) {
      const error = await attempt(fetchMissing([...fetched, each]))
      if (error === undefined) fetched.push(each)
      else states.set(each.commit, error)
    }
    // The cache was emptied.
    if ([...states.values()].some(isTooLarge)) await fetchMissing(fetched)
    for (const commit of await present(wanted.map(({ commit }) => commit))) states.set(commit, 'there')
    return states
  }

  return { present, fetchMissing, fetchEach }
}

const isTooLarge = (error: unknown) => error instanceof GitError && error.code === 'too_large'

/** Throws what is no fault of a head: of the service, of the cache or of the machine. */
function ofHead(error: unknown): GitError {
  const isOfHead = error instanceof GitError && error.code !== 'refused'
  if (isOfHead && (error.code !== 'failed' || !(isBroken(error.stderr) || noSpace.test(error.stderr)))) return error
  throw error
}

const noSpace = /No space left on device/

/** Named by a hash: `a` may be gone when `a/b` comes, and some file systems do not tell `A` from `a`. */
const ownRef = (ref: string) => `refs/fetched/${createHash('sha256').update(ref).digest('hex').slice(0, 40)}`
