// Measures the sandbox: against a bare Express handler that answers the same bytes, and with few against very many other projects.
import { fork, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { large, largeCount, real } from './fill.ts'
import { type Call, type Count, count, endConnections, send } from './load.ts'
import type { Served } from './served.ts'
import { type Row, table } from './table.ts'

const help = `Usage: npm run bench -- sandbox [options]

Requests a second of the sandbox, each beside a bare Express handler that answers the same bytes from the same process, in turns;
then the same lists with 10 and with 1,000 other projects, in turns. Prints a table and writes it as JSON.

Options:
  --rounds N   rounds of each measurement, at least 5 (default 5); the table shows medians
  --out FILE   where the JSON goes (default bench/sandbox/results.json)
  --keep       the sandbox keeps its records on disk, as with bellhop sandbox --data
  --help       show this
`
/** A round measures each side in so many short turns: whatever else the machine does then meets both alike. */
const turnsPerRound = 8
const forMs = 80
const atOnce = 4
const acceptsPerTurn = 1

const list = `/projects/${large}/merge_requests?per_page=100`
const reads = [
  { name: 'GET one merge request', path: `/projects/${real}/merge_requests/1` },
  { name: `list 100 of ${largeCount}`, path: list },
  { name: `list 100 of ${largeCount}, opened, by label`, path: `${list}&state=opened&labels=urgent` },
  { name: `list 100 of ${largeCount}, by text`, path: `${list}&search=version%207` },
  { name: `list 100 of ${largeCount}, by milestone, oldest first, page 5`, path: `${list}&milestone=first&sort=asc&page=5` },
  { name: 'list all of mine, opened', path: '/merge_requests?scope=created-by-me&state=opened&per_page=100&labels=urgent' },
]

export async function run(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: 'string', default: '5' },
      out: { type: 'string', default: join(import.meta.dirname, 'results.json') },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const rounds = Number(values.rounds)
  if (values.help || !Number.isInteger(rounds) || rounds < 5) {
    process.stdout.write(help)
    if (!values.help) process.exitCode = 2
    return
  }
  // One more round warms up; one merge request is only read, and one is accepted for the size of the answer.
  const few = serve((rounds + 1) * turnsPerRound * acceptsPerTurn + 2, 10, values.keep)
  const many = serve(1, 1_000, values.keep)
  try {
    const [ofFew, ofMany] = await Promise.all([few.served, many.served])
    const rows: Row[] = []
    for (const { name, path } of reads) rows.push(await againstBare(ofFew, name, path, rounds))
    rows.push(await accepting(ofFew, rounds))
    // None of these answers grows with the number of other projects.
    for (const { name, path } of reads) {
      const sides = [ofMany, ofFew].map((served) => () => count(() => get(served, path), { atOnce, forMs }))
      rows.push(await inTurns({ name, what: 'with 1,000 other projects', beside: 'with 10' }, sides, rounds))
    }
    rows.push(await starting(rounds))
    process.stdout.write(table(rows))
    await writeFile(
      values.out,
      `${JSON.stringify({ date: new Date().toISOString(), node: process.version, rounds, keep: values.keep, rows }, null, 2)}\n`,
    )
    process.stdout.write(`\nWritten to ${values.out}\n`)
  } finally {
    endConnections()
    few.end()
    many.end()
  }
}

/** A process with a sandbox of its own; `served` resolves when it is filled. */
function serve(mergeable: number, others: number, keep: boolean): { served: Promise<Served>; end: () => void } {
  const args = [String(mergeable), String(others), keep ? 'keep' : 'forget']
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
  const sides = [call, bare].map((each) => () => count(() => each, { atOnce, forMs }))
  return { ...(await inTurns({ name, what: 'sandbox', beside: 'bare Express' }, sides, rounds)), bytes: bytes.length }
}

/** One after the other, since each moves the branch that the next one goes into. */
async function accepting(served: Served, rounds: number): Promise<Row> {
  // The first one is read by another measurement.
  let iid = 1
  const accept = (): Call => {
    iid += 1
    return { method: 'PUT', url: `${served.sandbox}/api/v4/projects/${real}/merge_requests/${iid}/merge`, token: served.token }
  }
  const bytes = await send(accept())
  await send({ method: 'PUT', url: `${served.bare}/answer`, token: '' }, bytes)
  const bare: Call = { method: 'PUT', url: `${served.bare}/merge`, token: served.token }
  const counted = (next: () => Call) => {
    let left = acceptsPerTurn
    return count(() => (left-- > 0 ? next() : undefined), { atOnce: 1, forMs: Number.POSITIVE_INFINITY })
  }
  const sides = [() => counted(accept), () => count(() => bare, { atOnce: 1, forMs })]
  return { ...(await inTurns({ name: 'accept', what: 'sandbox', beside: 'bare Express' }, sides, rounds)), bytes: bytes.length }
}

/** An empty sandbox, from the command to its line on standard output, beside a bare node; starts a second. Needs `npm run build`. */
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
    return { answered: 1, seconds }
  }
  const sides = [start([command, 'sandbox', '--root-token', 'bench']), start(['-e', 'console.log(1)'])]
  return inTurns({ name: 'start, empty', what: 'sandbox', beside: 'bare node' }, sides, rounds)
}

/** Measures the two sides in turns, after a round that does not count; the ratio is the median of the rounds' own ratios. */
async function inTurns(
  named: Pick<Row, 'name' | 'what' | 'beside'>,
  sides: readonly (() => Promise<Count>)[],
  rounds: number,
): Promise<Row> {
  const measured: number[][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const sums = sides.map(() => ({ answered: 0, seconds: 0 }))
    for (let turn = 0; turn < turnsPerRound; turn += 1) {
      for (const [index, sum] of sums.entries()) {
        const { answered, seconds } = (await sides[index]?.()) ?? sum
        sum.answered += answered
        sum.seconds += seconds
      }
    }
    if (round > 0) measured.push(sums.map(({ answered, seconds }) => answered / seconds))
  }
  const ofSide = (index: number): number => median(measured.map((rates) => rates[index] ?? 0))
  const ratio = median(measured.map(([one = 0, other = 0]) => one / other))
  return { ...named, rate: ofSide(0), besideRate: ofSide(1), ratio }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
