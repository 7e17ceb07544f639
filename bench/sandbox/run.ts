// Measures the sandbox: against a bare Express handler with the same answers, and with few and with many projects.
import { fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Bench, Row } from '../row.ts'
import { type Count, ratesInTurns } from '../turns.ts'
import { large, largeCount, real } from './fill.ts'
import { type Call, count, endConnections, send } from './load.ts'
import type { Served } from './served.ts'

/** A round measures each side in so many short turns: whatever else the machine does then meets both alike. */
const turnsPerRound = 3
const forMs = 80
const atOnce = 4
const acceptsPerTurn = 1

const list = `/projects/${large}/merge_requests?per_page=100`
const reads = [
  { name: 'GET one merge request', path: `/projects/${real}/merge_requests/1` },
  { name: `list 100 of ${largeCount}`, path: list },
  { name: `list 100 of ${largeCount}, opened, by label`, path: `${list}&state=opened&labels=urgent` },
  { name: `list 100 of ${largeCount}, by text`, path: `${list}&search=version%207` },
  {
    name: `list 100 of ${largeCount}, by milestone, oldest first, page 5`,
    path: `${list}&milestone=first&sort=asc&page=5`,
  },
  {
    name: 'list all of mine, opened',
    path: '/merge_requests?scope=created-by-me&state=opened&per_page=100&labels=urgent',
  },
]

export const bench: Bench = {
  about:
    'the sandbox beside a bare Express handler with the same answers; its lists with 1,000 other projects beside 10',
  async measure({ rounds }) {
    // One more round warms up; one merge request is only read, and one is accepted for the size of the answer.
    const few = serve((rounds + 1) * turnsPerRound * acceptsPerTurn + 2, 10)
    const many = serve(1, 1_000)
    try {
      const [ofFew, ofMany] = await Promise.all([few.served, many.served])
      const rows: Row[] = []
      for (const { name, path } of reads) rows.push(await againstBare(ofFew, name, path, rounds))
      rows.push(await accepting(ofFew, rounds))
      // None of these answers grows with the number of other projects.
      for (const { name, path } of reads) {
        const ask = (served: Served) => () => count(() => get(served, path), { atOnce, forMs })
        const named = { name, what: 'with 1,000 other projects', beside: 'with 10' }
        rows.push(await ratesInTurns(named, [ask(ofMany), ask(ofFew)], { rounds, turnsPerRound }))
      }
      rows.push(await starting(rounds))
      return rows
    } finally {
      endConnections()
      few.end()
      many.end()
    }
  },
}

/** A process with a sandbox of its own; `served` resolves when it is filled. */
function serve(mergeable: number, others: number): { served: Promise<Served>; end: () => void } {
  const args = [String(mergeable), String(others)]
  const child = fork(join(import.meta.dirname, 'served.ts'), args, { execArgv: ['--import', 'tsx'] })
  const served = new Promise<Served>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Served))
    child.once('exit', (code) => reject(new Error(`the measured process ended with ${code}`)))
  })
  return { served, end: () => child.connected && child.disconnect() }
}

function get({ sandbox, token }: Served, path: string): Call {
  return { method: 'GET', url: `${sandbox}/api/v4${path}`, token }
}

async function againstBare(served: Served, name: string, path: string, rounds: number): Promise<Row> {
  const call = get(served, path)
  const bytes = await send(call)
  await send({ method: 'PUT', url: `${served.bare}/answer`, token: '' }, bytes)
  const bare: Call = { method: 'GET', url: `${served.bare}${path}`, token: served.token }
  const ask = (each: Call) => () => count(() => each, { atOnce, forMs })
  const named = { name: `${name}, ${bytes.length} bytes`, what: 'sandbox', beside: 'bare Express' }
  return ratesInTurns(named, [ask(call), ask(bare)], { rounds, turnsPerRound })
}

/** One after the other, since each moves the branch that the next one goes into. */
async function accepting(served: Served, rounds: number): Promise<Row> {
  // The first one is read by another measurement.
  let iid = 1
  const accept = (): Call => {
    iid += 1
    return {
      method: 'PUT',
      url: `${served.sandbox}/api/v4/projects/${real}/merge_requests/${iid}/merge`,
      token: served.token,
    }
  }
  const bytes = await send(accept())
  await send({ method: 'PUT', url: `${served.bare}/answer`, token: '' }, bytes)
  const bare: Call = { method: 'PUT', url: `${served.bare}/merge`, token: served.token }
  const counted = (next: () => Call) => {
    let left = acceptsPerTurn
    return count(() => (left-- > 0 ? next() : undefined), { atOnce: 1, forMs: Number.POSITIVE_INFINITY })
  }
  const sides = [() => counted(accept), () => count(() => bare, { atOnce: 1, forMs })] as const
  return ratesInTurns({ name: 'accept', what: 'sandbox', beside: 'bare Express' }, sides, { rounds, turnsPerRound })
}

/** Starts a second of an empty sandbox, until its line on standard output, beside node. Needs `npm run build`. */
async function starting(rounds: number): Promise<Row> {
  const command = join(import.meta.dirname, '../../bin/bellhop.cjs')
  const start = (args: readonly string[]) => async (): Promise<Count> => {
    const from = performance.now()
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve())
      void ended.then(() => reject(new Error(`${args.join(' ')} said nothing`)))
    })
    const seconds = (performance.now() - from) / 1000
    child.kill('SIGTERM')
    await ended
    return { done: 1, seconds }
  }
  const sides = [start([command, 'sandbox', '--root-token', 'bench']), start(['-e', 'console.log(1)'])] as const
  return ratesInTurns({ name: 'start, empty', what: 'sandbox', beside: 'bare node' }, sides, { rounds, turnsPerRound })
}
