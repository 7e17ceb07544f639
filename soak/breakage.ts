// Breaks what a step of the schedule says, and heals it again: processes, servers, calls, hooks.

import type { CallFault } from '../src/sandbox/http/faults.ts'
import type { Sandbox } from '../src/sandbox/start-sandbox.ts'
import type { BotProcess } from './bot-process.ts'
import type { callFaults, Fault, ServerFault } from './schedule.ts'

export interface Breakage {
  /** Breaks it; the answer heals it. Undefined: it is broken already, or not there. */
  apply(fault: Fault): (() => void) | undefined
  /** Resolves when what was begun to break and heal is done; throws what went wrong with it. */
  done(): Promise<void>
  /** How many processes are on their way up, and can get there. */
  starting(): number
  /** What was broken, by kind. */
  counts: Record<string, number>
}

/** Keeps the queue or the journal. Each resolves when it is done; after `start` and `thaw` it can be used. */
export interface BreakableServer {
  kill(): Promise<void>
  start(): Promise<void>
  freeze(): Promise<void> | void
  thaw(): Promise<void> | void
  /** Resolves when the next fault may come. */
  recovered?(): Promise<void>
}

export interface BreakageOptions {
  sandbox: Sandbox
  processes: readonly BotProcess[]
  servers: Partial<Record<ServerFault, BreakableServer>>
}

const serviceFaults: Record<(typeof callFaults)[number], CallFault> = {
  500: { status: 500 },
  502: { status: 502 },
  503: { status: 503 },
  429: { status: 429, headers: { 'Retry-After': '1' } },
  slow: { delayMs: 700 },
  lose_response: 'lose_response',
  drop: 'drop',
  half_body: 'half_body',
  stall: 'stall',
}
// One that is never answered is waited for for ten seconds.
const seldom = { stall: 0.1 } as Partial<Record<string, number>>

/** Breaks and heals one thing after the other where it is the same thing. */
export function createBreakage({ sandbox, processes, servers }: BreakageOptions): Breakage {
  const counts: Record<string, number> = {}
  const lines = new Map<string, Promise<void>>()
  const down = new Set<ServerFault>()
  /** Also those that can be used again, and have not recovered. */
  const broken = new Set<ServerFault>()
  let starting = 0
  let wentDown = 0

  function inTurn(what: string, task: () => Promise<void> | void): void {
    lines.set(what, (lines.get(what) ?? Promise.resolve()).then(task))
  }
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }

  /** A process that cannot reach a server when it starts says so and ends: it is started again, as operators do. */
  async function start(process: BotProcess): Promise<void> {
    for (;;) {
      await Promise.all(Object.keys(servers).map((each) => lines.get(each)))
      const [wasDown, before] = [down.size > 0, wentDown]
      // It may be back by the time that the process has said why it ended.
      const excused = () => wasDown || down.size > 0 || wentDown > before
      if (await process.start(excused)) return
      if (!excused()) throw new Error(`${process.name} did not start`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  function breakProcess(fault: Extract<Fault, { break: 'kill' | 'terminate' }>): (() => void) | undefined {
    const process = processes[fault.process % processes.length]
    if (process?.url() === undefined) return undefined
    inTurn(process.name, () => process[fault.break]())
    return () => {
      starting += 1
      inTurn(process.name, async () => {
        // When two faults meet while it is frozen, both ends follow both beginnings: the first has started it.
        if (process.url() === undefined) await start(process)
        starting -= 1
      })
    }
  }

  /** It thaws by itself: while a process reads no hooks, the next step may not come. */
  function freezeProcess(fault: Extract<Fault, { break: 'freeze' }>): (() => void) | undefined {
    const process = processes[fault.process % processes.length]
    if (process?.url() === undefined) return undefined
    inTurn(process.name, () => process.freeze(fault.seconds * 1000))
    return () => undefined
  }

  function breakServer(fault: Extract<Fault, { break: ServerFault }>): (() => void) | undefined {
    const name = fault.break
    const server = servers[name]
    if (server === undefined || broken.has(name)) return undefined
    down.add(name)
    broken.add(name)
    wentDown += 1
    inTurn(name, () => (fault.do === 'stop' ? server.kill() : server.freeze()))
    return () => {
      inTurn(name, async () => {
        await (fault.do === 'stop' ? server.start() : server.thaw())
        down.delete(name)
      })
      const used = lines.get(name)
      inTurn(`${name} recovers`, async () => {
        await used
        await server.recovered?.()
        broken.delete(name)
      })
    }
  }

  function apply(fault: Fault): (() => void) | undefined {
    switch (fault.break) {
      case 'kill':
      case 'terminate':
        return breakProcess(fault)
      case 'freeze':
        return freezeProcess(fault)
      case 'redis':
      case 'postgres':
        return breakServer(fault)
      case 'calls': {
        const chance = fault.chance * (seldom[fault.do] ?? 1)
        return sandbox.faults.api({ caller: 'bellhop', chance, do: serviceFaults[fault.do] })
      }
      case 'hooks': {
        const heal = sandbox.faults.hooks({ chance: fault.chance, do: fault.do })
        return () => {
          heal()
          sandbox.faults.releaseHooks()
        }
      }
      default:
        return fault satisfies never
    }
  }

  return {
    counts,
    // While a server is away none gets up: only the next steps bring it back.
    starting: () => (down.size > 0 ? 0 : starting),
    apply(fault) {
      const heal = apply(fault)
      if (heal !== undefined) count(nameOf(fault))
      return heal
    },
    async done() {
      await Promise.all(lines.values())
    },
  }
}

function nameOf(fault: Fault): string {
  if (fault.break === 'freeze') return `freeze: ${fault.seconds} s`
  return 'do' in fault ? `${fault.break}: ${fault.do}` : fault.break
}
