// The dispatcher: help, usage, and exit codes; and what runs as a process of its own.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { openApiDocument } from '../../src/api/openapi.ts'
import { commands } from '../../src/cli/commands/index.ts'
import { settings } from '../../src/cli/settings/settings.ts'
import { builtCommand } from '../built-command.ts'
import { bellhop, bellhopHere } from './run-here.ts'

test('--help names every command and exits 0', async () => {
  const { code, out } = await bellhop(['--help'])
  expect(code).toBe(0)
  for (const { name } of commands) expect(out).toContain(`  ${name} `)
})

test('--version is the one of package.json', async () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const out = `${(manifest as { version: string }).version}\n`
  expect(await bellhop(['--version'])).toEqual({ code: 0, out, err: '' })
})

test.each([[[]], [['fly']], [['--fly']], [['deliveries', 'fly']], [['serve', '--fly']]])(
  '%j is wrong usage: exit 2, and no stack',
  async (args) => {
    const { code, out, err } = await bellhopHere(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).not.toMatch(/^\s+at /m)
  },
)

test('wrong usage of a subcommand names its help', async () => {
  expect((await bellhopHere(['queue', 'retry'])).err).toContain('(see bellhop queue retry --help)')
})

test('serve --help lists every setting with its variable, and no secret of the environment', async () => {
  const { code, out } = await bellhopHere(['serve', '--help'], { BELLHOP_SERVICE_TOKEN: 'hush' })
  expect(code).toBe(0)
  const words = out.replaceAll(/\s+/g, ' ')
  for (const { variable, flag, doc } of Object.values(settings))
    for (const each of [variable, flag, doc]) expect(words).toContain(each)
  expect(out).not.toContain('hush')
})

test('without arguments a terminal gets the next commands', async () => {
  const { code, out, err } = await bellhopHere([], {}, { terminal: true })
  const next = ['  bellhop demo', '  bellhop init', '  bellhop doctor']
  expect([code, err, out.match(/^ {2}bellhop \w+/gm)]).toEqual([0, '', next])
})

describe.concurrent('bellhop openapi', () => {
  test('prints the document as JSON, and nothing else', async () => {
    const { code, out, err } = await bellhop(['openapi'])
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toEqual(openApiDocument())
  })

  test('prints the same document as YAML', async () => {
    const { code, out } = await bellhop(['openapi', '--format', 'yaml'])
    expect(code).toBe(0)
    expect(parse(out)).toEqual(openApiDocument())
  })

  test('ends quietly when the reader closes the pipe', async () => {
    const child = spawn('sh', ['-c', '"$0" "$1" openapi | head -n 1', process.execPath, await builtCommand()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => chunks.push(String(bytes)))
    await new Promise((resolve) => child.once('close', resolve))
    expect(chunks.join('')).toBe('{\n')
  })
})
