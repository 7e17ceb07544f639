// 1,000 merge requests whose patterns exceed their budget: how long those of another project wait, and hooks take.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostileFiles } from '../bad-input/hostile.ts'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { decisionsSince } from '../evaluation/storm.ts'
import { type Bench, rowOf } from '../row.ts'
import { startServers } from '../servers.ts'

const [calm, busy] = [7, 8]
const ofOthers = 200
const everyMs = 50
const sha = 'a'.repeat(40)
const rule =
  'version: 1\nrules:\n  - name: seen\n    if: { labels: { any: [urgent] } }\n    then: { subscribe: true }\n'
const hostile = hostileFiles['many small expressions over a long text']

/** What an evaluation asks for. The rule file and the descriptions of the busy project are hostile or ordinary. */
async function startService(given: { rules: string; description: string }) {
  const answerTo = (path: string): object | undefined => {
    const [, id, rest = ''] = /^\/projects\/(\d+)(.*)$/.exec(path) ?? []
    const project = Number(id)
    const isBusy = project === busy
    if (path === '/user') return { id: 9, username: 'bellhop' }
    if (rest === '') return { id: project, path_with_namespace: `bench/app-${id}`, default_branch: 'main' }
    if (rest === '/repository/branches/main') return { name: 'main', commit: { id: sha } }
    if (rest.startsWith('/repository/files/')) {
      const content = Buffer.from(isBusy ? given.rules : rule).toString('base64')
      return { file_path: '.bellhop.yml', encoding: 'base64', content, blob_id: sha, size: 1 }
    }
    const iid = Number(/^\/merge_requests\/(\d+)$/.exec(rest)?.[1])
    if (!Number.isInteger(iid)) return undefined
    const ids = { id: 1000 * project + iid, iid, project_id: project, source_project_id: project }
    const branches = { target_project_id: project, target_branch: 'main', source_branch: `b-${iid}`, sha }
    const description = isBusy ? given.description : ''
    const labels = { labels: [], author: { id: 2, username: 'alice' }, updated_at: '2026-11-22T00:00:00Z' }
    return { ...ids, ...branches, ...labels, state: 'opened', title: 'Mend the door', description }
  }
  const server = createServer((request, response) => {
    const found = answerTo(decodeURIComponent(new URL(request.url ?? '', 'http://service').pathname).slice(7))
    const body = JSON.stringify(found ?? { message: '404 Not Found' })
    setTimeout(() => {
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(body)
    }, 5)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const part = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN

/** While `many` of the busy project are evaluated: the p95 of the others' waits, and p95 and slowest of their hooks. */
async function measured({ url }: RunningBot, many: number): Promise<{ waited: number; hook: number; slowest: number }> {
  const since = new Date().toISOString()
  await Promise.all(
    Array.from({ length: 16 }, async (_, first) => {
      for (let iid = first + 1; iid <= many; iid += 16) await deliver(url, iid, busy)
    }),
  )
  const hooks: number[] = []
  for (let iid = 1; iid <= ofOthers; iid += 1) {
    const before = performance.now()
    await deliver(url, iid, calm)
    hooks.push(performance.now() - before)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMs - (performance.now() - before))))
  }
  const waits = await waitsOfOthers(url, since)
  return { waited: part(waits, 0.95), hook: part(hooks, 0.95), slowest: part(hooks, 1) }
}

/** Once all the others are decided: those of the busy project take their turns for long after. */
async function waitsOfOthers(url: string, since: string): Promise<number[]> {
  for (;;) {
    const decisions = await decisionsSince(url, { since, project: calm })
    const waits = decisions.flatMap(({ waitedMs }) => (waitedMs === undefined ? [] : [waitedMs]))
    if (waits.length >= ofOthers) return waits
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function withProject(given: { rules: string; description: string }, many: number) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-patterns-'))
  await mkdir(join(folder, 'rules'))
  const service = await startService(given)
  const { queue, journal, stop } = await startServers()
  const bot = await startBot(botEnvironment({ queue, journal, rules: join(folder, 'rules'), service: service.url }))
  try {
    return await measured(bot, many)
  } finally {
    await bot.stop()
    service.close()
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const bench: Bench = {
  about:
    'what others wait beside 1,000 merge requests whose patterns take more than their budget, and how long hooks do',
  async measure({ rounds: wanted, say, part: some }) {
    const [rounds, many] = some ? [3, 200] : [wanted, 1_000]
    if (hostile === undefined) throw new Error('there is no such hostile file')
    const pairs: Awaited<ReturnType<typeof withProject>>[][] = []
    for (let round = 0; round < rounds; round += 1)
      pairs.push([
        await withProject(hostile, many),
        await withProject({ rules: rule, description: hostile.description }, many),
      ])
    say(`the slowest hook of each round: ${pairs.map(([one]) => `${Math.round(one?.slowest ?? 0)} ms`).join(', ')}`)
    const beside = { what: 'with hostile patterns', beside: 'with an ordinary rule file', unit: 'ms' as const }
    const of = (key: 'waited' | 'hook' | 'slowest') =>
      pairs.map(([one, other]) => [one?.[key] ?? Number.NaN, other?.[key] ?? Number.NaN] as const)
    return [
      rowOf({ name: 'p95 of what the others waited', ...beside, aim: { most: 2 } }, of('waited')),
      rowOf({ name: 'p95 of the answer to a hook', ...beside }, of('hook')),
      rowOf({ name: 'slowest answer to a hook', ...beside }, of('slowest')),
    ]
  },
}
