// The dispatcher as a process: help, usage, and exit codes.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/cli/settings/settings.ts'
import { bellhop } from './run-cli.ts'
import { bellhopHere } from './run-here.ts'

describe.concurrent('bellhop', () => {
  test('--help names every command and exits 0', async () => {
    const { code, out } = await bellhop(['--help'])
    expect(code).toBe(0)
    for (const command of ['serve', 'sandbox', 'demo', 'check', 'deliveries', 'openapi'])
      expect(out).toContain(`  ${command} `)
  })

  test('--version is the one of package.json', async () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await bellhop(['--version'])).toEqual({
      code: 0,
      out: `${(manifest as { version: string }).version}\n`,
      err: '',
    })
  })

  test.each([[[]], [['fly']], [['--fly']], [['deliveries', 'fly']], [['serve', '--fly']]])(
    '%j is wrong usage: exit 2, and no stack',
    async (args) => {
      const { code, out, err } = await bellhop(args)
      expect([code, out]).toEqual([2, ''])
      expect(err).not.toMatch(/^\s+at /m)
    },
  )

  test('serve --help lists every setting with its variable, and no secret of the environment', async () => {
    const { code, out } = await bellhop(['serve', '--help'], { BELLHOP_SERVICE_TOKEN: 'hush' })
    expect(code).toBe(0)
    const words = out.replaceAll(/\s+/g, ' ')
    for (const { variable, flag, doc } of Object.values(settings)) {
      expect(words).toContain(variable)
      expect(words).toContain(flag)
      expect(words).toContain(doc)
    }
    expect(out).not.toContain('hush')
  })

  test('serve without its settings names all of them, one line each, and exits 2', async () => {
    const { code, out, err } = await bellhop(['serve'])
    expect([code, out]).toEqual([2, ''])
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^bellhop: BELLHOP_SERVICE_URL /),
      expect.stringMatching(/^bellhop: BELLHOP_SERVICE_TOKEN /),
      expect.stringMatching(/^bellhop: BELLHOP_HOOK_SECRET /),
    ])
  })
})

test('without arguments a terminal gets the next commands', async () => {
  const { code, out, err } = await bellhopHere([], {}, { terminal: true })
  expect([code, err, out.match(/^ {2}bellhop \w+/gm)]).toEqual([
    0,
    '',
    ['  bellhop demo', '  bellhop init', '  bellhop doctor'],
  ])
})
