// Settings that are gone: one line for each says what to do instead.
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/cli/settings/config.ts'
import { bellhopHere } from '../run-here.ts'

const one = { BELLHOP_SERVICE_NAME: 'main' }
const line =
  'BELLHOP_SERVICE_NAME is gone: a queue and its journal belong to one hosting service, which needs no name; see CHANGELOG.md.'

test('serve says so, and exits with 1', async () => {
  expect(await bellhopHere(['serve'], one)).toEqual({ code: 1, out: '', err: `bellhop: ${line}\n` })
})

test('each is named, and nothing else is complained about', () => {
  const read = readConfig({ ...one, BELLHOP_SERVICES: 'services.yml', BELLHOP_PORT: 'x' }, {})
  expect(read).toEqual({
    ok: false,
    exitCode: 1,
    problems: [line, expect.stringMatching(/^BELLHOP_SERVICES is gone: .+; see CHANGELOG\.md\.$/)],
  })
})
