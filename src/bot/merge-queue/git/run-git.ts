// Runs git for the merge queue, with limits of time, of output, and of the files that it writes.
import { spawn } from 'node:child_process'
import { scrub } from '../../../client/secrets.ts'
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
/** Until git, asked to end, has removed its locks. */
const graceMs = 2_000

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

/** Git is not installed, or too old. */
export class GitMissing extends Error {
  override readonly name = 'GitMissing'
  constructor(found: string, cause?: unknown) {
    super(`The merge queue needs git 2.38 or newer where the worker runs: ${found}.`, { cause })
  }
}

interface Ended extends GitResult {
  isTimedOut: boolean
  isTooLong: boolean
}

/** Throws GitError and GitMissing. */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { directory, timeoutMs = gitTimeoutMs, accept = [], access } = options
  const whole = [...(directory === undefined ? [] : [`--git-dir=${directory}`]), ...args]
  const ended = await start(whole, { ...options, timeoutMs })
  const { code, stdout, isTimedOut, isTooLong } = ended
  // A service may repeat what it was sent.
  const stderr = access === undefined ? ended.stderr : scrub(ended.stderr, [access.token, basicOf(access.token)])
  const fail = (why: GitErrorCode, text = stderr) => new GitError(args[0] ?? '', { code: why, stderr: text })
  if (isTimedOut) throw fail('timed_out', `ended after ${timeoutMs / 1000} s. ${stderr}`)
  if (isTooLong) throw fail('too_much_output', `more than ${mostOutput} bytes`)
  if (/died of signal 25|File too large/.test(stderr)) throw fail('too_large')
  if (/^fatal: fsck error in/m.test(stderr)) throw fail('unsound')
  if (code === 0 || accept.includes(code)) return { code, stdout, stderr }
  throw fail(access !== undefined && refusal.test(stderr) ? 'refused' : 'failed', `exit code ${code}. ${stderr}`)
}

/** In a group of its own: git's helpers, which talk to the service, end with it. */
function start(args: readonly string[], options: GitOptions & { timeoutMs: number }): Promise<Ended> {
  const { input = '', timeoutMs, mostBytes } = options
  const env = gitEnvironment(options)
  const [program, given] = mostBytes === undefined ? ['git', args] : limited(args, mostBytes)
  return new Promise((resolve, reject) => {
    const child = spawn(program, given, { env, stdio: 'pipe', detached: true })
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let size = 0
    const over = { isTimedOut: false, isTooLong: false }
    const end = (signal: NodeJS.Signals) => {
      try {
        process.kill(-(child.pid ?? 0), signal)
      } catch {
        // It has ended.
      }
    }
    let killing: NodeJS.Timeout | undefined
    const stop = () => {
      end('SIGTERM')
      killing ??= setTimeout(() => end('SIGKILL'), graceMs)
    }
    const timer = setTimeout(() => {
      over.isTimedOut = true
      stop()
    }, timeoutMs)
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => {
        size += chunk.length
        over.isTooLong ||= size > mostOutput
        if (over.isTooLong) stop()
        else output[name].push(chunk)
      })
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(new GitMissing('git cannot be started', error))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      clearTimeout(killing)
      const text = (name: 'stdout' | 'stderr') => Buffer.concat(output[name]).toString()
      resolve({ code: code ?? -1, stdout: text('stdout'), stderr: text('stderr'), ...over })
    })
    // Git may end before it has read everything.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** In blocks of 512 bytes, as POSIX counts them. */
function limited(args: readonly string[], bytes: number): [string, string[]] {
  const blocks = String(Math.max(1, Math.floor(bytes / 512)))
  return ['sh', ['-c', 'ulimit -f "$0" && exec git "$@"', blocks, ...args]]
}

/** Returns git's version. Throws GitMissing where it is not installed, or older than 2.38, which needs a work tree to merge. */
export async function checkGit(searchPath: string | undefined): Promise<string> {
  const { stdout } = await runGit(['version'], { searchPath })
  const [version = 'no version', major = 0, minor = 0] = /(\d+)\.(\d+)[.\d]*/.exec(stdout) ?? []
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38)) throw new GitMissing(`found ${version}`)
  return version
}
