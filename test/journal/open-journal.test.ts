// What is loaded to open a journal.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../../src/journal/open-journal.ts')

test('no client of Redis is loaded before there is a Redis', async () => {
  const program = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(source)})
    const { cache } = createRequire(${JSON.stringify(source)})
    console.log(Object.keys(cache).filter((path) => path.includes('/ioredis/')).length)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
  ])
  expect(Number(stdout)).toBe(0)
})
