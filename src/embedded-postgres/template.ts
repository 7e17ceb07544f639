// The template of a database: what the first start of PGlite and BullMQ makes, packed into one file at build time.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

/** Next to the built module; there is none in the sources. */
const packedTemplate = new URL('template.br', import.meta.url)

/** The first line of a packed directory, as JSON; then come the contents of the files, equal ones once. */
interface Header {
  /** The version of PGlite that made it. */
  pglite: string
  folders: string[]
  /** In bytes: what is after the `length` bytes at `at` is zeros. */
  files: { path: string; size: number; at: number; length: number }[]
}

function installedVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = createRequire(import.meta.url)(join(dirname(entry), '../package.json')) as { version: string }
  return version
}

/** Packs a closed database. */
export async function packDatabase(directory: string): Promise<Buffer> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => ({
    entry,
    path: join(entry.parentPath, entry.name)
      .slice(directory.length + 1)
      .replaceAll('\\', '/'),
  }))
  const folders = paths.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path)
  const files = await Promise.all(
    paths
      .filter(({ entry }) => entry.isFile())
      .map(async ({ path }) => ({ path, content: await readFile(join(directory, path)) })),
  )
  // The databases of a new directory are copies of one another, and most of the log is zeros.
  const contents = new Map<string, { at: number; bytes: Buffer }>()
  let end = 0
  const header: Header = {
    pglite: installedVersion(),
    folders: folders.sort(),
    files: files.map(({ path, content }) => {
      const bytes = content.subarray(0, content.findLastIndex((byte) => byte !== 0) + 1)
      const key = hash('sha256', bytes)
      const known = contents.get(key) ?? { at: end, bytes }
      if (!contents.has(key)) end += bytes.length
      contents.set(key, known)
      return { path, size: content.length, at: known.at, length: bytes.length }
    }),
  }
  const packed = [Buffer.from(`${JSON.stringify(header)}\n`), ...[...contents.values()].map(({ bytes }) => bytes)]
  return promisify(brotliCompress)(Buffer.concat(packed), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  })
}

/**
 * Puts the template of the installed PGlite at `directory`, completely or not at all. False if the build made none,
 * or for another version of PGlite.
 */
export async function unpackTemplate(directory: string, packed: URL | string = packedTemplate): Promise<boolean> {
  if (!existsSync(packed)) return false
  const bytes = await promisify(brotliDecompress)(await readFile(packed), { chunkSize: 1 << 20 })
  const end = bytes.indexOf('\n')
  const { pglite, folders, files } = JSON.parse(bytes.toString('utf8', 0, end)) as Header
  if (pglite !== installedVersion()) return false
  const unfinished = `${directory}.unpacking`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  for (const folder of folders) mkdirSync(join(unfinished, folder), { recursive: true })
  // A thousand small files: waiting for each of them takes seven times as long, and nothing else runs yet.
  for (const { path, size, at, length } of files) {
    const from = end + 1 + at
    writeFileSync(join(unfinished, path), bytes.subarray(from, from + length), { mode: 0o600 })
    if (length < size) truncateSync(join(unfinished, path), size)
  }
  await rename(unfinished, directory)
  return true
}
