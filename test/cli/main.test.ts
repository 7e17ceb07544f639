// The dispatcher: help, usage, and exit codes; two of them as a process.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { settings } from '../../src/cli/settings/settings.ts'
import { bellhop } from './run-cli.ts'
import { bellhopHere } from './run-here.ts'

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

test('serve --help lists every setting with its variable, and no secret of the environment', async () => {
  const { code, out } = await bellhopHere(['serve', '--help'], { BELLHOP_SERVICE_TOKEN: 'hush' })
  expect(code).toBe(0)
  const words = out.replaceAll(/\s+/g, ' ')
  for (const { variable, flag, doc } of Object.values(settings))
    for (const each of [variable, flag, doc]) expect(words).toContain(each)
  expect(out).not.toContain('hush')
})

test('serve without its settings names all of them, one line each, and exits 2', async () => {
  const { code, out, err } = await bellhopHere(['serve'])
  expect([code, out]).toEqual([2, ''])
  const required = ['BELLHOP_SERVICE_URL', 'BELLHOP_SERVICE_TOKEN', 'BELLHOP_HOOK_SECRET']
  expect(err.trimEnd().split('\n')).toEqual(required.map((name) => expect.stringMatching(`^bellhop: ${name} `)))
})

test('without arguments a terminal gets the next commands', async () => {
  const { code, out, err } = await bellhopHere([], {}, { terminal: true })
  const next = ['  bellhop demo', '  bellhop init', '  bellhop doctor']
  expect([code, err, out.match(/^ {2}bellhop \w+/gm)]).toEqual([0, '', next])
})
