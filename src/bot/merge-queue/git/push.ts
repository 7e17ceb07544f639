// Pushes without force: each names the commit that it expects there, and git compares and swaps.
import { GitError, type GitOptions, runGit } from './run-git.ts'

export interface Push {
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

/** Returns the outcomes in order, each independent of the others. Throws GitError if git or the service fails. */
export async function push(options: GitOptions, url: string, pushes: readonly Push[]): Promise<PushOutcome[]> {
  const refOf = ({ branch }: Push) => `refs/heads/${branch}`
  const args = [
    ...['push', '--porcelain'],
    ...pushes.map((each) => `--force-with-lease=${refOf(each)}:${each.expected ?? ''}`),
    ...['--', url],
    ...pushes.map((each) => `${each.commit ?? ''}:${refOf(each)}`),
  ]
  const { code, stdout, stderr } = await runGit(args, { ...options, timeoutMs: pushTimeoutMs, accept: [1, 128] })
  // `<flag><TAB><from>:<to><TAB><summary> (<reason>)`
  const lines = stdout.split('\n').map((line) => line.split('\t'))
  return pushes.map((each) => {
    const [flag, , summary = ''] = lines.find(([, refs]) => refs?.endsWith(`:${refOf(each)}`)) ?? []
    if (code === 0 || (flag !== undefined && flag !== '!')) return { is: 'pushed' }
    if (moved.test(summary)) return { is: 'moved' }
    if (summary.includes('[remote rejected]') || mayNotPush.test(stderr))
      return { is: 'refused', reason: (summary || stderr).trim() }
    throw new GitError('push', { code: 'failed', stderr })
  })
}
