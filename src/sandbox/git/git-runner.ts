// Starts git from one small process (bin/git-runner.cjs): forking a process of 600 MB takes 17 ms of copying page
// tables, there 1 ms.
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/git-runner.cjs', import.meta.url))

export interface GitOutput {
  code: number
  stdout: Buffer
  stderr: string
}
interface GitRequest {
  args: readonly string[]
  env: Record<string, string>
  input: string | Buffer
  /** Milliseconds until the process and its children are ended. */
  timeLimit: number | undefined
  /** Bytes; longer output ends the process with code -1. */
  maxOutput: number
}
type Answer = { id: number } & (GitOutput | { failure: string })

/** git is not installed, or the machine cannot start another process. */
export class GitStartError extends Error {}

interface Runner {
  child: ChildProcess
  waiting: Map<number, { resolve: (output: GitOutput) => void; reject: (error: Error) => void }>
}

let runner: Runner | undefined
let lastId = 0

export interface GitProcess {
  output: Promise<GitOutput>
  /** Also ends its children where it has a time limit. */
  end: () => void
}

/** Starts git. With sockets, they are its stdin, stdout and optional stream 3; nobody else may read from them. */
export function startGit(request: Partial<GitRequest>, [input, ...others]: readonly Socket[] = []): GitProcess {
  runner ??= startRunner()
  const { child, waiting } = runner
  lastId += 1
  const id = lastId
  const output = new Promise<GitOutput>((resolve, reject) => waiting.set(id, { resolve, reject }))
  child.channel?.ref()
  // The input goes last, with the request: Node reads a received socket unless it is passed on at once.
  for (const socket of others) child.send({ id }, socket)
  child.send({ id, ...request }, input)
  return {
    output,
    end: () => {
      if (waiting.has(id) && child.connected) child.send({ end: [id] })
    },
  }
}

/** One for the whole process; does not keep it alive. */
function startRunner(): Runner {
  const child = fork(program, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  })
  const waiting: Runner['waiting'] = new Map()
  const gone = (cause?: Error) => {
    if (runner?.child === child) runner = undefined
    for (const { reject } of waiting.values()) reject(new Error('the process that starts git has ended', { cause }))
    waiting.clear()
  }
  child.on('message', (message) => {
    const { id, ...answer } = message as Answer
    const asker = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) child.channel?.unref()
    if ('failure' in answer) asker?.reject(new GitStartError(answer.failure))
    else asker?.resolve({ ...answer, stdout: Buffer.from(answer.stdout) })
  })
  child.once('error', gone)
  child.once('exit', () => gone())
  child.unref()
  child.channel?.unref()
  return { child, waiting }
}
