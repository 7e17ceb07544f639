// Lists commits, all or those of a path.
import type { World } from '../storage/world.ts'
import { isFilePath } from './names.ts'
import { commitFormat, type GitCommit, parseCommits } from './read-commits.ts'

/** One page, newest first. */
export async function pageOfCommits(
  world: World,
  projectId: number,
  { head, path = '' }: { head: string; path?: string },
  { page, per_page }: { page: number; per_page: number },
): Promise<{ items: GitCommit[]; total: number }> {
  const file = path.replace(/\/+$/, '')
  if (file !== '' && !isFilePath(file)) return { items: [], total: 0 }
  const args = ['--end-of-options', head, '--', ...(file === '' ? [] : [file])]
  const total = Number(await world.git.text(projectId, ['rev-list', '--count', ...args]))
  const skip = (page - 1) * per_page
  if (skip >= total) return { items: [], total }
  const cut = ['log', '-z', '--encoding=UTF-8', commitFormat, `--skip=${skip}`, `--max-count=${per_page}`]
  return { items: parseCommits(await world.git.text(projectId, [...cut, ...args])), total }
}
