// The template of a database: what the first start of PGlite and BullMQ makes, packed into one file at build time.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

/** Next to the built module; there is none in the sources. */
const packedTemplate = new URL('template.br', import.meta.url)

/** The first line of a packed directory, as JSON; then come the contents of the files, in this order. */
interface Header {
  /** The version of PGlite that made it. */
  pglite: string
  folders: string[]
  /** Each path with its size in bytes. */
  files: [string, number][]
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
  const header: Header = {
    pglite: installedVersion(),
    folders: folders.sort(),
    files: files.map(({ path, content }) => [path, content.length]),
  }
  const contents = files.map(({ content }) => content)
  return promisify(brotliCompress)(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...contents]), {
    // The widest window: the databases of a new directory are copies of one another.
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
  let position = end + 1
  // A thousand small files: waiting for each of them takes seven times as long, and nothing else runs yet.
  for (const [path, size] of files) {
    writeFileSync(join(unfinished, path), bytes.subarray(position, position + size), { mode: 0o600 })
    position += size
  }
  await rename(unfinished, directory)
  return true
}
