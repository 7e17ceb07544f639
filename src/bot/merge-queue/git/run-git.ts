// Runs git for the merge queue: without a terminal, hooks or configuration of the machine, and with a limit of time.
import { execFile } from 'node:child_process'

export interface GitOptions {
  /** The search path of programs; that of the machine when absent. */
  searchPath?: string | undefined
  /** The repository; absent: none. */
  directory?: string
  /** Sent with requests to this address only, and in no argument, URL or file. */
  access?: { url: string; token: string }
  /** Of a commit. `at`: in seconds since 1970. */
  identity?: { name: string; email: string; at: number }
  /** Killed afterwards; half a minute when absent. */
  timeoutMs?: number
  /** Exit codes besides 0 that are an answer. */
  accept?: readonly number[]
}

export interface GitResult {
  code: number
  stdout: string
  stderr: string
}

const mostOutput = 16 * 1024 * 1024
const longestMessage = 500

/** Git failed. The message has no secret. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly stderr: string
  constructor(command: string, { code, stderr }: Pick<GitResult, 'stderr'> & { code: number | string }) {
    super(`git ${command} failed (${code}): ${stderr.trim().slice(0, longestMessage)}`)
    this.stderr = stderr
  }
}

/** Git is not installed. */
export class GitMissing extends Error {
  override readonly name = 'GitMissing'
  constructor(cause: unknown) {
    super('The merge queue needs git 2.38 or newer: install it where the worker runs.', { cause })
  }
}

/** Hostile repositories and service answers must reach no program, file or other host. */
const safeConfig: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'http.followRedirects': 'false',
  'credential.helper': '',
  'gc.autoDetach': 'false',
  'submodule.recurse': 'false',
  'commit.gpgSign': 'false',
}

/** Throws GitError and GitMissing. */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { directory, timeoutMs = 30_000, accept = [] } = options
  const whole = [...(directory === undefined ? [] : [`--git-dir=${directory}`]), ...args]
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      whole,
      { env: environment(options), timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: mostOutput, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (typeof code === 'number' && (code === 0 || accept.includes(code))) resolve({ code, stdout, stderr })
        else if (code === 'ENOENT') reject(new GitMissing(error))
        else if (error?.killed === true)
          reject(new GitError(args[0] ?? '', { code: `stopped after ${timeoutMs / 1000} s`, stderr }))
        else reject(new GitError(args[0] ?? '', { code: String(code), stderr }))
      },
    )
  })
}

function environment({ searchPath, access, identity }: GitOptions): NodeJS.ProcessEnv {
  const config = Object.entries(safeConfig)
  if (access !== undefined) {
    const basic = Buffer.from(`oauth2:${access.token}`).toString('base64')
    config.push([`http.${access.url}.extraHeader`, `Authorization: Basic ${basic}`])
  }
  return {
    ...(searchPath === undefined ? {} : { PATH: searchPath }),
    LANG: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...(identity === undefined ? {} : identityOf(identity)),
  }
}

function identityOf({ name, email, at }: NonNullable<GitOptions['identity']>): NodeJS.ProcessEnv {
  const date = `${at} +0000`
  return {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  }
}
