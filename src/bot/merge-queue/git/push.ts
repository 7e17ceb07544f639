// Pushes to the branches of a repository, each only if it is as expected, and reads what the service says of each.
import { oneLine } from '../../../rules/language/values/wording.ts'
import type { RefusedPush } from './repository.ts'
import { GitError, type GitOptions, runGit } from './run-git.ts'

/** What a branch may not have, so that it is no pattern and no second argument. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them too
const noBranch = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|^-/

/** Branches come from the service and from rule files. Throws GitError for a name that git could misread. */
export function checkedBranch(text: string): string {
  if (text === '' || noBranch.test(text))
    throw new GitError('branch', { code: 'unsafe_name', stderr: 'not the name of a branch' })
  return text
}

/** A change of one branch. */
export interface BranchUpdate {
  branch: string
  /** Null: the branch is deleted. */
  commit: string | null
  /** Null: the branch does not exist. */
  expected: string | null
}

/** The push that deletes a branch. */
export const deletion = (branch: string, expected: string): BranchUpdate => ({ branch, commit: null, expected })

/** `moved`: the branch is not as expected. `refused`: the service does not let the bot push. */
export type PushOutcome = { is: 'pushed' } | { is: 'moved' } | RefusedPush

const pushTimeoutMs = 2 * 60_000
const moved = /stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists/i
const mayNotPush = /returned error: 403|HTTP Basic: Access denied|not allowed to push|You are not allowed|GitLab:/i

/** What the service says, as git prints it; one line, without the frame that some put around it. */
function wordsOf(stderr: string): string | undefined {
  const lines = [...stderr.matchAll(/^remote:\s*(?:GitLab:\s*)?(.*\S)\s*$/gm)].map(([, text = '']) => text)
  const said = lines.filter((line) => /\w/.test(line)).join(' ')
  return said === '' ? undefined : oneLine(said)
}

/** Returns the outcomes in order. Throws GitError if git or the service fails. */
export async function push(options: GitOptions, url: string, pushes: readonly BranchUpdate[]): Promise<PushOutcome[]> {
  const refOf = ({ branch }: BranchUpdate) => `refs/heads/${checkedBranch(branch)}`
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
      return { is: 'refused', words: wordsOf(stderr) ?? (summary.trim() || undefined) }
    throw new GitError('push', { code: 'failed', stderr })
  })
}
