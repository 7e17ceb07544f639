// Pushes without force: each names the commit that it expects there, and git compares and swaps.
import { GitError, type GitOptions, runGit } from './run-git.ts'

export interface Push {
  url: string
  branch: string
  /** Null: the branch is deleted. */
  commit: string | null
  /** Null: the branch does not exist. */
  expected: string | null
}

/** `moved`: the branch is not as expected. `refused`: the service does not let the bot push. */
export type PushOutcome = { is: 'pushed' } | { is: 'moved' } | { is: 'refused'; reason: string }

const pushTimeoutMs = 2 * 60_000
const moved = /stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists/i
const mayNotPush = /returned error: 403|HTTP Basic: Access denied|not allowed to push|You are not allowed|GitLab:/i

/** Throws GitError where git or the service fails. */
export async function push(options: GitOptions, { url, branch, commit, expected }: Push): Promise<PushOutcome> {
  const ref = `refs/heads/${branch}`
  const args = [
    'push',
    '--porcelain',
    `--force-with-lease=${ref}:${expected ?? ''}`,
    '--',
    url,
    `${commit ?? ''}:${ref}`,
  ]
  const { code, stdout, stderr } = await runGit(args, { ...options, timeoutMs: pushTimeoutMs, accept: [1, 128] })
  if (code === 0) return { is: 'pushed' }
  // `!<TAB><from>:<to><TAB><summary> (<reason>)`
  const line = stdout.split('\n').find((each) => each.startsWith('!\t')) ?? ''
  if (moved.test(line)) return { is: 'moved' }
  if (line.includes('[remote rejected]') || mayNotPush.test(stderr))
    return { is: 'refused', reason: (line.split('\t')[2] ?? stderr).trim() }
  throw new GitError('push', { code, stderr })
}
