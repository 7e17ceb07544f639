// Runs git for the merge queue: no helper programs, no host but the service; its failures are codes, without the token.
import { scrub } from '../../../client/errors.ts'
import { gitEnvironment as safeEnvironment, runGit as startGit } from '../../../git/start-git.ts'

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
 * `refused`: the service does not let the bot's user do it. `too_large`: a repository beyond the size limit. `unsound`:
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

/** How git reaches the service; all of it as the client of the API does. */
export interface ServiceAccess {
  /** Requests to other addresses get no token. */
  url: string
  token: string
  /** With user and password, if it needs them. */
  proxy?: string | undefined
  /** A file of trusted authorities (PEM). */
  authorities: string
}

/** Who made a commit. `at`: in seconds since 1970. */
export interface CommitIdentity {
  name: string
  email: string
  at: number
}

const safeConfig: Readonly<Record<string, string>> = {
  'core.attributesFile': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'http.followRedirects': 'false',
  'credential.helper': '',
  'gc.autoDetach': 'false',
  'pack.threads': '1',
  'pack.windowMemory': '100m',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'commit.gpgSign': 'false',
  'push.gpgSign': 'false',
  // Faults of old commits that services let in as well.
  'fetch.fsckObjects': 'true',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
}

/** As a header, so that the token is in no argument, URL or file. */
const basicOf = (token: string) => Buffer.from(`oauth2:${token}`).toString('base64')

function gitEnvironment({ searchPath, access, identity }: GitOptions): NodeJS.ProcessEnv {
  return {
    ...(searchPath === undefined ? {} : { PATH: searchPath }),
    HOME: '/nonexistent',
    ...safeEnvironment({ ...safeConfig, ...(access && configOf(access)) }),
    ...(identity && identityOf(identity)),
  }
}

function configOf({ url, token, proxy, authorities }: ServiceAccess): Record<string, string> {
  return {
    [`http.${url}.extraHeader`]: `Authorization: Basic ${basicOf(token)}`,
    'http.sslCAInfo': authorities,
    'http.proxySSLCAInfo': authorities,
    ...(proxy === undefined ? {} : { 'http.proxy': proxy }),
  }
}

function identityOf({ name, email, at }: CommitIdentity): NodeJS.ProcessEnv {
  const fields = { NAME: name, EMAIL: email, DATE: `@${at} +0000` }
  const named = (role: string) => Object.entries(fields).map(([field, value]) => [`GIT_${role}_${field}`, value])
  return Object.fromEntries([...named('AUTHOR'), ...named('COMMITTER')])
}
