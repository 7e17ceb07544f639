// The one-way imports of DESIGN §3: they hold, and the check finds a planted violation.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const execute = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function cruise(cwd: string): Promise<string> {
  const run = execute(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      'src',
    ],
    { cwd },
  )
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return stdout
}

async function planted(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-arrows-'))
  folders.push(folder)
  await cp(join(root, '.dependency-cruiser.cjs'), join(folder, '.dependency-cruiser.cjs'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return cruise(folder)
}

test('the arrows hold, and every source file is read', async () => {
  const report = await cruise(root)
  expect(report).toContain('no dependency violations found')
  const files = (await readdir(join(root, 'src'), { recursive: true })).filter((file) => /\.tsx?$/.test(file))
  const cruised = Number(/\((\d+) modules/.exec(report)?.[1])
  expect(cruised).toBeGreaterThanOrEqual(files.length)
})

test('a module that imports another against the arrows is found', async () => {
  const report = await planted({
    'src/client/a.ts': 'export const a = 1\n',
    'src/rules/b.ts': "import { a } from '../client/a.ts'\nexport const b = a\n",
  })
  expect(report).toContain('rules-imports-modules')
})

test('a page that imports against the arrows is found', async () => {
  const report = await planted({
    'src/bot/a.ts': 'export const a = 1\n',
    'src/admin/b.tsx': "import { a } from '../bot/a.ts'\nexport const B = () => <p>{a}</p>\n",
  })
  expect(report).toContain('admin-imports-modules')
})

test('a type that is imported against the arrows is found', async () => {
  const report = await planted({
    'src/client/a.ts': 'export type A = 1\n',
    'src/api/b.ts': "import type { A } from '../client/a.ts'\nexport type B = A\n",
  })
  expect(report).toContain('api-imports-modules')
})

test('a sub-folder that imports what is above it, or an entry, is found', async () => {
  const report = await planted({
    'src/bot/webhook/a.ts': 'export const a = 1\n',
    'src/bot/evaluation/b.ts': "import { a } from '../webhook/a.ts'\nexport const b = a\n",
    'src/queue/open-queue.ts': 'export const c = 1\n',
    'src/queue/redis/d.ts': "import { c } from '../open-queue.ts'\nexport const d = c\n",
  })
  for (const rule of ['bot-folders: src/bot/evaluation/b.ts', 'queue-folders: src/queue/redis/d.ts'])
    expect(report).toContain(rule)
})

test('a sub-folder that no layer names is found', async () => {
  const report = await planted({ 'src/bot/other/a.ts': "import './b.ts'\n", 'src/bot/other/b.ts': '' })
  expect(report).toContain('bot-folders-known')
})

test('bullmq outside the queue, node built-ins in rules, and circles are found', async () => {
  const report = await planted({
    'src/bot/a.ts': "import { Queue } from 'bullmq'\nexport const a = Queue\n",
    'src/rules/b.ts': "import { readFileSync } from 'node:fs'\nexport const b = readFileSync\n",
    'src/api/c.ts': "import { d } from './d.ts'\nexport const c = () => d\n",
    'src/api/d.ts': "import { c } from './c.ts'\nexport const d = () => c\n",
  })
  for (const rule of ['bullmq-in-queue-only', 'bot-imports-packages', 'rules-is-pure', 'no-circles'])
    expect(report).toContain(rule)
})

async function lines(room: string): Promise<{ file: string; code: string }[]> {
  const files = (await readdir(join(root, 'src', room), { recursive: true })).filter((file) => file.endsWith('.ts'))
  const all = await Promise.all(
    files.map(async (file) => ({
      file: `${room}/${file}`,
      text: await readFile(join(root, 'src', room, file), 'utf8'),
    })),
  )
  return all.flatMap(({ file, text }) =>
    text.split('\n').map((code) => ({ file, code: code.replace(/^\s*(\/\/|\/?\*).*/, '') })),
  )
}

test('rules know no clock, no randomness, no network and no process', async () => {
  const impure = /\bDate\.now\b|new Date\(\)|\bMath\.random\b|\bfetch\(|\bprocess\.|\bsetTimeout\b|\bperformance\b/
  expect((await lines('rules')).filter(({ code }) => impure.test(code))).toEqual([])
})

test('only the command line reads the environment of Bellhop', async () => {
  const rooms = ['api', 'client', 'rules', 'embedded-postgres', 'queue', 'journal', 'bot', 'admin']
  const all = (await Promise.all(rooms.map(lines))).flat()
  expect(all.filter(({ code }) => code.includes('process.env'))).toEqual([])
})

test('only the client calls the service: no other room of the flow calls fetch', async () => {
  const all = (
    await Promise.all(['api', 'rules', 'embedded-postgres', 'queue', 'journal', 'bot', 'admin'].map(lines))
  ).flat()
  expect(all.filter(({ code }) => /\bfetch\(/.test(code))).toEqual([])
})

test('the flow names no action: the registry does', async () => {
  const names = (await readdir(join(root, 'src/rules/actions')))
    .filter((file) => file !== 'index.ts')
    .map((file) => file.replace('.ts', ''))
    // `update` is a kind of event as well, and `close` a value of the header Connection.
    .filter((name) => name !== 'update' && name !== 'close')
  const quoted = new RegExp(`'(${names.join('|')})'`)
  expect((await lines('bot')).filter(({ code }) => quoted.test(code))).toEqual([])
})
