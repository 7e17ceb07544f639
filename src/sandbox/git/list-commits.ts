// Lists commits by time and path.
import type { World } from '../storage/world.ts'
import { isFilePath } from './names.ts'
import { commitFormat, type GitCommit, parseCommits } from './read-commits.ts'

interface CommitFilter {
  head: string
  /** Milliseconds, inclusive. */
  since?: number
  until?: number
  /** The path of a file or folder. */
  path?: string
}

/** git reads only these years in a date. */
const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(2099, 11, 31)

/** One page, newest first. */
export async function pageOfCommits(
  world: World,
  projectId: number,
  wanted: CommitFilter,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ items: GitCommit[]; total: number }> {
  const args = argumentsOf(wanted)
  if (args === undefined) return { items: [], total: 0 }
  const total = Number(await world.git.text(projectId, ['rev-list', '--count', ...args]))
  const skip = (page - 1) * per_page
  if (skip >= total) return { items: [], total }
  const cut = ['log', '-z', '--encoding=UTF-8', commitFormat, `--skip=${skip}`, `--max-count=${per_page}`]
  return { items: parseCommits(await world.git.text(projectId, [...cut, ...args])), total }
}

/** Undefined when nothing can match. */
function argumentsOf({ head, since, until, path = '' }: CommitFilter): string[] | undefined {
  const file = path.replace(/\/+$/, '')
  if ((until ?? latest) < earliest || (since ?? earliest) > latest || (file !== '' && !isFilePath(file)))
    return undefined
  return [
    ...(since === undefined ? [] : [`--since=${secondsOf(since, Math.ceil)}`]),
    ...(until === undefined ? [] : [`--until=${secondsOf(until, Math.floor)}`]),
    '--end-of-options',
    head,
    '--',
    ...(file === '' ? [] : [file]),
  ]
}

/** Commits are dated to the second. */
function secondsOf(time: number, round: (seconds: number) => number) {
  const within = Math.min(Math.max(time, earliest), latest)
  return new Date(round(within / 1000) * 1000).toISOString().replace('.000', '')
}
