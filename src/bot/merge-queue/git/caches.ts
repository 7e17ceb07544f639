// The folder of bare repositories: made, repaired, deleted when nobody uses them. Everything can be fetched again.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit } from './run-git.ts'

/** All together have at most so many times what one may have: one more than queues work at once. */
const mostCaches = 5
const unusedForMs = 30 * 24 * 60 * 60_000
/** A lock that is older belongs to a git that was killed. */
const longestLockMs = 60_000

/** What git says of a cache that it cannot read; a commit that it never saw is no fault of the cache. */
const broken =
  /not a git repository|bad object (?:HEAD|refs\/)|corrupt|loose object|broken link|unable to read|missing blob|missing tree|invalid object|invalid sha1 pointer|(?:index|pack) ?file .+ (?:is|cannot|far|does)/i

/** Lines of the service do not count. */
export const isBroken = (stderr: string) =>
  stderr.split('\n').some((line) => !line.startsWith('remote: ') && broken.test(line))

/** Makes the cache if there is none, or none that git can open. Throws GitError and GitMissing. */
export async function makeCache(directory: string, searchPath: string | undefined): Promise<void> {
  const { code } = await runGit(['rev-parse', '--is-bare-repository'], { searchPath, directory, accept: [1, 128] })
  if (code !== 0) {
    await removeCache(directory)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await runGit(['init', '--quiet', '--bare', '--template=', '--', directory], { searchPath })
  }
  const now = new Date()
  await utimes(directory, now, now)
}

export const removeCache = (directory: string) => rm(directory, { recursive: true, force: true })

/** Removes the lock that git complains of, unless somebody may hold it. Returns whether it is worth another try. */
export async function removeStaleLock(directory: string, stderr: string): Promise<boolean> {
  const [, path] = /Unable to create '(.+?\.lock)': File exists/.exec(stderr) ?? []
  if (path === undefined || !path.startsWith(`${directory}/`) || path.includes('..')) return false
  const lock = await stat(path).catch(() => undefined)
  if (lock !== undefined && Date.now() - lock.mtimeMs < longestLockMs) return false
  await rm(path, { force: true })
  return true
}

/** The space of all caches. */
export interface CacheSpace {
  /** One may have so many bytes. */
  mostBytes: number
  /** In bytes, when each was measured last. */
  sizes: Map<string, number>
  isUsed: (directory: string) => boolean
}

/** Before a fetch: deletes caches not opened for a month. Of the rest, the last opened stay, as many as fit with it. */
export async function makeSpace(
  folder: string,
  fetching: string,
  { mostBytes, sizes, isUsed }: CacheSpace,
): Promise<void> {
  const others = (await cachesIn(folder)).filter(({ directory }) => directory !== fetching)
  let left = (mostCaches - 1) * mostBytes
  for (const { directory, opened } of others.toSorted((one, other) => other.opened - one.opened)) {
    const measured = sizes.get(directory) ?? (await sizeOf(directory))
    sizes.set(directory, measured)
    // It may grow while it is used.
    const size = isUsed(directory) ? mostBytes : measured
    const stays = isUsed(directory) || (size <= left && Date.now() - opened <= unusedForMs)
    if (stays) left -= size
    else {
      sizes.delete(directory)
      await removeCache(directory)
    }
  }
}

async function cachesIn(folder: string): Promise<{ directory: string; opened: number }[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+\.git$/.test(name))
  return Promise.all(
    names.map(async (name) => {
      const directory = join(folder, name)
      const opened = await stat(directory).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      )
      return { directory, opened }
    }),
  )
}

/** What a fetch that was ended left behind. */
export async function removeUnfinished(directory: string): Promise<void> {
  const packs = join(directory, 'objects', 'pack')
  for (const name of await readdir(packs).catch(() => []))
    if (name.startsWith('tmp_')) await rm(join(packs, name), { recursive: true, force: true })
}

/** In bytes. What is deleted meanwhile does not count. */
export async function sizeOf(directory: string): Promise<number> {
  const all = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = all.filter((each) => each.isFile())
  const sizes = files.map(({ parentPath, name }) =>
    stat(join(parentPath, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Writes the authorities of whom git trusts, in PEM, and returns the path. */
export async function writeAuthorities(folder: string, authorities: string): Promise<string> {
  const path = join(folder, `authorities-${createHash('sha256').update(authorities).digest('hex').slice(0, 16)}.pem`)
  const present = await stat(path).catch(() => undefined)
  if (present !== undefined) return path
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const whole = `${path}-${randomUUID()}`
  await writeFile(whole, authorities)
  await rename(whole, path)
  return path
}
