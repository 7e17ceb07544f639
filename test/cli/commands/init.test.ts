// `bellhop init` writes valid rules, and overwrites no file.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { askOnTerminal, firstRules } from '../../../src/cli/commands/init.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere, refuses } from '../run-here.ts'

const { folder } = ownFolder()

test('writes rules without problems, and where Bellhop serves their schema', async () => {
  const file = join(folder, '.bellhop.yml')
  const bots = ['--dependency-bots', 'renovate-bot, dependabot']
  const args = ['init', '--file', file, ...bots, '--merge-on-request', '--tell-author', '--documentation', 'docs/**']
  expect(await bellhopHere([...args, '--url', 'https://bellhop.example.com/'])).toMatchObject({ code: 0, err: '' })
  expect((await bellhopHere(['check', '--strict', file])).out).toBe('1 file without problems.\n')
  expect(readFileSync(file, 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=https:\/\/bellhop\.example\.com\/schema\.json\n/,
  )
  expect(readdirSync(folder)).toEqual(['.bellhop.yml'])

  expect(await bellhopHere([...args, '--no-pipelines'])).toEqual(refuses(1, /exists: --force/))
  expect(readFileSync(file, 'utf8')).not.toContain('pipeline: none')
  const forced = await bellhopHere([...args, '--no-pipelines', '--force'])
  expect(forced).toMatchObject({ code: 0, out: expect.stringContaining('With --url, editors') })
  expect(readFileSync(file, 'utf8')).toContain('pipeline: none')
  expect(readFileSync(file, 'utf8')).not.toContain('$schema')
})

test.each([true, false])('offers the rules of the cookbook that tell the author, with pipelines: %s', (pipelines) => {
  const text = firstRules({ dependencyBots: [], mergeOnRequest: false, tellAuthor: true, pipelines })
  const shipped = readFileSync('rules/examples/tell-the-author.yml', 'utf8')
  const [failed = '', conflicts = ''] = shipped.split(/^(?= {2}- )/m).slice(1)
  expect(text.includes(failed.trim())).toBe(pipelines)
  expect(text).toContain(conflicts.trim())
})

test.each([
  ['hostile texts', { documentation: '*: "x" #', dependencyBots: ['a: "b'], pipelines: false }],
  ['no option', { dependencyBots: [], pipelines: true }],
])('the rules of %s can be read', (_name, options) => {
  const text = firstRules({ mergeOnRequest: false, tellAuthor: false, ...options })
  expect(readRules(text, '.bellhop.yml', { trust: 'repository' })).toMatchObject({ ok: true })
})

const nowhere = join(folder, 'no', 'a.yml')
test.each([
  ['nobody to answer, and no flag', [], 2, /Without a terminal, give --documentation/],
  ['no such folder', ['--merge-on-request', '--file', nowhere], 1, /cannot be written \(ENOENT\)/],
  ['an address that is none', ['--merge-on-request', '--url', 'here'], 2, /--url/],
])('%s is one line', async (_name, args, code, message) => {
  expect(await bellhopHere(['init', ...args])).toEqual({ code, out: '', err: expect.stringMatching(message) })
})

test('an existing file is refused before the first question', async () => {
  const file = ownFolder().write('.bellhop.yml', 'version: 1\nrules: []\n')
  const { isTTY } = process.stdin
  process.stdin.isTTY = true
  onTestFinished(() => {
    process.stdin.isTTY = isTTY
  })
  const exists = refuses(1, `bellhop: ${file} exists: --force overwrites it.\n`)
  expect(await bellhopHere(['init', '--file', file])).toEqual(exists)
})

test('answers count that were piped in with the end of the input, and what is missing is an error', async () => {
  const input = new PassThrough()
  const ask = askOnTerminal(input, new PassThrough())
  input.end('docs/**\nno\n')
  await once(input, 'close')
  expect(await ask.text('Which?', '')).toBe('docs/**')
  expect(await ask.yes('Really?')).toBe(false)
  await expect(ask.text('More?', 'x')).rejects.toThrow('nothing was written')
})

test('an empty answer means the default', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ask = askOnTerminal(input, output)
  const which = ask.text('Which?', 'docs/**')
  input.write('\n')
  expect(await which).toBe('docs/**')
  const really = ask.yes('Really?')
  input.write('no\n')
  expect(await really).toBe(false)
  const more = ask.text('More?', 'x')
  input.end()
  await expect(more).rejects.toThrow('nothing was written')
  await expect(ask.text('Still more?', 'x')).rejects.toThrow('nothing was written')
  expect(String(output.read())).toContain('Which? [docs/**] ')
})
