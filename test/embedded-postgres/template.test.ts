// The template of a database: unpacked as it was packed, completely or not at all, only for the PGlite that made it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { packDatabase, unpackTemplate } from '../../src/embedded-postgres/template.ts'
import { ownFolder } from '../cli/own-folder.ts'

const files = {
  PG_VERSION: [49, 55, 10],
  'base/1/112': [0, 10, 255],
  'base/1/113': [],
  'base/2/112': [0, 10, 255],
  'base/2/114': [0, 10, 255, 0, 0],
  'base/2/115': [0, 0, 0],
}

/** A directory with equal files, files that end with zeros, an empty file and an empty folder, packed. */
async function packed(at: string): Promise<string> {
  for (const folder of ['base/1', 'base/2', 'pg_empty']) mkdirSync(join(at, 'store', folder), { recursive: true })
  for (const [path, bytes] of Object.entries(files)) writeFileSync(join(at, 'store', path), Buffer.from(bytes))
  const file = join(at, 'template.br')
  writeFileSync(file, await packDatabase(join(at, 'store')))
  return file
}

test('every file and folder is unpacked as it was packed', async () => {
  const at = ownFolder().folder
  expect(await unpackTemplate(join(at, 'copy'), await packed(at))).toBe(true)
  expect(readdirSync(join(at, 'copy'), { recursive: true }).sort()).toEqual(
    readdirSync(join(at, 'store'), { recursive: true }).sort(),
  )
  for (const [path, bytes] of Object.entries(files))
    expect([...readFileSync(join(at, 'copy', path))], path).toEqual(bytes)
})

test('the template of another version of PGlite is not used', async () => {
  const at = ownFolder().folder
  const file = await packed(at)
  const other = brotliDecompressSync(readFileSync(file))
    .toString('latin1')
    .replace(/"pglite":"[^"]+"/, '"pglite":"0.0.1"')
  writeFileSync(file, brotliCompressSync(Buffer.from(other, 'latin1')))
  expect(await unpackTemplate(join(at, 'copy'), file)).toBe(false)
  expect(existsSync(join(at, 'copy'))).toBe(false)
})

test('without a template nothing is unpacked', async () => {
  const at = ownFolder().folder
  expect(await unpackTemplate(join(at, 'copy'), join(at, 'template.br'))).toBe(false)
})

test('what an interrupted start left unpacked is replaced', async () => {
  const at = ownFolder().folder
  mkdirSync(join(at, 'copy.unpacking'))
  writeFileSync(join(at, 'copy.unpacking/half'), '')
  expect(await unpackTemplate(join(at, 'copy'), await packed(at))).toBe(true)
  expect(readdirSync(join(at, 'copy')).sort()).toEqual(['PG_VERSION', 'base', 'pg_empty'])
})

test('a template that is cut off is an error, and the directory is not there', async () => {
  const at = ownFolder().folder
  const file = await packed(at)
  writeFileSync(file, readFileSync(file).subarray(0, -20))
  await expect(unpackTemplate(join(at, 'copy'), file)).rejects.toThrow()
  expect(existsSync(join(at, 'copy'))).toBe(false)
})
