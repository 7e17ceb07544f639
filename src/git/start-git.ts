// Starts git, with limits of time, of output, and of the files that it writes.
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
