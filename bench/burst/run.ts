// Sends a burst of deliveries to a bot process and counts their outcomes: `npm run build && npm run bench -- burst`.
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adminToken, botEnvironment, hookSecret, startBot } from '../bot.ts'
import { peakMb } from '../process-figures.ts'

const help = `Usage: npm run build && npm run bench -- burst [options]

Sends deliveries as fast as they are taken, and prints how many were answered 202, how long the answers took, the most memory that the bot
took, and how many of those that were answered 202 were read in the end (all, or it exits 1).

Options:
  --count N      deliveries (default 20000)
  --senders N    how many are on the way at once (default 50)
  --bytes N      size of a body (default 10000)
  --queue URL    redis://…, with an embedded journal; embedded in a folder of its own when absent
  --help         show this
`

interface Answer {
  status: number
  ms: number
  id?: string
}

export async function run(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      count: { type: 'string', default: '20000' },
      senders: { type: 'string', default: '50' },
      bytes: { type: 'string', default: '10000' },
      queue: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [count, senders, bytes] = [values.count, values.senders, values.bytes].map(Number)
  if (values.help || !isCount(count) || !isCount(senders) || !isCount(bytes)) {
    process.stdout.write(help)
    if (!values.help) process.exitCode = 2
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-burst-'))
  const bot = await startBot({
    ...botEnvironment({
      queue: values.queue ?? `embedded:${join(folder, 'queue')}`,
      journal: values.queue === undefined ? undefined : `embedded:${join(folder, 'journal')}`,
      rules: join(folder, 'rules'),
    }),
    BELLHOP_LOG_LEVEL: 'error',
  })
  try {
    const started = performance.now()
    const answers = await send(bot.url, { count, senders, bytes })
    const sentS = (performance.now() - started) / 1000
    const accepted = new Set(answers.flatMap(({ id }) => (id === undefined ? [] : [id])))
    await untilRead(bot.url, answers.findLast(({ id }) => id !== undefined)?.id)
    const read = await readInTheEnd(bot.url, accepted)
    const allS = (performance.now() - started) / 1000
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0)
    const lost = accepted.size - read
    process.stdout.write(
      [
        `deliveries   ${count} of ${bytes} bytes, ${senders} at once`,
        `answers      ${[...countBy(answers)].map(([status, n]) => `${n} × ${status}`).join(', ')}`,
        `taken        ${Math.round(count / sentS)} a second; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`,
        `read         all after ${allS.toFixed(1)} s, ${Math.round(count / allS)} a second`,
        `memory       ${Math.round(peakMb(bot.pid)) || 'unknown'} MB at most`,
        `lost         ${lost} of ${accepted.size} that were answered 202`,
        '',
      ].join('\n'),
    )
    if (lost > 0) process.exitCode = 1
  } finally {
    await bot.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function isCount(number: number | undefined): number is number {
  return number !== undefined && Number.isInteger(number) && number > 0
}

function countBy(answers: readonly Answer[]): Map<number, number> {
  const found = new Map<number, number>()
  for (const { status } of answers) found.set(status, (found.get(status) ?? 0) + 1)
  return found
}

async function send(
  url: string,
  { count, senders, bytes }: { count: number; senders: number; bytes: number },
): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: senders })
  const filling = 'x'.repeat(bytes)
  const answers: Answer[] = []
  let next = 0
  const sender = async () => {
    for (let n = next++; n < count; n = next++) answers.push(await sendOne(agent, url, n, filling))
  }
  await Promise.all(Array.from({ length: senders }, sender))
  agent.destroy()
  return answers
}

function sendOne(agent: Agent, url: string, n: number, filling: string): Promise<Answer> {
  const body = JSON.stringify({ object_kind: 'moonrise', n, filling })
  const started = performance.now()
  return new Promise((settle, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-gitlab-token': hookSecret,
      'idempotency-key': `burst-${process.pid}-${n}`,
    }
    const sending = request(`${url}/hooks`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const ms = performance.now() - started
        settle(status === 202 ? { status, ms, id: (JSON.parse(text) as { id: string }).id } : { status, ms })
      })
    })
    sending.once('error', reject)
    sending.end(body)
  })
}

/** The last to be taken is among the last to be read: asking for this one alone costs the bot next to nothing. */
async function untilRead(url: string, id: string | undefined): Promise<void> {
  if (id === undefined) return
  for (;;) {
    const response = await fetch(`${url}/admin/api/deliveries/${id}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })
    const { delivery } = (await response.json()) as { delivery?: { state: string } }
    if (delivery?.state === 'no_merge_request') return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** How many of them were read, when no more are to come: looked at until the number stands still for some seconds. */
async function readInTheEnd(url: string, accepted: ReadonlySet<string>): Promise<number> {
  let before = -1
  for (;;) {
    const read = await readSoFar(url, accepted)
    if (read === accepted.size || read === before) return read
    before = read
    await new Promise((resolve) => setTimeout(resolve, 5_000))
  }
}

async function readSoFar(url: string, accepted: ReadonlySet<string>): Promise<number> {
  let read = 0
  let after: string | undefined
  do {
    const query = new URLSearchParams({
      limit: '200',
      state: 'no_merge_request',
      ...(after === undefined ? {} : { after }),
    })
    const response = await fetch(`${url}/admin/api/deliveries?${query}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })
    const page = (await response.json()) as { items: { id: string }[]; next?: string }
    read += page.items.filter(({ id }) => accepted.has(id)).length
    after = page.next
  } while (after !== undefined)
  return read
}
