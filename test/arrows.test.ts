// The one-way imports: `npm run arrows` checks them and reports a planted violation; and what no import shows.
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ownFolder } from './cli/own-folder.ts'

const root = resolve(import.meta.dirname, '..')

/** What `npm run arrows` reports for a project of these files. */
async function reportOn(files: Record<string, string>): Promise<string> {
  const { folder } = ownFolder()
  await cp(join(root, '.dependency-cruiser.cjs'), join(folder, '.dependency-cruiser.cjs'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const run = promisify(execFile)(process.execPath, [program, '--config', '.dependency-cruiser.cjs', 'src'], {
    cwd: folder,
  })
  return (await run.catch((error: { stdout: string }) => error)).stdout
}

/** Files that break a rule, and the rule with the file that the report names. */
const violations: { breaks: string; files: Record<string, string> }[] = [
  {
    breaks: 'rules-imports-modules: src/rules/value.ts',
    files: {
      'src/client/value.ts': 'export const a = 1\n',
      'src/rules/value.ts': "import { a } from '../client/value.ts'\nexport const b = a\n",
    },
  },
  {
    breaks: 'admin-imports-modules: src/admin/page.tsx',
    files: {
      'src/bot/page.ts': 'export const a = 1\n',
      'src/admin/page.tsx': "import { a } from '../bot/page.ts'\nexport const B = () => <p>{a}</p>\n",
    },
  },
  {
    breaks: 'api-imports-modules: src/api/type.ts',
    files: {
      'src/client/type.ts': 'export type A = 1\n',
      'src/api/type.ts': "import type { A } from '../client/type.ts'\nexport type B = A\n",
    },
  },
  {
    breaks: 'bot-folders: src/bot/evaluation/above.ts',
    files: {
      'src/bot/webhook/above.ts': 'export const a = 1\n',
      'src/bot/evaluation/above.ts': "import { a } from '../webhook/above.ts'\nexport const b = a\n",
    },
  },
  {
    breaks: 'queue-folders: src/queue/redis/entry.ts',
    files: {
      'src/queue/open-queue.ts': 'export const c = 1\n',
      'src/queue/redis/entry.ts': "import { c } from '../open-queue.ts'\nexport const d = c\n",
    },
  },
  {
    breaks: 'bot-folders-known: src/bot/other/unknown.ts',
    files: { 'src/bot/other/unknown.ts': "import './next.ts'\n", 'src/bot/other/next.ts': '' },
  },
  ...['bullmq-in-queue-only', 'bot-imports-packages'].map((rule) => ({
    breaks: `${rule}: src/bot/package.ts`,
    files: { 'src/bot/package.ts': "import { Queue } from 'bullmq'\nexport const a = Queue\n" },
  })),
  {
    breaks: 'rules-is-pure: src/rules/file.ts',
    files: { 'src/rules/file.ts': "import { readFileSync } from 'node:fs'\nexport const b = readFileSync\n" },
  },
  {
    breaks: 'no-circles: src/api/',
    files: {
      'src/api/circle.ts': "import { d } from './back.ts'\nexport const c = () => d\n",
      'src/api/back.ts': "import { c } from './circle.ts'\nexport const d = () => c\n",
    },
  },
]

test('npm run arrows reports every planted violation', async () => {
  const report = await reportOn(Object.assign({}, ...violations.map(({ files }) => files)))
  expect(violations.map(({ breaks }) => breaks).filter((each) => !report.includes(each))).toEqual([])
})

/** The lines of code of some modules, without comments. */
async function linesOf(...modules: string[]): Promise<{ file: string; code: string }[]> {
  const all = await readdir(join(root, 'src'), { recursive: true })
  const files = all.filter((file) => file.endsWith('.ts') && modules.includes(file.split('/')[0] ?? ''))
  expect(files.length).toBeGreaterThan(modules.length)
  const texts = await Promise.all(files.map((file) => readFile(join(root, 'src', file), 'utf8')))
  return texts.flatMap((text, at) =>
    text.split('\n').map((code) => ({ file: files[at] ?? '', code: code.replace(/^\s*(\/\/|\/?\*).*/, '') })),
  )
}
const flow = ['api', 'rules', 'embedded-postgres', 'queue', 'journal', 'bot', 'admin']
const impure = /\bDate\.now\b|new Date\(\)|\bMath\.random\b|\bfetch\(|\bprocess\.|\bsetTimeout\b|\bperformance\b/

test.each<[string, string[], RegExp]>([
  ['rules use no clock, no randomness, no network and no process', ['rules'], impure],
  ['only the command line reads the environment', [...flow, 'client'], /process\.env/],
  ['only the client calls fetch', flow, /\bfetch\(/],
])('%s', async (_promise, modules, forbidden) => {
  expect((await linesOf(...modules)).filter(({ code }) => forbidden.test(code))).toEqual([])
})

test('the bot names no action: the registry does', async () => {
  const names = (await readdir(join(root, 'src/rules/actions')))
    .filter((file) => file !== 'index.ts')
    .map((file) => file.replace('.ts', ''))
    // `update`, `milestone`, `status` and `pipeline` have other meanings as well, `close` is a value of the header
    // Connection, and `notify` is for operators.
    .filter((name) => !['update', 'milestone', 'close', 'status', 'pipeline', 'notify'].includes(name))
  const quoted = new RegExp(`'(${names.join('|')})'`)
  expect((await linesOf('bot')).filter(({ code }) => quoted.test(code))).toEqual([])
})
