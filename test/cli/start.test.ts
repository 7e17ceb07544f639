// Commands load few files at their start: no packages, and nothing that only other commands need.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtCommand } from '../built-command.ts'
import { prepareQueue } from '../prepared-database.ts'
import { startProgram } from '../system/process.ts'
import { ownFolder } from './own-folder.ts'
import { bellhop } from './run-here.ts'

const known = new Map<string, Promise<string[]>>()

/** The files that Node runs for a command, by its coverage; each command runs once. */
function filesOf(...args: readonly string[]): Promise<string[]> {
  const files = known.get(args.join(' ')) ?? runFor(args)
  known.set(args.join(' '), files)
  return files
}

async function runFor(args: readonly string[]): Promise<string[]> {
  const { folder } = ownFolder()
  const { code, err } = await bellhop(args, { NODE_V8_COVERAGE: folder })
  expect([code, err]).toEqual([0, ''])
  return filesIn(folder)
}

function filesIn(coverage: string): string[] {
  const urls = readdirSync(coverage).flatMap((told) => {
    const { result } = JSON.parse(readFileSync(join(coverage, told), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
  return urls.filter((url) => url.startsWith('file:'))
}

const text = (files: readonly string[]) => files.map((file) => readFileSync(new URL(file), 'utf8')).join('\n')

test.each([
  { args: ['--help'], most: 10 },
  { args: ['check', 'rules/default.yml'], most: 32 },
])('bellhop $args.0 starts from a few files of ours, and from no package', async ({ args, most }) => {
  const files = await filesOf(...args)
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([])
  expect(files.length).toBeLessThanOrEqual(most)
})

test.each([
  ['client of the service', 'private-token'],
  ['contract', '/merge_requests/:merge_request_iid'],
])('bellhop check loads no %s; bellhop explain does', async (_, itsText) => {
  expect(text(await filesOf('explain', '--help'))).toContain(itsText)
  expect(text(await filesOf('check', 'rules/default.yml'))).not.toContain(itsText)
})

test('only what reads a note with a command loads the Markdown parser', async () => {
  const loaded = async (...args: string[]) =>
    (await filesOf(...args)).filter((file) => file.includes('/node_modules/markdown-it/'))
  expect(await loaded('test', 'rules/examples/merge-on-request.test.yml')).not.toEqual([])
  expect(await loaded('test', 'rules/examples/label-documentation.test.yml')).toEqual([])
  expect(await loaded('check', 'rules/examples/merge-on-request.yml')).toEqual([])
  expect(await loaded('--help')).toEqual([])
})

const { folder } = ownFolder()
let queueUrl: string
beforeAll(async () => {
  queueUrl = await prepareQueue(join(folder, 'queue'))
})

test('bellhop serve starts without the Markdown parser', async () => {
  const coverage = join(folder, 'coverage')
  const serve = startProgram([process.execPath, await builtCommand(), 'serve'], {
    env: {
      PATH: process.env.PATH,
      NODE_V8_COVERAGE: coverage,
      BELLHOP_SERVICE_URL: 'http://127.0.0.1:9',
      BELLHOP_SERVICE_TOKEN: 'service-token',
      BELLHOP_HOOK_SECRET: 'hook-secret',
      BELLHOP_PORT: '0',
      BELLHOP_QUEUE_URL: queueUrl,
    },
  })
  await serve.says(/^bellhop: (http:\S+)$/m)
  serve.child.kill('SIGTERM')
  expect(await serve.ended).toEqual({ code: 0, signal: null })
  const files = filesIn(coverage)
  expect(files.some((file) => file.includes('/node_modules/@electric-sql/pglite/'))).toBe(true)
  expect(files.filter((file) => file.includes('/node_modules/markdown-it/'))).toEqual([])
})
