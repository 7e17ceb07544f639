// Runs git for the merge queue; its failures are codes, without the token.
import { scrub } from '../../../client/secrets.ts'
import { runGit as startGit } from '../../../git/start-git.ts'
import { basicOf, type CommitIdentity, gitEnvironment, type ServiceAccess } from './git-environment.ts'

export interface GitOptions {
  /** The search path of programs; that of the machine when absent. */
  searchPath?: string | undefined
  /** The repository; absent: none. */
  directory?: string
  access?: ServiceAccess
  identity?: CommitIdentity
  input?: string
  /** Ended afterwards; `gitTimeoutMs` when absent. */
  timeoutMs?: number
  /** No file that it writes may be larger; git writes one pack for each fetch. */
  mostBytes?: number | undefined
  /** Exit codes besides 0 that are an answer. */
  accept?: readonly number[]
}

export interface GitResult {
  code: number
  stdout: string
  stderr: string
}

export const gitTimeoutMs = 30_000
const mostOutput = 16 * 1024 * 1024
const longestMessage = 500
/** What git says of a service that answers 401, 403 or 404. */
const refusal = /returned error: 40[13]|Authentication failed for|could not read Username for|repository '.+' not found/

/**
 * `refused`: the service does not let the bot's user do it. `too_large`: a repository beyond the limit of size. `unsound`:
 * what was fetched has faulty objects.
 */
export type GitErrorCode =
  | 'failed'
  | 'refused'
  | 'timed_out'
  | 'too_large'
  | 'too_much_output'
  | 'unsafe_name'
  | 'unsound'

/** Git failed, or was not started for what it was to do. The message has no secret. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly code: GitErrorCode
  readonly stderr: string
  constructor(command: string, { code, stderr }: { code: GitErrorCode; stderr: string }) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the service's text may have them
    const text = stderr.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
    super(`git ${command}: ${code}: ${text.slice(0, longestMessage)}`)
    this.code = code
    this.stderr = stderr
  }
}

/** Throws GitError and GitMissing. */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { directory, timeoutMs = gitTimeoutMs, accept = [], access, input = '', mostBytes } = options
  const whole = [...(directory === undefined ? [] : [`--git-dir=${directory}`]), ...args]
  const env = gitEnvironment(options)
  const { output } = startGit({ args: whole, env, input, timeoutMs, mostOutput, mostBytes })
  const ended = await output
  const { code, isTimedOut, isTooLong } = ended
  // A service may repeat what it was sent.
  const stderr = access === undefined ? ended.stderr : scrub(ended.stderr, [access.token, basicOf(access.token)])
  const fail = (why: GitErrorCode, text = stderr) => new GitError(args[0] ?? '', { code: why, stderr: text })
  if (isTimedOut) throw fail('timed_out', `ended after ${timeoutMs / 1000} s. ${stderr}`)
  if (isTooLong) throw fail('too_much_output', `more than ${mostOutput} bytes`)
  if (/died of signal 25|File too large/.test(stderr)) throw fail('too_large')
  if (/^fatal: fsck error in/m.test(stderr)) throw fail('unsound')
  if (code === 0 || accept.includes(code)) return { code, stdout: ended.stdout.toString(), stderr }
  throw fail(access !== undefined && refusal.test(stderr) ? 'refused' : 'failed', `exit code ${code}. ${stderr}`)
}
