// What V8 is told of a receiver; what it brings is measured by `npm run bench -- receiver`.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const source = resolve(import.meta.dirname, '../../src/cli/v8-flags.ts')

async function saidOf(program: string): Promise<string> {
  const { stderr } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program])
  return stderr
}

test('is known to this version of Node, which would otherwise say so at each start', async () => {
  expect(await saidOf(`import { expectShortLives } from ${JSON.stringify(source)}; expectShortLives()`)).toBe('')
  expect(await saidOf(`import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--no-such-flag')`)).toContain('unrecognized flag')
})
