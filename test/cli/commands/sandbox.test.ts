// `bellhop sandbox`: data that survives a kill, folders that cannot be used, tiers and versions.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { builtCommand } from '../../built-command.ts'
import { prepareDatabase } from '../../prepared-database.ts'
import type { Json } from '../../sandbox/sandbox-world.ts'
import { startProgram } from '../../system/process.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop, refuses } from '../run-here.ts'

// Both take long on a busy machine, and are shared with other files.
beforeAll(async () => void (await Promise.all([builtCommand(), prepareDatabase(ownFolder().folder)])))

/** Starts a sandbox on the folder; resolves when it answers. */
const start = (data: string) => startWith(['sandbox', '--data', data])

async function startWith(args: readonly string[]) {
  const running = startProgram([process.execPath, await builtCommand(), ...args, '--root-token', 'secret'], {})
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const [, url = ''] = await running.says(/^sandbox: (\S+)$/m)
  return { ...running, url }
}

const refused = (...flags: string[]) => bellhop(['sandbox', '--root-token', 'secret', ...flags])

async function call(url: string, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: { 'PRIVATE-TOKEN': 'secret', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

test('the scenario that comes with it is built at a free port if the port is taken', async () => {
  const first = await startWith(['sandbox'])
  const second = await startWith(['sandbox', '--port', new URL(first.url).port, '--scenario', 'demo'])
  expect(second.url).not.toBe(first.url)
  expect(await call(second.url, 'GET', '/projects')).toMatchObject([{ path_with_namespace: 'hotel/app' }])
  expect(await call(first.url, 'GET', '/projects')).toEqual([])
})

describe('bellhop sandbox --data', () => {
  test('after kill -9 during parallel writes every answered write is there, and no number is used twice', async () => {
    const data = await prepareDatabase(ownFolder().folder)
    const first = await start(data)
    await call(first.url, 'POST', '/projects', { name: 'app' })
    const answered: { id: number; iid: number; title: string }[] = []
    async function write(writer: number): Promise<void> {
      for (let made = 1; ; made += 1) {
        const issue = { title: `issue ${made} of ${writer}` }
        answered.push(await call(first.url, 'POST', '/projects/1/issues', issue))
        if (answered.length === 60) first.child.kill('SIGKILL')
      }
    }
    const writers = [1, 2, 3, 4].map((writer) => write(writer))
    const ends = await Promise.allSettled(writers)
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect((await first.ended).signal).toBe('SIGKILL')

    const second = await start(data)
    for (const { id, iid, title } of answered) {
      expect(await call(second.url, 'GET', `/projects/1/issues/${iid}`)).toMatchObject({ id, iid, title })
    }
    const next = await call(second.url, 'POST', '/projects/1/issues', { title: 'next' })
    expect(next.iid).toBeGreaterThan(Math.max(...answered.map(({ iid }) => iid)))
    second.child.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
  })

  test('a second one on the same folder is refused in one line, and the first keeps running', async () => {
    const data = await prepareDatabase(ownFolder().folder)
    const first = await start(data)
    const inUse = `bellhop: The folder ${data} is in use by process ${first.child.pid}: stop that sandbox, or give this one a folder of its own.\n`
    expect(await refused('--data', data)).toEqual({ code: 1, out: '', err: inUse })
    expect((await call(first.url, 'GET', '/user')).id).toBe(1)
  })

  test('a folder that cannot be made is refused in one line', async () => {
    const file = ownFolder().write('file', '')
    for (const data of [file, join(file, 'below')]) {
      const said = refuses(1, /^bellhop: The folder .*file.* cannot be written: .*\n$/)
      expect(await refused('--data', data)).toEqual(said)
    }
    expect((await refused('--data', '')).code).toBe(2)
  })
})

test('bellhop sandbox --data says what it prepares when its start takes long', async () => {
  const data = ownFolder().folder
  // Half of a first start: the database is made anew, which takes seconds.
  mkdirSync(join(data, 'records', 'store'), { recursive: true })
  expect((await start(data)).stderr()).toContain(
    `bellhop: Preparing the sandbox in ${data}; this may take a few seconds.\n`,
  )
})

describe('bellhop sandbox --tier', () => {
  test('answers as the tier that is given', async () => {
    const { url } = await startWith(['sandbox', '--tier', 'free'])
    const { id } = await call(url, 'POST', '/projects', { name: 'app' })
    expect(await call(url, 'GET', `/projects/${id}`)).not.toHaveProperty('approvals_before_merge')
  })

  test('another one is refused with what is expected', async () => {
    expect(await refused('--tier', 'ultimate')).toEqual(refuses(2, /free, premium/))
  })
})
