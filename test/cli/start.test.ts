// What commands load before they do anything: few files, none of a package's own, and none of what only other commands need.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bellhop } from './run-cli.ts'

/** The files that Node ran, as its coverage tells. */
async function filesOf(args: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-start-'))
  try {
    const { code, err } = await bellhop(args, { NODE_V8_COVERAGE: folder })
    expect([code, err]).toEqual([0, ''])
    const [told = ''] = readdirSync(folder)
    const { result } = JSON.parse(readFileSync(join(folder, told), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const text = (files: readonly string[]) => files.map((file) => readFileSync(new URL(file), 'utf8')).join('\n')

test.each([
  { args: ['--help'], most: 10 },
  { args: ['check', 'rules/default.yml'], most: 30 },
])('bellhop $args.0 starts from a few files of ours, and from no package', async ({ args, most }) => {
  const files = await filesOf(args)
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([])
  expect(files.length).toBeLessThanOrEqual(most)
})

test.each([
  ['client of the service', 'private-token'],
  ['contract', '/merge_requests/:merge_request_iid'],
])('bellhop check loads no %s; bellhop explain does', async (_, itsText) => {
  expect(text(await filesOf(['explain', '--help']))).toContain(itsText)
  expect(text(await filesOf(['check', 'rules/default.yml']))).not.toContain(itsText)
})
