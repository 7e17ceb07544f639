// Starts git with limits of time, output and written file sizes; without a terminal, the machine's settings, or hooks.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

interface GitRequest {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  input?: string | Buffer
  /** Git is ended after this time. */
  timeoutMs?: number
  /** In bytes. Git is ended when it writes more. */
  mostOutput: number
  /** No file that it writes may be larger; git writes one pack for each fetch. */
  mostBytes?: number
}

export interface GitOutput {
  /** -1 if it was ended. */
  code: number
  stdout: Buffer
  stderr: string
  isTimedOut: boolean
  isTooLong: boolean
}

/** Git is not installed, or too old. */
export class GitMissing extends Error {
  override readonly name = 'GitMissing'
  constructor(found: string, cause?: unknown) {
    super(`git 2.38 or newer is needed: ${found}.`, { cause })
  }
}

/** How long git may take to remove its locks after SIGTERM. */
const graceMs = 2_000

/** Starts git in its own process group, so that `end` also ends its helpers, which talk to the service. */
export function startGit(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { mostBytes, stdio = 'pipe' }: { mostBytes?: number; stdio?: StdioOptions } = {},
): { child: ChildProcess; end: () => void } {
  const [program, given] = mostBytes === undefined ? ['git', args] : limited(args, mostBytes)
  const child = spawn(program, given, { env, stdio, detached: true })
  let killing: NodeJS.Timeout | undefined
  let isClosed = false
  child.once('close', () => {
    isClosed = true
    clearTimeout(killing)
  })
  const send = (signal: NodeJS.Signals) => {
    if (child.pid === undefined || isClosed) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // It has ended.
    }
  }
  const end = () => {
    send('SIGTERM')
    killing ??= setTimeout(() => send('SIGKILL'), graceMs)
  }
  return { child, end }
}

/** Runs git to its end. The output rejects with GitMissing. */
export function runGit({ args, env, input = '', timeoutMs, mostOutput, mostBytes }: GitRequest): {
  output: Promise<GitOutput>
  end: () => void
} {
  const { child, end } = startGit(args, env, { mostBytes })
  const output = new Promise<GitOutput>((resolve, reject) => {
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let size = 0
    let isTimedOut = false
    const expire = () => {
      isTimedOut = true
      end()
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs)
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > mostOutput) end()
        else chunks[name].push(chunk)
      })
    child.once('error', (cause) => {
      clearTimeout(timer)
      reject(new GitMissing('it cannot be started', cause))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      const isTooLong = size > mostOutput
      resolve({
        code: isTooLong || code === null ? -1 : code,
        stdout: Buffer.concat(chunks.stdout),
        stderr: Buffer.concat(chunks.stderr).toString(),
        isTimedOut,
        isTooLong,
      })
    })
    // Git may end before it has read everything.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
  return { output, end }
}

/** The limit in blocks of 512 bytes, as POSIX counts them. */
function limited(args: readonly string[], bytes: number): [string, string[]] {
  const blocks = String(Math.max(1, Math.floor(bytes / 512)))
  return ['sh', ['-c', 'ulimit -f "$0" && exec git "$@"', blocks, ...args]]
}

/** Settings are passed with the command, so that no file holds them. */
export function gitEnvironment(config: Readonly<Record<string, string>>): Record<string, string> {
  const settings = Object.entries({ 'core.hooksPath': '/dev/null', ...config })
  return {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    // A push can bring replacements: one commit must not stand for another.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Empty, not absent: git would use SSH_ASKPASS instead.
    GIT_ASKPASS: '',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

/** Returns git's version. Throws GitMissing if it is not installed, or older than 2.38. */
export async function checkGit(searchPath: string | undefined): Promise<string> {
  const env = { ...gitEnvironment({}), PATH: searchPath }
  const { stdout } = await runGit({ args: ['version'], env, mostOutput: 10_000 }).output
  const [version = 'no version', major = 0, minor = 0] = /(\d+)\.(\d+)[.\d]*/.exec(stdout.toString()) ?? []
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38)) throw new GitMissing(`found ${version}`)
  return version
}
