// The template of a database: unpacked as it was packed, completely or not at all, only for the PGlite that made it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { packDatabase, unpackTemplate } from '../../src/embedded-postgres/template.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'bellhop-template-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A directory with equal files, files that end with zeros, an empty file and an empty folder, packed. */
async function packed(at: string): Promise<string> {
  mkdirSync(join(at, 'store/base/1'), { recursive: true })
  mkdirSync(join(at, 'store/pg_empty'))
  writeFileSync(join(at, 'store/PG_VERSION'), '17\n')
  writeFileSync(join(at, 'store/base/1/112'), Buffer.from([0, 10, 255]))
  writeFileSync(join(at, 'store/base/1/113'), '')
  mkdirSync(join(at, 'store/base/2'))
  writeFileSync(join(at, 'store/base/2/112'), Buffer.from([0, 10, 255]))
  writeFileSync(join(at, 'store/base/2/114'), Buffer.from([0, 10, 255, 0, 0]))
  writeFileSync(join(at, 'store/base/2/115'), Buffer.from([0, 0, 0]))
  const file = join(at, 'template.br')
  writeFileSync(file, await packDatabase(join(at, 'store')))
  return file
}

test('every file and folder is unpacked as it was packed', async () => {
  const at = folder()
  expect(await unpackTemplate(join(at, 'copy'), await packed(at))).toBe(true)
  expect(readdirSync(join(at, 'copy'), { recursive: true }).sort()).toEqual(
    readdirSync(join(at, 'store'), { recursive: true }).sort(),
  )
  for (const file of ['PG_VERSION', 'base/1/112', 'base/1/113', 'base/2/112', 'base/2/114', 'base/2/115'])
    expect(readFileSync(join(at, 'copy', file))).toEqual(readFileSync(join(at, 'store', file)))
})

test('the template of another version of PGlite is not used', async () => {
  const at = folder()
  const file = await packed(at)
  const other = brotliDecompressSync(readFileSync(file))
    .toString('latin1')
    .replace(/"pglite":"[^"]+"/, '"pglite":"0.0.1"')
  writeFileSync(file, brotliCompressSync(Buffer.from(other, 'latin1')))
  expect(await unpackTemplate(join(at, 'copy'), file)).toBe(false)
  expect(existsSync(join(at, 'copy'))).toBe(false)
})

test('without a template nothing is unpacked', async () => {
  const at = folder()
  expect(await unpackTemplate(join(at, 'copy'), join(at, 'template.br'))).toBe(false)
})

test('what an interrupted start left unpacked is replaced', async () => {
  const at = folder()
  mkdirSync(join(at, 'copy.unpacking'))
  writeFileSync(join(at, 'copy.unpacking/half'), '')
  expect(await unpackTemplate(join(at, 'copy'), await packed(at))).toBe(true)
  expect(readdirSync(join(at, 'copy')).sort()).toEqual(['PG_VERSION', 'base', 'pg_empty'])
})

test('a template that is cut off is an error, and the directory is not there', async () => {
  const at = folder()
  const file = await packed(at)
  writeFileSync(file, readFileSync(file).subarray(0, -20))
  await expect(unpackTemplate(join(at, 'copy'), file)).rejects.toThrow()
  expect(existsSync(join(at, 'copy'))).toBe(false)
})
