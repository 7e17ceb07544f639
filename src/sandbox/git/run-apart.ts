// Starts git processes by way of one small process (bin/git-runner.cjs): starting one copies the page tables of whoever starts it, which takes 17 ms from 600 MB and 1 ms from there.
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/git-runner.cjs', import.meta.url))

export interface Said {
  code: number
  stdout: Buffer
  stderr: string
}
export interface Asked {
  args: readonly string[]
  env: Record<string, string>
  input: string | Buffer
  /** Milliseconds after which the process and what it started are ended. */
  timeLimit: number | undefined
  /** Bytes; a process that says more is ended, and its code is -1. */
  maxOutput: number
}
type Answer = { id: number } & (Said | { failure: string })

/** git could not be started: it is not there, or the machine has no room for one more process. */
export class NotStarted extends Error {}

interface Runner {
  child: ChildProcess
  waiting: Map<number, { resolve: (said: Said) => void; reject: (error: Error) => void }>
}

let runner: Runner | undefined
let lastId = 0

/** What was begun: `said` rejects with NotStarted, or when the process between has ended; `end` ends it. */
export interface Begun {
  said: Promise<Said>
  end: () => void
}

/** Begins one git process. `end` also ends what it started where it has a time limit. */
export function runApart(asked: Asked): Begun {
  return begin(asked)
}

/**
 * Begins one git process whose standard input and output are connections, and stream 3 where there is a third. They go over to git: who gives
 * them must neither have read from them nor read on. `end` also ends what it started.
 */
export function startApart(asked: Pick<Asked, 'args' | 'env'>, [input, ...others]: readonly [Socket, ...Socket[]]): Begun {
  return begin(asked, input, others)
}

function begin(asked: Partial<Asked>, input?: Socket, others: readonly Socket[] = []): Begun {
  runner ??= startRunner()
  const { child, waiting } = runner
  lastId += 1
  const id = lastId
  const said = new Promise<Said>((resolve, reject) => waiting.set(id, { resolve, reject }))
  child.channel?.ref()
  // The input goes last, with the question: whoever receives a connection reads from it, unless it is given away at once.
  for (const socket of others) child.send({ id }, socket)
  child.send({ id, ...asked }, input)
  return {
    said,
    end: () => {
      if (waiting.has(id) && child.connected) child.send({ end: [id] })
    },
  }
}

/** One for the whole process, which it outlives by nothing but what is still being done; it keeps nobody from ending. */
function startRunner(): Runner {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
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
    if ('failure' in answer) asker?.reject(new NotStarted(answer.failure))
    else asker?.resolve({ ...answer, stdout: Buffer.from(answer.stdout) })
  })
  child.once('error', gone)
  child.once('exit', () => gone())
  child.unref()
  child.channel?.unref()
  return { child, waiting }
}
