// Reads commits and files out of a bare repository.

import { repositoryFolder, type World } from '../world.ts'
import { textOf } from './git.ts'

export interface GitCommit {
  id: string
  parents: string[]
  author_name: string
  author_email: string
  created_at: string
  message: string
  title: string
}
export interface GitFile {
  blob_id: string
  content: Buffer
}

export const commitFormat = '--format=%H%x00%P%x00%an%x00%ae%x00%cI%x00%B'

/** What `git log -z` says in that format. */
export function parseCommits(text: string): GitCommit[] {
  const fields = text.split('\0')
  const commits: GitCommit[] = []
  for (let at = 0; at + 6 <= fields.length; at += 6) {
    const [id = '', parents = '', author_name = '', author_email = '', created_at = '', message = ''] = fields.slice(at, at + 6)
    commits.push({
      id,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      author_name,
      author_email,
      created_at: readTime(created_at),
      message,
      title: message.split('\n')[0] ?? '',
    })
  }
  return commits
}

/** Whoever pushes writes the date of a commit; one that is none, or that no calendar has, is told as the beginning of time. */
function readTime(text: string): string {
  const time = Date.parse(text)
  return new Date(Number.isNaN(time) ? 0 : time).toISOString()
}

/** Exactly these commits, in the given order. */
export async function readCommits(world: World, projectId: number, shas: readonly string[]): Promise<GitCommit[]> {
  if (shas.length === 0) return []
  const args = ['log', '-z', '--no-walk=unsorted', '--encoding=UTF-8', commitFormat, '--stdin']
  const answer = await world.git.readForGood(repositoryFolder(world, projectId), args, `${shas.join('\n')}\n`)
  const found = parseCommits(textOf(answer, args))
  const byId = new Map(found.map((commit) => [commit.id, commit]))
  return shas.flatMap((sha) => byId.get(sha) ?? [])
}

/** One commit that is known to exist. */
export async function readCommit(world: World, projectId: number, sha: string): Promise<GitCommit> {
  const [commit] = await readCommits(world, projectId, [sha])
  if (commit === undefined) throw new Error(`no commit ${sha}`)
  return commit
}

/** What `to` has and `from` has not, newest first. */
export async function commitsBetween(
  world: World,
  projectId: number,
  from: string | null,
  to: string,
  limit?: number,
): Promise<GitCommit[]> {
  const count = limit === undefined ? [] : [`--max-count=${limit}`]
  const range = from === null ? [to] : [`${from}..${to}`]
  const args = ['log', '-z', '--encoding=UTF-8', ...count, commitFormat, '--end-of-options', ...range]
  return parseCommits(textOf(await world.git.readForGood(repositoryFolder(world, projectId), args), args))
}

/** How many commits `to` has and `from` has not. */
export async function countBetween(world: World, projectId: number, from: string | null, to: string): Promise<number> {
  const args = ['rev-list', '--count', '--end-of-options', from === null ? to : `${from}..${to}`]
  return Number(textOf(await world.git.readForGood(repositoryFolder(world, projectId), args), args).trim())
}

/** Where two commits parted, or null when they have nothing in common. */
export async function mergeBase(world: World, projectId: number, one: string, other: string): Promise<string | null> {
  const result = await world.git.readForGood(repositoryFolder(world, projectId), ['merge-base', one, other])
  return result.code === 0 ? result.stdout.toString().trim() : null
}

/** A file as it is in a commit, or undefined. */
export async function readFile(world: World, projectId: number, commit: string, path: string): Promise<GitFile | undefined> {
  const result = await world.git.readForGood(repositoryFolder(world, projectId), ['cat-file', '--batch'], `${commit}:${path}\n`)
  const end = result.stdout.indexOf('\n')
  const [, blob_id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(result.stdout.subarray(0, end).toString()) ?? []
  if (blob_id === undefined) return undefined
  return { blob_id, content: result.stdout.subarray(end + 1, end + 1 + Number(size)) }
}

/** The newest commit, seen from `commit`, that touched a file. */
export async function lastCommitOf(world: World, projectId: number, commit: string, path: string): Promise<string> {
  const args = ['log', '--max-count=1', '--format=%H', '--end-of-options', commit, '--', path]
  return textOf(await world.git.readForGood(repositoryFolder(world, projectId), args), args).trim()
}

/** Those of some commits that `target` has not among its own; one process, however many they are. */
export async function commitsMissingIn(world: World, projectId: number, target: string, commits: readonly string[]): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  const input = `${[`^${target}`, ...commits].join('\n')}\n`
  const missing = new Set((await world.git.text(repositoryFolder(world, projectId), ['rev-list', '--stdin'], { input })).split('\n'))
  return new Set(commits.filter((commit) => missing.has(commit)))
}
